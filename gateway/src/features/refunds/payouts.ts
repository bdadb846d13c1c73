import { findBank } from '../../core/bank-list/index.ts'
import { release } from '../../core/orders/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { toNairaText } from '../../kernel/money.ts'
import { type Facts, type Payout, type PayoutDefinition, WAITING } from '../approvals/index.ts'
import { failHeld } from './conclude.ts'
import {
  lockRefunds,
  type PartRow,
  partsOf,
  type RefundRow,
  releaseRefund,
  selectParts,
  selectRefundsByKey,
} from './repository.ts'

export const COMMENTS = {
  none: 'Refund initiated',
  approval: 'Awaiting approval',
} as const

/** Returns the facts that an approval of a refund covers: payment, amount and destination of each part. */
export const refundFacts = (refund: RefundRow, parts: readonly PartRow[]): Facts =>
  parts.map((part) => [
    refund.refundReference,
    refund.transactionReference,
    String(part.amount),
    refund.walletAccountNumber,
    part.destinationBankCode ?? '',
    part.destinationAccountNumber ?? '',
    part.destinationAccountName ?? '',
    part.chargeReference ?? '',
    refund.refundReason,
  ])

const recipientOf = ({ destinationAccountName, destinationAccountNumber, destinationBankCode }: PartRow): string =>
  destinationAccountNumber === null
    ? 'the customer’s card'
    : [destinationAccountName, destinationAccountNumber, findBank(destinationBankCode ?? '')?.name]
        .filter(Boolean)
        .join(', ')

const refundPayout = (refund: RefundRow, parts: readonly PartRow[]): Payout => ({
  id: refund.id,
  reference: refund.refundReference,
  status: refund.authorizeBy === null ? refund.status : WAITING,
  amount: refund.amount,
  fee: refund.fee,
  recipient: parts
    .map((part) => (parts.length === 1 ? recipientOf(part) : `${toNairaText(part.amount)} to ${recipientOf(part)}`))
    .join('; '),
  narration: `${refund.refundReason} (refund of ${refund.transactionReference})`,
  itemsCount: parts.length,
})

/** Defines refunds to an account other than the payer's as payouts that wait for approval. */
export const refundPayouts: PayoutDefinition = {
  select: async (db, keys) => {
    const [refunds, rows] = await Promise.all([selectRefundsByKey(db, keys), selectParts(db, keys)])
    return refunds.map((refund) => refundPayout(refund, partsOf(refund, rows)))
  },
  lock: async (unit, key) => {
    const [[refund], rows] = await Promise.all([lockRefunds(unit.tx, [key]), selectParts(unit.tx, [key])])
    invariant(refund !== undefined, 'a refund is never deleted')
    const parts = partsOf(refund, rows)
    return {
      ...refundPayout(refund, parts),
      facts: refundFacts(refund, parts),
      release: async () => {
        await releaseHeld(unit, refund)
        return undefined
      },
      reject: (reason) => failHeld(unit, [refund], reason),
    }
  },
}

/** Releases a locked refund, so that it is sent. */
async function releaseHeld(unit: UnitOfWork, refund: RefundRow): Promise<void> {
  releaseRefund(unit.tx, { ...refund, comment: COMMENTS.none, authorizeBy: null })
  release(
    unit,
    refund.merchantId,
    partsOf(refund, await selectParts(unit.tx, [refund])).map(({ id }) => id),
  )
}
