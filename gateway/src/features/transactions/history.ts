import type { Merchant } from '../../core/merchants/index.ts'
import type { Past } from '../../core/sandbox-history/index.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import { chunksOf } from '../../platform/lanes/chunks.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { decide } from './collection.ts'
import { draftTransaction, type NewTransaction } from './draft.ts'
import { collectionEvent } from './events.ts'
import { transactionMachine } from './machine.ts'
import { insertPayments } from './payment-repository.ts'
import { type Receipt, receivedOf } from './receive.ts'
import { insertPaidTransactions, type TransactionRow } from './repository.ts'
import type { TransactionRecord } from './service.ts'

/** Opens a transaction in the sandbox history. */
const opened = (past: Past, merchant: Merchant, requested: NewTransaction): TransactionRow =>
  draftTransaction(past.now(), merchant, requested)

/** Pays a transaction in the sandbox history. */
function paid(past: Past, transaction: TransactionRow, receipt: Receipt): TransactionRecord {
  const decision = decide(transaction, receivedOf(past.now(), receipt, receipt.railReference))
  invariant(decision.kind === 'accepted', 'a sandbox history pays only open transactions')
  past.notify(collectionEvent(decision.transaction, [decision.payment]))
  past.book(decision.journal)
  return { transaction: decision.transaction, payments: [decision.payment] }
}

/** Ends an unpaid or partly paid transaction in the sandbox history. */
function ended(
  transaction: TransactionRow,
  trigger: 'expire' | 'cancel' | 'decline',
  completedAt: Date | null,
): TransactionRow {
  const status = next(transactionMachine, transaction.status, trigger)
  invariant(status !== undefined, `a ${transaction.status} transaction can ${trigger}`)
  return { ...transaction, status, completedAt }
}

/** Rows per query. */
const CHUNK_MAX = 1_000

/** Writes transactions of the sandbox history with their payments. */
function write(tx: Tx, records: readonly TransactionRecord[]): void {
  for (const chunk of chunksOf(records, CHUNK_MAX))
    insertPaidTransactions(
      tx,
      chunk.map(({ transaction }) => transaction),
    )
  const payments = records.flatMap((record) => record.payments)
  for (const chunk of chunksOf(payments, CHUNK_MAX)) insertPayments(tx, chunk)
}

export const transactionHistory = { opened, paid, ended, write }
