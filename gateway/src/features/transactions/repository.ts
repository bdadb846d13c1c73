import type { CardDetails, PaymentStatus, ProductType } from '@kobo/contract'
import type { Static } from 'typebox'
import type { FeeTerms } from '../../core/pricing.ts'
import type { SettlementCycle } from '../../core/settlement-cycle/index.ts'
import type { IncomeSplit } from '../../core/splits.ts'
import { transactionIdOf } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx, updateProven } from '../../platform/db.ts'
import { type Fragment, sql } from '../../platform/sql.ts'

export interface TransactionRow extends FeeTerms {
  readonly merchantId: bigint
  readonly id: bigint
  readonly transactionReference: string
  readonly paymentReference: string
  readonly contractCode: string
  readonly status: PaymentStatus
  readonly amount: Kobo
  readonly payable: Kobo
  readonly currencyCode: string
  readonly paymentDescription: string | null
  readonly customerName: string | null
  readonly customerEmail: string
  readonly redirectUrl: string | null
  readonly paymentMethods: readonly string[]
  /** The parts of sub accounts as agreed; a later change of a sub account does not touch them. */
  readonly incomeSplitConfig: readonly IncomeSplit[] | null
  readonly metaData: Record<string, unknown>
  readonly productType: ProductType
  readonly productReference: string
  readonly underpayment: 'ACCEPT' | 'REJECT'
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly completedAt: Date | null
  readonly amountPaid: Kobo
  readonly fee: Kobo
  readonly paymentMethod: string | null
  readonly paidAt: Date | null
  /** Set where the transaction is an invoice's. */
  readonly invoiceReference: string | null
  readonly settlementCycle: SettlementCycle
  /** When what was paid falls due to be settled; null while nothing is, and once it has been. */
  readonly settlesAt: Date | null
  /** Set where the money came, or is to come, into a reserved account. */
  readonly reservedAccountId: bigint | null
}

/** By what means money may arrive. */
export type ReceivedBy = 'ACCOUNT_TRANSFER' | 'CARD' | 'DIRECT_DEBIT' | 'CASH'
/** What may be shown of a card. */
export type CardFacts = Static<typeof CardDetails>

/** Money that was kept for a transaction. */
export interface PaymentRow {
  readonly merchantId: bigint
  readonly id: bigint
  readonly transactionId: bigint
  readonly railReference: string
  readonly method: ReceivedBy
  readonly amount: Kobo
  readonly fee: Kobo
  readonly payerName: string | null
  readonly payerAccountNumber: string | null
  readonly payerBankCode: string | null
  readonly bankCode: string | null
  readonly accountNumber: string | null
  readonly card: CardFacts | null
  /** What sub accounts have of it, where it is split. */
  readonly splits: readonly SplitRow[] | null
  readonly receivedAt: Date
}

/** A sub account's part of a payment, in kobo. A remainder that shrinks takes some back. */
export interface SplitRow {
  readonly subAccountCode: string
  readonly share: number
  readonly fee: number
}

/** Money that went back. */
export interface RejectedPaymentRow extends Omit<PaymentRow, 'method' | 'fee' | 'card' | 'splits'> {
  readonly reason: string
}

const KEY = ['merchantId', 'id'] as const
export interface TransactionKey {
  readonly merchantId: bigint
  readonly id: bigint
}

/** What is written of a new transaction. What every one starts with is left to the columns' defaults. */
const FRESH = [
  'merchantId',
  'id',
  'transactionReference',
  'paymentReference',
  'contractCode',
  'amount',
  'payable',
  'currencyCode',
  'paymentDescription',
  'customerName',
  'customerEmail',
  'redirectUrl',
  'paymentMethods',
  'incomeSplitConfig',
  'metaData',
  'productType',
  'productReference',
  'feeBearer',
  'feeBasisPoints',
  'feeCap',
  'feeFlat',
  'underpayment',
  'createdAt',
  'expiresAt',
  'invoiceReference',
  'settlementCycle',
  'reservedAccountId',
] as const

