import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant, type Refusal } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import { transactionErrors } from './errors.ts'
import { type TransactionTrigger, transactionMachine } from './machine.ts'
import { setSettled, type TransactionRow, updateTransactions } from './repository.ts'

/** Metric label of a payment that ended before any money arrived. */
const NO_METHOD = 'none'

/** Returns the error for a transaction that takes no more payments; undefined if it is open. */
export function checkOpen(
  { status, completedAt, expiresAt }: Pick<TransactionRow, 'status' | 'completedAt' | 'expiresAt'>,
  at: Date,
): Refusal | undefined {
  if (status === 'PAID' || status === 'OVERPAID') return transactionErrors.alreadyPaid()
  if (status === 'CANCELLED') return transactionErrors.cancelled()
  return completedAt !== null || expiresAt <= at ? transactionErrors.expired() : undefined
}

/** Returns a transaction as one whose payment the merchant's server requested, not the payer on the hosted checkout. */
export const requestedByServer = (transaction: TransactionRow): TransactionRow =>
  transaction.productType === 'WEB_SDK' ? { ...transaction, productType: 'API_NOTIFICATION' } : transaction

/** Records that the merchant's server requested payments. The rows must be locked; returns them as they are now. */
export const markRequestedByServer = (unit: UnitOfWork, rows: readonly TransactionRow[]): readonly TransactionRow[] =>
  change(unit, rows, requestedByServer)

/**
 * Records declined payments. The rows must be locked; returns them as they are now. A transaction that is paid, even in
 * part, or has ended stays as it is. A declined transaction can still be paid until it expires. A direct debit cannot,
 * because it is not retried under its reference.
 */
export const declineTransactions = (unit: UnitOfWork, rows: readonly TransactionRow[]): readonly TransactionRow[] =>
  change(unit, rows, (row) => {
    const isDebit = row.productType === 'DIRECT_DEBIT'
    const declined = moved(row, 'decline', isDebit ? unit.at : null)
    if (declined !== undefined) unit.countPayment(isDebit ? 'DIRECT_DEBIT' : 'CARD', declined.status)
    return declined ?? row
  })

/** Cancels a locked transaction; undefined if impossible, as with a direct debit, which the bank already has. */
export function cancelTransaction(unit: UnitOfWork, transaction: TransactionRow): TransactionRow | undefined {
  const cancelled = transaction.productType === 'DIRECT_DEBIT' ? undefined : moved(transaction, 'cancel', unit.at)
  if (cancelled !== undefined) {
    updateTransactions(unit.tx, [cancelled])
    unit.countPayment(NO_METHOD, cancelled.status)
  }
  return cancelled
}

/** Ends transactions that have expired; a partly paid one keeps its status. The caller has locked the rows. */
export const expireTransactions = (unit: UnitOfWork, rows: readonly TransactionRow[]): readonly TransactionRow[] =>
  change(unit, rows, (row) => {
    const ended = expired(row)
    if (ended.status === 'EXPIRED') unit.countPayment(NO_METHOD, ended.status)
    return ended
  })

/** Returns an open transaction as it is after its expiry. */
function expired(transaction: TransactionRow): TransactionRow {
  const ended = moved(transaction, 'expire', transaction.expiresAt)
  invariant(ended !== undefined, `an open ${transaction.status} transaction can expire`)
  return ended
}

/** Records that transactions are settled, and so completed. The rows must be locked; returns them as they are now. */
export function markSettled(unit: UnitOfWork, due: readonly TransactionRow[]): readonly TransactionRow[] {
  // A partial payment is due at its expiry, even if no sweep has ended the transaction yet.
  const ended = change(unit, due, (row) => (row.completedAt === null ? expired(row) : row))
  setSettled(unit.tx, due)
  return ended
}

/** Returns the transaction after a trigger, or undefined if its status does not allow it. */
function moved(
  transaction: TransactionRow,
  trigger: TransactionTrigger,
  completedAt: Date | null,
): TransactionRow | undefined {
  const status = next(transactionMachine, transaction.status, trigger)
  return status === undefined ? undefined : { ...transaction, status, completedAt }
}

/** Changes locked transactions, and writes those that differ afterwards. */
function change(
  { tx }: UnitOfWork,
  rows: readonly TransactionRow[],
  to: (row: TransactionRow) => TransactionRow,
): readonly TransactionRow[] {
  const changed = rows.map(to)
  updateTransactions(
    tx,
    changed.filter((row, index) => row !== rows[index]),
  )
  return changed
}
