import { accounts, type Journal, movesAboveZero, type Rail } from '../../core/money/ledger/index.ts'
import { add } from '../../kernel/money.ts'
import type { PartRow, RefundDestination, RefundRow } from './repository.ts'

/** A refund, or one of its parts with its share of amount and fee. */
type Facts = Pick<PartRow, 'merchantId' | 'reference' | 'amount' | 'fee'> &
  Pick<RefundRow, 'transactionReference' | 'walletAccountNumber'>

const CLEARING: Readonly<Record<RefundDestination['method'], Rail>> = {
  ACCOUNT_TRANSFER: 'bank-transfer',
  CARD: 'card',
}

/** Returns the journal of a new refund: amount and fee leave the available balance, in one sum for all parts. */
export const refundHeld = (refund: Facts): Journal => ({
  merchantId: refund.merchantId,
  key: `refund/${refund.reference}/held`,
  memo: `Refund of ${refund.transactionReference}`,
  moves: [
    {
      from: accounts.wallet(refund.walletAccountNumber),
      to: accounts.inFlight(refund.walletAccountNumber),
      amount: add(refund.amount, refund.fee),
    },
  ],
})

/** Returns the journal of a part that arrived: we owe its partner the amount, and the fee is earned. */
export const refundCompleted = (part: Facts & Pick<RefundDestination, 'method'>, partner: string | null): Journal => {
  const from = accounts.inFlight(part.walletAccountNumber)
  return {
    merchantId: part.merchantId,
    key: `refund/${part.reference}/completed`,
    memo: `Refund of ${part.transactionReference} completed`,
    moves: movesAboveZero([
      { from, to: accounts.clearing(CLEARING[part.method], partner), amount: part.amount },
      { from, to: accounts.fees('refund'), amount: part.fee },
    ]),
  }
}

/** Returns the journal of a part that failed: amount and fee return to the wallet. */
export const refundFailed = (part: Facts): Journal => ({
  merchantId: part.merchantId,
  key: `refund/${part.reference}/failed`,
  memo: `Refund of ${part.transactionReference} failed`,
  moves: [
    {
      from: accounts.inFlight(part.walletAccountNumber),
      to: accounts.wallet(part.walletAccountNumber),
      amount: add(part.amount, part.fee),
    },
  ],
})

/** Returns the keys of a refund's possible journals. */
export const refundJournalKeys = ({ reference }: Pick<RefundRow, 'reference'>): readonly string[] =>
  ['held', 'completed', 'failed'].map((end) => `refund/${reference}/${end}`)
