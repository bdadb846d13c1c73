import { accounts, type Journal, movesAboveZero } from '../../core/money/ledger/index.ts'
import { add, type Kobo } from '../../kernel/money.ts'
import type { BatchRow, TransferRow } from './repository.ts'

type Money = Pick<TransferRow, 'merchantId' | 'transactionReference' | 'sourceAccountNumber' | 'amount' | 'fee'>

const FEES = accounts.fees('transfer')

const total = ({ amount, fee }: Money): Kobo => add(amount, fee)

/** Returns the journal of an accepted transfer: amount and fee leave the available balance. */
export const heldJournal = (transfer: Money): Journal => ({
  merchantId: transfer.merchantId,
  key: `transfer/${transfer.transactionReference}/held`,
  memo: `Transfer ${transfer.transactionReference}`,
  moves: [
    {
      from: accounts.wallet(transfer.sourceAccountNumber),
      to: accounts.inFlight(transfer.sourceAccountNumber),
      amount: total(transfer),
    },
  ],
})

/** Returns the journal of an accepted batch: the amounts and fees of its valid items are held as one sum. */
export const heldBatchJournal = (batch: BatchRow): Journal => ({
  merchantId: batch.merchantId,
  key: `transfer/${batch.transactionBatchReference}/held`,
  memo: `Batch ${batch.transactionBatchReference}`,
  moves: [
    {
      from: accounts.wallet(batch.sourceAccountNumber),
      to: accounts.inFlight(batch.sourceAccountNumber),
      amount: add(batch.totalAmount, batch.totalFee),
    },
  ],
})

/** Returns the journal of a successful transfer: its partner has paid the amount out, and the fee is earned. */
export const sentJournal = (transfer: Money, partner: string | null): Journal => ({
  merchantId: transfer.merchantId,
  key: `transfer/${transfer.transactionReference}/sent`,
  memo: `Transfer ${transfer.transactionReference} arrived`,
  moves: movesAboveZero([
    {
      from: accounts.inFlight(transfer.sourceAccountNumber),
      to: accounts.clearing('transfers', partner),
      amount: transfer.amount,
    },
    { from: accounts.inFlight(transfer.sourceAccountNumber), to: FEES, amount: transfer.fee },
  ]),
})

/** Returns the journal of a failed or expired transfer: amount and fee are available again. */
export const releasedJournal = (transfer: Money): Journal => ({
  merchantId: transfer.merchantId,
  key: `transfer/${transfer.transactionReference}/released`,
  memo: `Transfer ${transfer.transactionReference} failed`,
  moves: [
    {
      from: accounts.inFlight(transfer.sourceAccountNumber),
      to: accounts.wallet(transfer.sourceAccountNumber),
      amount: total(transfer),
    },
  ],
})

/** Returns the journal of a reversed transfer: the partner returns the amount, and we return the fee. */
export const reversedJournal = (transfer: Money, partner: string | null): Journal => ({
  merchantId: transfer.merchantId,
  key: `transfer/${transfer.transactionReference}/reversed`,
  memo: `Transfer ${transfer.transactionReference} came back`,
  moves: movesAboveZero([
    {
      from: accounts.clearing('transfers', partner),
      to: accounts.wallet(transfer.sourceAccountNumber),
      amount: transfer.amount,
    },
    { from: FEES, to: accounts.wallet(transfer.sourceAccountNumber), amount: transfer.fee },
  ]),
})
