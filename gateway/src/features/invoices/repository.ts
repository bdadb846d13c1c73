import { type Db, rowSet, type Tx } from '../../platform/db.ts'
import { sql } from '../../platform/sql.ts'
import type { NewTransaction, TransactionRow } from '../transactions/index.ts'

/** What an invoice has beyond its transaction. */
export interface InvoiceRow {
  readonly merchantId: bigint
  readonly transactionId: bigint
  readonly createdBy: string
  /** How it is split, as the merchant sent it. */
  readonly sentSplits: NewTransaction['incomeSplitConfig']
  /** Where to pay by transfer; null where transfers are not enabled. */
  readonly bankCode: string | null
  readonly accountNumber: string | null
  readonly accountName: string | null
}

/** An invoice: its transaction, and what it has beyond that. */
export type Invoice = TransactionRow & Omit<InvoiceRow, 'transactionId'>

export async function insertInvoice(tx: Tx, row: InvoiceRow): Promise<void> {
  await tx`insert into invoice select * from json_populate_recordset(null::invoice, ${rowSet([row])}::text::json)`
}

const INVOICE = sql`t.*, i.created_by, i.sent_splits, i.bank_code, i.account_number, i.account_name`

/** Finds an invoice. Its reference is the payment reference of its transaction, which is unique. */
export async function findInvoice(
  db: Db | Tx,
  merchantId: bigint,
  invoiceReference: string,
): Promise<Invoice | undefined> {
  const [row] = await db<Invoice[]>`
    select ${INVOICE}
      from transaction t
      join invoice i on i.merchant_id = t.merchant_id and i.transaction_id = t.id
     where t.merchant_id = ${merchantId} and t.payment_reference = ${invoiceReference}`
  return row
}

/** A page of a merchant's invoices, newest first. */
export const selectInvoices = (db: Db, merchantId: bigint, limit: number, offset: number): Promise<Invoice[]> =>
  db<Invoice[]>`
    select ${INVOICE}
      from (
        select * from invoice
         where merchant_id = ${merchantId}
         order by transaction_id desc limit ${limit} offset ${offset}) i
      join transaction t on t.merchant_id = i.merchant_id and t.id = i.transaction_id
     order by t.id desc`

export async function countInvoices(db: Db, merchantId: bigint): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from invoice where merchant_id = ${merchantId}`
  return Number(row?.count ?? 0n)
}
