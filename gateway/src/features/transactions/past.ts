import type { Merchant } from '../../core/merchants/index.ts'
import type { Past } from '../../core/past/index.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import type { Tx } from '../../platform/db.ts'
import { setsOf } from '../../platform/sets.ts'
import { decide } from './collection.ts'
import { draftTransaction, type NewTransaction } from './draft.ts'
import { collectionEvent } from './events.ts'
import { transactionMachine } from './machine.ts'
import { insertPayments } from './payment-repository.ts'
import { type Receipt, receivedOf } from './receive.ts'
import { insertPaidTransactions, type TransactionRow } from './repository.ts'
import type { TransactionRecord } from './service.ts'

/** A transaction that was asked for in the past. */
export const askedInPast = (past: Past, merchant: Merchant, wanted: NewTransaction): TransactionRow =>
  draftTransaction(past.now(), merchant, wanted)

/** Money that arrived for it in the past, and was kept. */
export function paidInPast(past: Past, transaction: TransactionRow, receipt: Receipt): TransactionRecord {
  const decision = decide(transaction, receivedOf(past.now(), receipt, receipt.railReference))
  invariant(decision.kind === 'accepted', 'a history pays what can be paid')
  past.tell(collectionEvent(decision.transaction, [decision.payment]))
  past.book(decision.journal)
  return { transaction: decision.transaction, payments: [decision.payment] }
}

/** A transaction that ended in the past without money, or with a part of it. */
export function endedInPast(
  transaction: TransactionRow,
  trigger: 'expire' | 'cancel' | 'decline',
  completedAt: Date | null,
): TransactionRow {
  const status = next(transactionMachine, transaction.status, trigger)
  invariant(status !== undefined, `a transaction that is ${transaction.status} can ${trigger}`)
  return { ...transaction, status, completedAt }
}

/** So many rows go into one statement. */
const SET_MAX = 1_000

/** Writes transactions of the past with their payments. */
export function writePastTransactions(tx: Tx, records: readonly TransactionRecord[]): void {
  for (const set of setsOf(records, SET_MAX))
    insertPaidTransactions(
      tx,
      set.map(({ transaction }) => transaction),
    )
  const payments = records.flatMap((record) => record.payments)
  for (const set of setsOf(payments, SET_MAX)) insertPayments(tx, set)
}
