import type { Input } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { fromMoment, throughMoment } from '../../kernel/dates.ts'
import { ifKnown } from '../../kernel/errors.ts'
import { naira } from '../../kernel/money.ts'
import { showPage } from '../../platform/postgres/pagination.ts'
import { selectRefunds } from './repository.ts'
import * as refunds from './service.ts'
import { showRefund } from './show.ts'

export function refundRoutes(serve: Serve, deps: refunds.RefundDeps): void {
  const { db } = deps.core

  serve(
    contract.initiateRefund,
    async ({ body }, { merchant, person }) =>
      showRefund(await refunds.initiateRefund(deps, merchant, readNewRefund(body), person)),
    async ({ body: { refundReference, refundAmount } }, { merchant }, since) => {
      const refund = await ifKnown(refunds.getRefund(db, merchant.id, refundReference))
      return refund && refund.createdAt >= since && refund.amount === naira(refundAmount)
        ? showRefund(refund)
        : undefined
    },
  )

  serve(contract.getRefund, async ({ params }, { merchant }) =>
    showRefund(await refunds.getRefund(db, merchant.id, params.refundReference)),
  )

  serve(contract.listRefunds, async ({ query }, { merchant }) => {
    const { from, to } = query
    const period = {
      from: from === undefined ? undefined : fromMoment(from),
      to: to === undefined ? undefined : throughMoment(to),
    }
    return showPage(await selectRefunds(db, merchant.id, period, query), showRefund)
  })
}

function readNewRefund(body: Input<typeof contract.initiateRefund>['body']): refunds.NewRefund {
  const { destinationAccountNumber, destinationAccountBankCode, refundAmount } = body
  const isNamed = Boolean(destinationAccountNumber || destinationAccountBankCode)
  return {
    transactionReference: body.transactionReference,
    refundReference: body.refundReference,
    amount: naira(refundAmount),
    refundReason: body.refundReason,
    customerNote: body.customerNote,
    destination: isNamed
      ? { accountNumber: destinationAccountNumber ?? '', bankCode: destinationAccountBankCode ?? '' }
      : null,
  }
}
