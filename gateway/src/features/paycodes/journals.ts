import { accounts, type Journal, movesAboveZero } from '../../core/money/ledger/index.ts'
import { add } from '../../kernel/money.ts'
import type { PaycodeRow } from './repository.ts'

const journal = (
  { merchantId, transactionReference, paycodeReference }: PaycodeRow,
  what: string,
  moves: Journal['moves'],
): Journal => ({
  merchantId,
  key: `paycode/${transactionReference}/${what}`,
  memo: `Paycode ${paycodeReference} ${what}`,
  moves: movesAboveZero(moves),
})

/** Returns the journal of a new paycode: amount and fee leave the available balance and are in transit. */
export const heldJournal = (paycode: PaycodeRow): Journal =>
  journal(paycode, 'held', [
    {
      from: accounts.wallet(paycode.walletAccountNumber),
      to: accounts.inFlight(paycode.walletAccountNumber),
      amount: add(paycode.amount, paycode.fee),
    },
  ])

/** Returns the journal of a paycode that was cancelled or has expired: amount and fee are released. */
export const returnedJournal = (paycode: PaycodeRow): Journal =>
  journal(paycode, 'returned', [
    {
      from: accounts.inFlight(paycode.walletAccountNumber),
      to: accounts.wallet(paycode.walletAccountNumber),
      amount: add(paycode.amount, paycode.fee),
    },
  ])

/** Returns the journal of a paycode that an agent paid out: we owe the agent the cash, and the fee is earned. */
export const paidOutJournal = (paycode: PaycodeRow): Journal =>
  journal(paycode, 'paid out', [
    { from: accounts.inFlight(paycode.walletAccountNumber), to: accounts.clearing('cash'), amount: paycode.amount },
    { from: accounts.inFlight(paycode.walletAccountNumber), to: accounts.fees('paycode'), amount: paycode.fee },
  ])