/** Inserts transactions whose payment reference is new; answers whether all were. The unique index decides, not a question before. */
export async function insertTransactions(tx: Tx, rows: readonly TransactionRow[]): Promise<boolean> {
  const { count } = await tx`
    insert into transaction (
      merchant_id, id, transaction_reference, payment_reference, contract_code, amount, payable, currency_code,
      payment_description, customer_name, customer_email, redirect_url, payment_methods, income_split_config, meta_data,
      product_type, product_reference, fee_bearer, fee_basis_points, fee_cap, fee_flat, underpayment, created_at, expires_at,
      invoice_reference, settlement_cycle, reserved_account_id)
    select
      merchant_id, id, transaction_reference, payment_reference, contract_code, amount, payable, currency_code,
      payment_description, customer_name, customer_email, redirect_url, payment_methods, income_split_config, meta_data,
      product_type, product_reference, fee_bearer, fee_basis_points, fee_cap, fee_flat, underpayment, created_at, expires_at,
      invoice_reference, settlement_cycle, reserved_account_id
      from json_populate_recordset(null::transaction, ${rowSet(rows, FRESH)}::text::json)
        on conflict (merchant_id, payment_reference) do nothing`
  return count === rows.length
}

/** Inserts transactions that come with their money, as they are after it. */
export async function insertPaidTransactions(tx: Tx, rows: readonly TransactionRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`insert into transaction select * from json_populate_recordset(null::transaction, ${rowSet(rows)}::text::json)`
}

/** Which of these ids exist. */
export async function existingIds(db: Db, keys: readonly TransactionKey[]): Promise<ReadonlySet<bigint>> {
  const rows = await db<{ id: bigint }[]>`
    select t.id
      from json_to_recordset(${rowSet(keys, KEY)}::text::json) as k (merchant_id bigint, id bigint)
     cross join lateral (select id from transaction where merchant_id = k.merchant_id and id = k.id limit 1) t`
  return new Set(rows.map(({ id }) => id))
}

/** Locks transactions until the database transaction ends, in one order for all. */
export const lockTransactions = (tx: Tx, keys: readonly TransactionKey[]): Promise<TransactionRow[]> =>
  tx<TransactionRow[]>`
    select t.*
      from transaction t
     where (t.merchant_id, t.id) in (
       select merchant_id, id
         from json_to_recordset(${rowSet(keys, KEY)}::text::json) as k (merchant_id bigint, id bigint))
     order by t.merchant_id, t.id
       for update`

interface ReferenceKey {
  readonly merchantId: bigint
  readonly transactionReference: string
}

/** The same, by transaction reference. */
export const lockTransactionsByReference = async (tx: Tx, keys: readonly ReferenceKey[]): Promise<TransactionRow[]> =>
  withReferences(await lockTransactions(tx, keysOf(keys)), keys)

const keysOf = (keys: readonly ReferenceKey[]): readonly TransactionKey[] =>
  keys.flatMap(({ merchantId, transactionReference }) => {
    const id = transactionIdOf(transactionReference)
    return id === undefined ? [] : { merchantId, id }
  })

/** The id leaves out the prefix of the reference, so that is compared too. */
function withReferences<Row extends ReferenceKey>(rows: readonly Row[], keys: readonly ReferenceKey[]): Row[] {
  const references = new Set(keys.map(({ transactionReference }) => transactionReference))
  return rows.filter(({ transactionReference }) => references.has(transactionReference))
}

/** Locks transactions whose time is over and that nobody else is working on. */
export const lockDueTransactions = (tx: Tx, at: Date, limit: number): Promise<TransactionRow[]> =>
  tx<TransactionRow[]>`
    select t.*
      from transaction t
     where completed_at is null and expires_at <= ${at}
     order by expires_at
     limit ${limit}
       for update skip locked`

export async function nextTransactionDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<
    { due: Date | null }[]
  >`select min(expires_at) as due from transaction where completed_at is null`
  return row?.due ?? undefined
}

const CHANGING = [
  'merchantId',
  'id',
  'status',
  'completedAt',
  'amountPaid',
  'fee',
  'paymentMethod',
  'paidAt',
  'productType',
  'settlesAt',
] as const

const changing = (rows: readonly TransactionRow[]): Fragment => sql`
    update transaction t
       set status = c.status, completed_at = c.completed_at, amount_paid = c.amount_paid, fee = c.fee,
           payment_method = c.payment_method, paid_at = c.paid_at, product_type = c.product_type,
           settles_at = c.settles_at
      from json_populate_recordset(null::transaction, ${rowSet(rows, CHANGING)}::text::json) c
     where t.merchant_id = c.merchant_id and t.id = c.id`

