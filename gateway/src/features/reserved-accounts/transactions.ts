import type { Db } from '../../platform/db.ts'
import { type PaymentRow, searchTransactions, selectPayments, type TransactionRow } from '../transactions/index.ts'
import { reservedAccountErrors } from './errors.ts'
import { findReservedAccount } from './repository.ts'

/** A page of an account's transactions, newest first, each with the payment that came last. */
export async function listTransactions(
  db: Db,
  merchantId: bigint,
  accountReference: string,
  wanted: { readonly page?: number | undefined; readonly size?: number | undefined },
): Promise<{
  rows: readonly TransactionRow[]
  lastPayments: ReadonlyMap<bigint, PaymentRow>
  total: number
  page: number
  size: number
}> {
  const account = await findReservedAccount(db, merchantId, accountReference)
  if (account === undefined) throw reservedAccountErrors.unknown()
  const found = await searchTransactions(db, merchantId, { reservedAccountId: account.id }, wanted)
  const payments = found.rows.length === 0 ? [] : await selectPayments(db, found.rows)
  // Oldest first, so the last one of a transaction stays.
  const lastPayments = new Map(payments.map((payment) => [payment.transactionId, payment]))
  return { ...found, lastPayments }
}
