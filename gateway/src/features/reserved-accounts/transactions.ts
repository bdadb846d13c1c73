import type { Db } from '../../platform/postgres/db.ts'
import type { CountedPage, RequestedPage } from '../../platform/postgres/pagination.ts'
import { type Payment, type Transaction, transactionReads } from '../transactions/index.ts'
import { reservedAccountErrors } from './errors.ts'
import { findReservedAccount } from './repository.ts'

/** Returns a page of an account's transactions, newest first, each with its last payment. */
export async function listTransactions(
  db: Db,
  merchantId: bigint,
  accountReference: string,
  page: RequestedPage,
): Promise<CountedPage<Transaction> & { readonly lastPayments: ReadonlyMap<bigint, Payment> }> {
  const account = await findReservedAccount(db, merchantId, accountReference)
  if (account === undefined) throw reservedAccountErrors.unknown()
  const found = await transactionReads.search(db, merchantId, { reservedAccountId: account.id }, page)
  const payments = found.rows.length === 0 ? [] : await transactionReads.payments(db, found.rows)
  // The payments come oldest first, so the map keeps the last payment of each transaction.
  const lastPayments = new Map(payments.map((payment) => [payment.transactionId, payment]))
  return { ...found, lastPayments }
}
