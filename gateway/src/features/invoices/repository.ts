import { type Kobo, kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { listing } from '../../platform/postgres/list-search.ts'
import { type CountedPage, type RequestedPage, selectPage } from '../../platform/postgres/pagination.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { RequestedSplit, Transaction } from '../transactions/index.ts'

/** An item, with its price in kobo. */
interface StoredItem {
  readonly description: string
  readonly quantity: number
  readonly unitPrice: string
}

export interface InvoiceItem extends Omit<StoredItem, 'unitPrice'> {
  readonly unitPrice: Kobo
}

export const priceOf = ({ quantity, unitPrice }: InvoiceItem): Kobo => kobo(BigInt(quantity) * unitPrice)

/** Returns the items of an invoice; none if only its amount is known. */
export const itemsOf = ({ items }: Pick<InvoiceRow, 'items'>): readonly InvoiceItem[] =>
  (items ?? []).map((item) => ({ ...item, unitPrice: kobo(BigInt(item.unitPrice)) }))

/** Reads the items of the given invoices, by transaction. */
export async function selectItems(
  db: Db,
  transactions: readonly Pick<Transaction, 'merchantId' | 'id'>[],
): Promise<ReadonlyMap<bigint, readonly InvoiceItem[]>> {
  const keys = transactions.map(({ merchantId, id: transactionId }) => ({ merchantId, transactionId }))
  return new Map((await invoices.select(db, keys)).map((row) => [row.transactionId, itemsOf(row)]))
}

/** The fields of an invoice that its transaction does not have. */
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
  items: column<readonly StoredItem[] | null>('json'),
})

export type InvoiceRow = Row<typeof invoices>

export const invoiceList = listing(invoices, { idFormat: 'transaction', id: 'transactionId' })

export const insertInvoice = (tx: Tx, row: InvoiceRow): void => invoices.insert(tx, [row])

/** Finds the invoice of a transaction, if there is one. */
export const findInvoiceRow = (
  db: Db | Tx,
  merchantId: bigint,
  transactionId: bigint,
): Promise<InvoiceRow | undefined> => invoices.find(db, { merchantId, transactionId })

/** Reads the invoices of some transactions, newest first. */
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

/** Reads a page of a merchant's invoices, newest first. */
export const selectInvoiceRows = (db: Db, merchantId: bigint, page: RequestedPage): Promise<CountedPage<InvoiceRow>> =>
  selectPage(db, invoices, sql`merchant_id = ${merchantId}`, page, { by: 'transactionId' })
