import type { Db } from '../../platform/db.ts'
import type { CountedPage, PageWanted } from '../../platform/pages.ts'
import { type PaymentRow, searchTransactions, selectPayments, type TransactionRow } from '../transactions/index.ts'
import { reservedAccountErrors } from './errors.ts'
import { findReservedAccount } from './repository.ts'

/** A page of an account's transactions, newest first, each with the payment that came last. */
export async function listTransactions(
  db: Db,
  merchantId: bigint,
  accountReference: string,
  wanted: PageWanted,
): Promise<CountedPage<TransactionRow> & { readonly lastPayments: ReadonlyMap<bigint, PaymentRow> }> {
  const account = await findReservedAccount(db, merchantId, accountReference)
  if (account === undefined) throw reservedAccountErrors.unknown()
  const found = await searchTransactions(db, merchantId, { reservedAccountId: account.id }, wanted)
  const payments = found.rows.length === 0 ? [] : await selectPayments(db, found.rows)
  // Oldest first, so the last one of a transaction stays.
  const lastPayments = new Map(payments.map((payment) => [payment.transactionId, payment]))
  return { ...found, lastPayments }
}