/** Writes what may change of transactions. They are locked. */
export async function updateTransactions(tx: Tx, rows: readonly TransactionRow[]): Promise<void> {
  if (rows.length > 0) await tx`${changing(rows)}`
}

/**
 * The same for transactions that were read without a lock, open and without money. Where one no longer is, the database
 * transaction fails as outdated.
 */
export const updateUnpaid = (tx: Tx, rows: readonly TransactionRow[]): void =>
  updateProven(tx, rows.length, sql`${changing(rows)} and t.completed_at is null and t.amount_paid = 0`)

/** A place among the transactions that are to be settled. */
export type SettlingPlace = Pick<TransactionRow, 'settlesAt' | 'merchantId' | 'id'>

const SETTLING_LOCK = 20_260_307

/** Waits for whoever settles now and keeps others waiting until the transaction ends, so that a day is not cut into pieces. */
export async function lockSettlements(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${SETTLING_LOCK})`
}

/**
 * Locks transactions that fall due to be settled, those that nobody else is working on, in the order in which they do.
 * From a place on, so that what a run has done before is not read again.
 */
export const lockSettling = (
  tx: Tx,
  at: Date,
  after: SettlingPlace | undefined,
  limit: number,
): Promise<TransactionRow[]> =>
  tx<TransactionRow[]>`
    select t.*
      from transaction t
     where settles_at <= ${at}
       ${after === undefined ? sql`` : sql`and (settles_at, merchant_id, id) > (${after.settlesAt}, ${after.merchantId}, ${after.id})`}
     order by settles_at, merchant_id, id
     limit ${limit}
       for update skip locked`

/** Takes transactions off the list of those to be settled. */
export async function markSettled(tx: Tx, keys: readonly TransactionKey[]): Promise<void> {
  await tx`
    update transaction t
       set settles_at = null
      from json_to_recordset(${rowSet(keys, KEY)}::text::json) as k (merchant_id bigint, id bigint)
     where t.merchant_id = k.merchant_id and t.id = k.id`
}

/** When the next transaction falls due to be settled. */
export async function nextSettling(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    select min(settles_at) as due from transaction where settles_at is not null`
  return row?.due ?? undefined
}

export async function insertPayments(tx: Tx, rows: readonly PaymentRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`insert into payment select * from json_populate_recordset(null::payment, ${rowSet(rows)}::text::json)`
}

export async function insertRejectedPayments(tx: Tx, rows: readonly RejectedPaymentRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`insert into rejected_payment select * from json_populate_recordset(null::rejected_payment, ${rowSet(rows)}::text::json)`
}

