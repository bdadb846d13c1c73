import { accounts, type Journal, movesAboveZero } from '../../core/money/ledger/index.ts'
import { add } from '../../kernel/money.ts'
import type { RefundRow } from './repository.ts'

type Facts = Pick<
  RefundRow,
  'merchantId' | 'reference' | 'transactionReference' | 'walletAccountNumber' | 'method' | 'amount' | 'fee'
>

const CLEARING: Readonly<Record<RefundRow['method'], string>> = { ACCOUNT_TRANSFER: 'bank-transfer', CARD: 'card' }

/** A refund is accepted: what goes back and its fee leave what the wallet can spend. */
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

/** The customer has it: the rail is owed what went back, and the fee is ours. */
export const refundCompleted = (refund: Facts): Journal => {
  const from = accounts.inFlight(refund.walletAccountNumber)
  return {
    merchantId: refund.merchantId,
    key: `refund/${refund.reference}/completed`,
    memo: `Refund of ${refund.transactionReference} completed`,
    moves: movesAboveZero([
      { from, to: accounts.clearing(CLEARING[refund.method]), amount: refund.amount },
      { from, to: accounts.fees('refund'), amount: refund.fee },
    ]),
  }
}

/** It could not be paid: all of it is the wallet's again, the fee too. */
export const refundFailed = (refund: Facts): Journal => ({
  merchantId: refund.merchantId,
  key: `refund/${refund.reference}/failed`,
  memo: `Refund of ${refund.transactionReference} failed`,
  moves: [
    {
      from: accounts.inFlight(refund.walletAccountNumber),
      to: accounts.wallet(refund.walletAccountNumber),
      amount: add(refund.amount, refund.fee),
    },
  ],
})
