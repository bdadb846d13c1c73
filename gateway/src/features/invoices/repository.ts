import type { Db, Tx } from '../../platform/postgres/db.ts'
import { listing } from '../../platform/postgres/list-search.ts'
import { type CountedPage, type RequestedPage, selectPage } from '../../platform/postgres/pagination.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { RequestedSplit } from '../transactions/index.ts'

/** The columns of an invoice beyond its transaction. */
const invoices = table('invoice', ['merchantId', 'transactionId'], {
  merchantId: column<bigint>(),
  transactionId: column<bigint>(),
  createdBy: column<string>(),
  /** The splits as the merchant sent them. */
  sentSplits: column<readonly RequestedSplit[]>(),
  /** The account for transfers; null if transfers are not enabled. */
  bankCode: column<string | null>(),
  accountNumber: column<string | null>(),
  accountName: column<string | null>(),
})

export type InvoiceRow = Row<typeof invoices>

/** A merchant's invoices as a list. */
export const invoiceList = listing(invoices, { idsAre: 'transactions', id: 'transactionId' })

export const insertInvoice = (tx: Tx, row: InvoiceRow): void => invoices.insert(tx, [row])

/** The invoice of a transaction, if there is one. */
export const findInvoiceRow = (
  db: Db | Tx,
  merchantId: bigint,
  transactionId: bigint,
): Promise<InvoiceRow | undefined> => invoices.find(db, { merchantId, transactionId })

/** The newest of some transactions that have an invoice, with it. */
export const selectInvoicesOf = (
  db: Db,
  merchantId: bigint,
  transactionIds: readonly bigint[],
  limit: number,
): Promise<InvoiceRow[]> =>
  db<InvoiceRow[]>`
    select ${invoices.columns} from invoice
     where merchant_id = ${merchantId} and transaction_id = any(${transactionIds.map(String)}::bigint[])
     order by transaction_id desc
     limit ${limit}`

/** A page of a merchant's invoices, newest first. */
export const selectInvoiceRows = (db: Db, merchantId: bigint, page: RequestedPage): Promise<CountedPage<InvoiceRow>> =>
  selectPage(db, invoices, sql`merchant_id = ${merchantId}`, page, { by: 'transactionId' })