/** What was decided before, by merchant and rail reference: null where the money was kept, else the reason it went back. */
export async function decidedBefore(
  tx: Tx,
  keys: readonly { readonly merchantId: bigint; readonly railReference: string }[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await tx<{ merchantId: bigint; railReference: string; reason: string | null }[]>`
    select merchant_id, rail_reference, decided.reason
      from json_to_recordset(${rowSet(keys)}::text::json) as k (merchant_id bigint, rail_reference text)
     cross join lateral (
       (select null as reason from payment p
         where p.merchant_id = k.merchant_id and p.rail_reference = k.rail_reference limit 1)
       union all
       (select reason from rejected_payment r
         where r.merchant_id = k.merchant_id and r.rail_reference = k.rail_reference limit 1)) decided`
  return new Map(rows.map(({ merchantId, railReference, reason }) => [`${merchantId} ${railReference}`, reason]))
}

/** Payments of some transactions, oldest first. */
export const selectPayments = (db: Db | Tx, keys: readonly TransactionKey[]): Promise<PaymentRow[]> =>
  db<PaymentRow[]>`
    select p.*
      from (select distinct merchant_id, id
              from json_to_recordset(${rowSet(keys, KEY)}::text::json) as k (merchant_id bigint, id bigint)) k
     cross join lateral (
       select * from payment where merchant_id = k.merchant_id and transaction_id = k.id offset 0) p
     order by p.id`

const hasReference = (transactionReference: string): Fragment =>
  sql`id = ${transactionIdOf(transactionReference) ?? null} and transaction_reference = ${transactionReference}`

type TransactionBy =
  | { readonly id: bigint }
  | { readonly transactionReference: string }
  | { readonly paymentReference: string }

/** Finds a transaction by its id or either of its references. */
export async function findTransaction(
  db: Db,
  merchantId: bigint,
  by: TransactionBy,
): Promise<TransactionRow | undefined> {
  const [row] = await db<TransactionRow[]>`select * from transaction where merchant_id = ${merchantId} and ${named(by)}`
  return row
}

/**
 * Whose transaction a reference is, for those who know nothing but the reference: payers. It asks each merchant's part of
 * the primary key, since an index of its own would be written with every payment and read once for most, or never.
 */
export async function findOwner(db: Db, transactionReference: string): Promise<bigint | undefined> {
  const id = transactionIdOf(transactionReference)
  if (id === undefined) return undefined
  const [row] = await db<{ merchantId: bigint }[]>`
    select t.merchant_id
      from merchant m
     cross join lateral (
       select merchant_id from transaction
        where merchant_id = m.id and id = ${id} and transaction_reference = ${transactionReference} limit 1) t
     limit 1`
  return row?.merchantId
}

/** How far a payment has come. */
export interface Progress extends TransactionKey {
  readonly status: PaymentStatus
  readonly amountPaid: Kobo
  readonly completedAt: Date | null
}

/** How far some payments have come. */
export const selectProgress = (db: Db, keys: readonly TransactionKey[]): Promise<Progress[]> =>
  db<Progress[]>`
    select t.*
      from json_to_recordset(${rowSet(keys, KEY)}::text::json) as k (merchant_id bigint, id bigint)
     cross join lateral (
       select merchant_id, id, status, amount_paid, completed_at
         from transaction where merchant_id = k.merchant_id and id = k.id limit 1) t`

function named(by: TransactionBy): Fragment {
  if ('id' in by) return sql`id = ${by.id}`
  return 'transactionReference' in by
    ? hasReference(by.transactionReference)
    : sql`payment_reference = ${by.paymentReference}`
}

export interface TransactionFilter {
  readonly reservedAccountId?: bigint | undefined
  readonly transactionReference?: string | undefined
  readonly paymentReference?: string | undefined
  readonly amount?: Kobo | undefined
  readonly fromAmount?: Kobo | undefined
  readonly toAmount?: Kobo | undefined
  readonly customerName?: string | undefined
  readonly customerEmail?: string | undefined
  readonly paymentStatus?: PaymentStatus | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

function matching(merchantId: bigint, filter: TransactionFilter): Fragment {
  const {
    reservedAccountId,
    transactionReference,
    paymentReference,
    amount,
    fromAmount,
    toAmount,
    customerName,
    customerEmail,
    paymentStatus,
    from,
    to,
  } = filter
  return sql`
    where merchant_id = ${merchantId}
      ${reservedAccountId === undefined ? sql`` : sql`and reserved_account_id = ${reservedAccountId}`}
      ${transactionReference === undefined ? sql`` : sql`and ${hasReference(transactionReference)}`}
      ${paymentReference === undefined ? sql`` : sql`and payment_reference = ${paymentReference}`}
      ${amount === undefined ? sql`` : sql`and amount = ${amount}`}
      ${fromAmount === undefined ? sql`` : sql`and amount >= ${fromAmount}`}
      ${toAmount === undefined ? sql`` : sql`and amount <= ${toAmount}`}
      ${customerName === undefined ? sql`` : sql`and customer_name ilike ${contains(customerName)}`}
      ${customerEmail === undefined ? sql`` : sql`and lower(customer_email) = lower(${customerEmail})`}
      ${paymentStatus === undefined ? sql`` : sql`and status = ${paymentStatus}`}
      ${from === undefined ? sql`` : sql`and created_at >= ${from}`}
      ${to === undefined ? sql`` : sql`and created_at <= ${to}`}`
}

/** A page of a merchant's transactions, newest first. */
export const selectTransactions = (
  db: Db,
  merchantId: bigint,
  filter: TransactionFilter,
  limit: number,
  offset: number,
): Promise<TransactionRow[]> =>
  db<TransactionRow[]>`
    select * from transaction ${matching(merchantId, filter)} order by id desc limit ${limit} offset ${offset}`

export async function countTransactions(db: Db, merchantId: bigint, filter: TransactionFilter): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from transaction ${matching(merchantId, filter)}`
  return Number(row?.count ?? 0n)
}
