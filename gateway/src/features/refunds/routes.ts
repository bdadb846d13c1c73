import * as contract from '@kobo/contract'
import { type Input, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, toPage } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import type { Orders } from '../../core/orders/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import { fromMoment, throughMoment } from '../../kernel/dates.ts'
import { ifKnown } from '../../kernel/errors.ts'
import { naira } from '../../kernel/money.ts'
import type { SelectDisputed } from './repository.ts'
import * as refunds from './service.ts'
import { showRefund } from './show.ts'

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly enquiries: Pick<Enquiries, 'transfer'>
  readonly selectDisputed: SelectDisputed
}

export function refundRoutes(serve: Serve, deps: Deps): void {
  const { db } = deps.core

  serve(
    contract.initiateRefund,
    async ({ body }, { merchant }) => showRefund(await refunds.initiateRefund(deps, merchant, readNewRefund(body))),
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
    const { page = 0, size = PAGE_SIZE_DEFAULT, from, to } = query
    const wanted = { page, size: Math.min(size, PAGE_SIZE_MAX) }
    const period = {
      from: from === undefined ? undefined : fromMoment(from),
      to: to === undefined ? undefined : throughMoment(to),
    }
    const found = await refunds.listRefunds(db, merchant.id, period, wanted)
    return toPage(found.refunds.map(showRefund), found.total, wanted.page, wanted.size)
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
