import { accounts, type Journal, movesAboveZero, type Rail } from '../../core/money/ledger/index.ts'
import { add } from '../../kernel/money.ts'
import type { PartRow, RefundRow, Way } from './repository.ts'

/** A refund, or one of its parts with what it has of the refund. */
type Facts = Pick<PartRow, 'merchantId' | 'reference' | 'amount' | 'fee'> &
  Pick<RefundRow, 'transactionReference' | 'walletAccountNumber'>

const CLEARING: Readonly<Record<Way['method'], Rail>> = { ACCOUNT_TRANSFER: 'bank-transfer', CARD: 'card' }

/** A refund is accepted: what goes back and its fee leave what the wallet can spend, in one sum for all its parts. */
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

/** The customer has it: whoever sent it is owed what went back, and the fee is ours. */
export const refundCompleted = (part: Facts & Pick<Way, 'method'>, partner: string | null): Journal => {
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

/** It could not be paid: all of it is the wallet's again, the fee too. */
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

/** The keys under which journals of a refund may be booked. */
export const refundJournalKeys = ({ reference }: Pick<RefundRow, 'reference'>): readonly string[] =>
  ['held', 'completed', 'failed'].map((end) => `refund/${reference}/${end}`)
