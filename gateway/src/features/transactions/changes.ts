import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant, type Refusal } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import { transactionErrors } from './errors.ts'
import { type TransactionTrigger, transactionMachine } from './machine.ts'
import { setSettled, type TransactionRow, updateTransactions } from './repository.ts'

/** Under which a payment is counted that ended before anybody paid it. */
const NO_METHOD = 'none'

/** Refuses a transaction on which no payment can be started any more. */
export function checkOpen(
  { status, completedAt, expiresAt }: Pick<TransactionRow, 'status' | 'completedAt' | 'expiresAt'>,
  at: Date,
): Refusal | undefined {
  if (status === 'PAID' || status === 'OVERPAID') return transactionErrors.alreadyPaid()
  if (status === 'CANCELLED') return transactionErrors.cancelled()
  return completedAt !== null || expiresAt <= at ? transactionErrors.expired() : undefined
}

/** A transaction once the merchant's server has asked for its payment: it is the hosted checkout's no longer. */
export const askedByServer = (transaction: TransactionRow): TransactionRow =>
  transaction.productType === 'WEB_SDK' ? { ...transaction, productType: 'API_NOTIFICATION' } : transaction

/** Writes down that the merchant's server asked for payments. They are locked; answers them as they are now. */
export const markAskedByServer = (unit: UnitOfWork, rows: readonly TransactionRow[]): readonly TransactionRow[] =>
  change(unit, rows, askedByServer)

/**
 * Writes down that payments were declined. They are locked; answers them as they are now. One of which nothing was to be
 * paid stays as it is. It may be paid until it expires, unless it is a debit, which is not tried again under its reference.
 */
export const declineTransactions = (unit: UnitOfWork, rows: readonly TransactionRow[]): readonly TransactionRow[] =>
  change(unit, rows, (row) => {
    const isDebit = row.productType === 'DIRECT_DEBIT'
    const declined = moved(row, 'decline', isDebit ? unit.at : null)
    if (declined !== undefined) unit.countPayment(isDebit ? 'DIRECT_DEBIT' : 'CARD', declined.status)
    return declined ?? row
  })

/** Cancels a transaction that is locked; undefined where it cannot be: a debit is with the customer's bank from the start. */
export function cancelTransaction(unit: UnitOfWork, transaction: TransactionRow): TransactionRow | undefined {
  const cancelled = transaction.productType === 'DIRECT_DEBIT' ? undefined : moved(transaction, 'cancel', unit.at)
  if (cancelled !== undefined) {
    updateTransactions(unit.tx, [cancelled])
    unit.countPayment(NO_METHOD, cancelled.status)
  }
  return cancelled
}

/** Ends transactions whose time is over; what was partly paid is kept. They are locked. */
export const expireTransactions = (unit: UnitOfWork, rows: readonly TransactionRow[]): readonly TransactionRow[] =>
  change(unit, rows, (row) => {
    const ended = expired(row)
    if (ended.status === 'EXPIRED') unit.countPayment(NO_METHOD, ended.status)
    return ended
  })

/** An open transaction after its time is over. */
function expired(transaction: TransactionRow): TransactionRow {
  const ended = moved(transaction, 'expire', transaction.expiresAt)
  invariant(ended !== undefined, `an open transaction that is ${transaction.status} can expire`)
  return ended
}

/** Writes down that transactions are settled, and so are over. They are locked; answers them as they are now. */
export function markSettled(unit: UnitOfWork, due: readonly TransactionRow[]): readonly TransactionRow[] {
  // What was partly paid falls due after its time is over, whether it has been ended yet or not.
  const ended = change(unit, due, (row) => (row.completedAt === null ? expired(row) : row))
  setSettled(unit.tx, due)
  return ended
}

/** The transaction after a trigger, or undefined where its machine has no such move. */
function moved(
  transaction: TransactionRow,
  trigger: TransactionTrigger,
  completedAt: Date | null,
): TransactionRow | undefined {
  const status = next(transactionMachine, transaction.status, trigger)
  return status === undefined ? undefined : { ...transaction, status, completedAt }
}

/** Changes transactions that are locked, and writes those that differ afterwards. */
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
