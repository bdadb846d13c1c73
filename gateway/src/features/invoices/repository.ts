import type { Db, Tx } from '../../platform/db.ts'
import { listing } from '../../platform/listing.ts'
import { type CountedPage, type PageWanted, selectPage } from '../../platform/pages.ts'
import { sql } from '../../platform/sql.ts'
import { column, type Row, table } from '../../platform/table.ts'
import type { WantedSplit } from '../transactions/index.ts'

/** What an invoice has beyond its transaction. */
const invoices = table('invoice', ['merchantId', 'transactionId'], {
  merchantId: column<bigint>(),
  transactionId: column<bigint>(),
  createdBy: column<string>(),
  /** How it is split, as the merchant sent it. */
  sentSplits: column<readonly WantedSplit[]>(),
  /** Where to pay by transfer; null where transfers are not enabled. */
  bankCode: column<string | null>(),
  accountNumber: column<string | null>(),
  accountName: column<string | null>(),
})

export type InvoiceRow = Row<typeof invoices>

/** A merchant's invoices as a list. */
export const invoiceList = listing(invoices, { idsAre: 'transactions', id: 'transactionId' })

export const insertInvoice = (tx: Tx, row: InvoiceRow): void => invoices.insert(tx, [row])

/** What the invoice of a transaction has, where there is one. */
export const findInvoiceRow = (
  db: Db | Tx,
  merchantId: bigint,
  transactionId: bigint,
): Promise<InvoiceRow | undefined> => invoices.find(db, { merchantId, transactionId })

/** A page of a merchant's invoices, newest first. */
export const selectInvoiceRows = (db: Db, merchantId: bigint, wanted: PageWanted): Promise<CountedPage<InvoiceRow>> =>
  selectPage(db, invoices, sql`merchant_id = ${merchantId}`, wanted, { by: 'transactionId' })
