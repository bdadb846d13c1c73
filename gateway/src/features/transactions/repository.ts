import type { PaymentStatus, ProductType } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { countOfStatus, markSweep, selectLongPage } from '../../core/list-index/index.ts'
import { EVERY_MERCHANT } from '../../core/merchants/index.ts'
import type { SettlementCycle } from '../../core/money/settlement-cycle/index.ts'
import type { IncomeSplit } from '../../core/money/splits.ts'
import type { FeeBearer, FeeStep } from '../../core/pricing/index.ts'
import { ofShard, type Shard } from '../../core/shards/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { firstTransactionIdAt, transactionIdOf } from '../../kernel/ids.ts'
import { type Kobo, ZERO } from '../../kernel/money.ts'
import { columnsOf, type Db, rowSet, type Tx } from '../../platform/postgres/db.ts'
import {
  type ListFilter,
  type Listing,
  type ListPage,
  listing,
  type PlaceInList,
} from '../../platform/postgres/list-search.ts'
import {
  type CountedPage,
  countRows,
  madeWithin,
  type RequestedPage,
  selectPage,
} from '../../platform/postgres/pagination.ts'
import { type Fragment, names, sql } from '../../platform/postgres/sql.ts'
import { column, type Key, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'

const transactions = table('transaction', ['merchantId', 'id'], {
  merchantId: column<bigint>('bigint'),
  id: column<bigint>('bigint'),
  transactionReference: column<string>('text'),
  paymentReference: column<string>('text'),
  contractCode: column<string>('text'),
  status: column<PaymentStatus>('text'),
  amount: column<Kobo>('bigint'),
  /** The amount due from the customer: with the fee if the customer bears it. */
  payable: column<Kobo>('bigint'),
  currencyCode: column<string>('text'),
  paymentDescription: column<string | null>('text'),
  customerName: column<string | null>('text'),
  customerEmail: column<string>('text'),
  redirectUrl: column<string | null>('text'),
  paymentMethods: column<readonly string[]>('text[]'),
  /** The agreed parts of sub accounts; a later change of a sub account does not affect them. */
  incomeSplitConfig: column<readonly IncomeSplit[] | null>('json'),
  metaData: column<Record<string, unknown>>('json'),
  productType: column<ProductType>('text'),
  productReference: column<string>('text'),
  /** The terms at the time of the request: a later change of the contract does not affect them. */
  feeBearer: column<FeeBearer>('text'),
  feeBasisPoints: column<number>('integer'),
  feeCap: column<Kobo | null>('bigint'),
  feeFlat: column<Kobo>('bigint'),
  /** All steps of a price that depends on the amount, because the amount paid decides the fee. */
  feeSteps: column<readonly FeeStep[] | null>('json'),
  underpayment: column<'ACCEPT' | 'REJECT'>('text'),
  createdAt: column<Date>('timestamptz'),
  expiresAt: column<Date>('timestamptz'),
  /** Set once it is final. */
  completedAt: column<Date | null>('timestamptz'),
  amountPaid: column<Kobo>('bigint'),
  fee: column<Kobo>('bigint'),
  paymentMethod: column<string | null>('text'),
  paidAt: column<Date | null>('timestamptz'),
  /** Set if the transaction belongs to an invoice. */
  invoiceReference: column<string | null>('text'),
  settlementCycle: column<SettlementCycle>('text'),
  /** When it is due to settle; null before anything is paid, and after settlement. */
  settlesAt: column<Date | null>('timestamptz'),
  /** Set if the money is paid into a reserved account. */
  reservedAccountId: column<bigint | null>('bigint'),
})

export type TransactionRow = Row<typeof transactions>

export const transactionList: Listing<TransactionRow> = listing(transactions, {
  idFormat: 'transaction',
  status: 'status',
  method: 'paymentMethod',
  amount: 'amount',
  customer: { email: 'customerEmail', name: 'customerName' },
  reference: 'paymentReference',
})
export type TransactionKey = Key<typeof transactions>

/** A merchant's customers as a list: the newest transaction of each. */
export const payerList: Listing<TransactionRow> = listing(transactions, {
  idFormat: 'transaction',
  customer: { email: 'customerEmail', name: 'customerName' },
  isPerCustomer: true,
})

/** Finds which of the email addresses, given in lower case, have transactions. */
export async function findPayers(db: Db, merchantId: bigint, emails: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db<{ email: string }[]>`
    select k.email
      from unnest(${emails}::text[]) as k (email)
     where (
       select true from transaction t
        where t.merchant_id = ${merchantId} and lower(t.customer_email) = k.email
        order by t.id limit 1)` // ordered, so that PostgreSQL uses the index even if a shop has few addresses
  return new Set(rows.map(({ email }) => email))
}

/** Returns the ids of a customer's newest transactions, newest first. */
export async function selectIdsOfPayer(
  db: Db,
  merchantId: bigint,
  customerEmail: string,
  limit: number,
): Promise<readonly bigint[]> {
  const rows = await db<{ id: bigint }[]>`
    select id from transaction
     where merchant_id = ${merchantId} and lower(customer_email) = lower(${customerEmail})
     order by id desc
     limit ${limit}`
  return rows.map(({ id }) => id)
}

export const transactionsInReservedAccount = (
  db: Db,
  { merchantId, id }: { readonly merchantId: bigint; readonly id: bigint },
  filter: ListFilter,
  place: PlaceInList,
): Promise<ListPage<TransactionRow>> => transactionList(db, merchantId, filter, place, sql`reserved_account_id = ${id}`)

/** Lists those of the given transactions that match a filter. */
export const transactionsOf = (
  db: Db,
  merchantId: bigint,
  ids: readonly bigint[],
  filter: ListFilter,
  place: PlaceInList,
): Promise<ListPage<TransactionRow>> =>
  transactionList(db, merchantId, filter, place, sql`id = any(${ids.map(String)}::bigint[])`)

/** Counts those of the given transactions that were paid, and adds up the amounts paid. */
export async function sumPaid(
  db: Db,
  merchantId: bigint,
  ids: readonly bigint[],
): Promise<{ readonly count: number; readonly amount: Kobo }> {
  const [row] = await db<{ count: number; amount: Kobo }[]>`
    select count(*)::integer as count, coalesce(sum(amount_paid), 0)::bigint as amount
      from transaction
     where merchant_id = ${merchantId} and id = any(${ids.map(String)}::bigint[]) and amount_paid > 0`
  return row ?? { count: 0, amount: ZERO }
}

/** A reserved account and a span of time in which transactions were opened. */
interface InReservedAccount {
  readonly merchantId: bigint
  readonly id: bigint
  readonly from: Date
  readonly before: Date
}

const paidInto = ({ id, from, before }: InReservedAccount): Fragment => sql`
  reserved_account_id = ${id}
  and id >= ${firstTransactionIdAt(from)} and id < ${firstTransactionIdAt(before)} and amount_paid > 0`

/** Returns the newest paid transactions of a reserved account in a span of time, newest first. */
export const selectPaidInto = (db: Db, span: InReservedAccount, limit: number): Promise<TransactionRow[]> =>
  db<TransactionRow[]>`
    select ${transactions.columns} from transaction
     where merchant_id = ${span.merchantId} and ${paidInto(span)} order by id desc limit ${limit}`

/** Counts the paid transactions of a reserved account in a span of time, and adds up the amounts paid. */
export async function sumPaidInto(
  db: Db,
  span: InReservedAccount,
): Promise<{ readonly count: number; readonly amount: Kobo }> {
  const [row] = await db<{ count: number; amount: Kobo }[]>`
    select count(*)::integer as count, coalesce(sum(amount_paid), 0)::bigint as amount
      from transaction
     where merchant_id = ${span.merchantId} and ${paidInto(span)}`
  return row ?? { count: 0, amount: ZERO }
}

const KEY = ['merchantId', 'id'] as const

/** Turns keys into a table to select from. */
function keySet(keys: readonly TransactionKey[]): Fragment {
  const { merchantId, id } = columnsOf(keys, ...KEY)
  return sql`unnest(${merchantId}::bigint[], ${id}::bigint[]) as k (merchant_id, id)`
}

/** The columns written for a new transaction. The others start with their defaults. */
const FRESH = transactions.except('status', 'completedAt', 'amountPaid', 'fee', 'paymentMethod', 'paidAt', 'settlesAt')

/**
 * Inserts the transactions whose payment reference is new; returns whether all were. The unique index decides, so no
 * query is needed before.
 */
export const insertTransactions = async (tx: Tx, rows: readonly TransactionRow[]): Promise<boolean> =>
  (await transactions.insertNew(tx, rows, sql`(merchant_id, payment_reference)`, FRESH)) === rows.length

/** Inserts transactions that are created by their payment. */
export const insertPaidTransactions = (tx: Tx, rows: readonly TransactionRow[]): void => transactions.insert(tx, rows)

export async function existingIds(db: Db, keys: readonly TransactionKey[]): Promise<ReadonlySet<bigint>> {
  const rows = await db<{ id: bigint }[]>`
    select t.id from ${keySet(keys)} cross join lateral ${rowOfKey(keys, sql`id`)} t`
  return new Set(rows.map(({ id }) => id))
}

/** Selects the row of a key `k`. In this form, PostgreSQL can look it up only by the primary key. */
const rowOfKey = (keys: readonly TransactionKey[], columns: Fragment): Fragment =>
  sql`(select ${columns} from transaction t where ${ofMerchants('t', keys)} and t.merchant_id = k.merchant_id and t.id = k.id limit 1)`

/**
 * Returns a subquery to join. Its `is_open` says whether the transaction whose id is in the given column accepts money
 * at the given time.
 */
export const isOpen = (of: readonly object[], alias: string, transactionId: string, at: Date): Fragment => sql`(
       select completed_at is null and expires_at > ${at} as is_open
         from transaction
        where ${ofMerchants('transaction', of)} and merchant_id = ${names(alias)}.merchant_id and id = ${names(alias)}.${names(transactionId)} limit 1)`

/** Locks transactions until the database transaction ends, always in the same order. */
export async function lockTransactions(tx: Tx, keys: readonly TransactionKey[]): Promise<TransactionRow[]> {
  if (keys.length === 0) return []
  return tx<TransactionRow[]>`
    select ${transactions.of('t')}
      from transaction t
     where ${ofMerchants('t', keys)} and (t.merchant_id, t.id) in (select merchant_id, id from ${keySet(keys)})
     order by t.merchant_id, t.id
       for update`
}

/** The transaction reference, as merchants and payers know it. */
export interface ReferenceKey {
  readonly merchantId: bigint
  readonly transactionReference: string
}

export const lockTransactionsByReference = async (tx: Tx, keys: readonly ReferenceKey[]): Promise<TransactionRow[]> =>
  withReferences(await lockTransactions(tx, keysOf(keys)), keys)

const keysOf = (keys: readonly ReferenceKey[]): readonly TransactionKey[] =>
  keys.flatMap(({ merchantId, transactionReference }) => {
    const id = transactionIdOf(transactionReference)
    return id === undefined ? [] : { merchantId, id }
  })

/** Drops rows whose reference has another prefix, because the id has everything of the reference but its prefix. */
function withReferences<Row extends ReferenceKey>(rows: readonly Row[], keys: readonly ReferenceKey[]): Row[] {
  const references = new Set(keys.map(({ transactionReference }) => transactionReference))
  return rows.filter(({ transactionReference }) => references.has(transactionReference))
}

/** Locks expired transactions that no other process is working on. */
export const lockExpiredTransactions = (tx: Tx, shard: Shard, at: Date, limit: number): Promise<TransactionRow[]> =>
  tx<TransactionRow[]>`
    select ${transactions.columns}
      from transaction t
     where ${ofShard(shard, 't')} and completed_at is null and expires_at <= ${at}
     order by expires_at
     limit ${limit}
       for update skip locked`

const CHANGING = [
  'status',
  'completedAt',
  'amountPaid',
  'fee',
  'paymentMethod',
  'paidAt',
  'productType',
  'settlesAt',
] as const

/** Writes the columns that may change. The caller has locked the rows. */
export const updateTransactions = (tx: Tx, rows: readonly TransactionRow[]): void =>
  transactions.update(tx, rows, CHANGING)

/**
 * Writes the columns that may change, for transactions that were read without a lock while open and unpaid. If one is
 * no longer open and unpaid, the database transaction fails as outdated.
 */
export const updateUnpaid = (tx: Tx, rows: readonly TransactionRow[]): void =>
  transactions.updateUnchanged(tx, rows, CHANGING, sql`t.completed_at is null and t.amount_paid = 0`)

/** A position in the list of transactions due to settle. */
export type SettlingPlace = Pick<TransactionRow, 'settlesAt' | 'merchantId' | 'id'>

/**
 * Locks transactions due to settle that no other process is working on, in order of their due time. Starts after a
 * given position, so that a run does not read its settled rows again.
 */
export const lockDueToSettle = (
  tx: Tx,
  shard: Shard,
  at: Date,
  after: SettlingPlace | undefined,
  limit: number,
): Promise<TransactionRow[]> =>
  tx<TransactionRow[]>`
    select ${transactions.columns}
      from transaction t
     where ${ofShard(shard, 't')} and settles_at <= ${at}
       ${after === undefined ? sql`` : sql`and (settles_at, merchant_id, id) > (${after.settlesAt}, ${after.merchantId}, ${after.id})`}
     order by settles_at, merchant_id, id
     limit ${limit}
       for update skip locked`

/** Removes transactions from the list of those due to settle. */
export function setSettled(tx: Tx, keys: readonly TransactionKey[]): void {
  if (keys.length === 0) return
  void tx`
    update transaction t
       set settles_at = null
      from ${keySet(keys)}
     where ${ofMerchants('t', keys)} and t.merchant_id = k.merchant_id and t.id = k.id`
}

export async function nextDueToSettle(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    select min(settles_at) as due
      from transaction -- over all merchants: what is due
     where settles_at is not null`
  return row?.due ?? undefined
}

/** Returns when a merchant's next transactions settle, and the amount paid in them less our fees. */
export async function findNextSettlement(
  db: Db,
  merchantId: bigint,
): Promise<{ readonly settlesAt: Date; readonly amount: Kobo } | undefined> {
  const [row] = await db<{ settlesAt: Date; amount: Kobo }[]>`
    select settles_at, sum(amount_paid - fee)::bigint as amount
      from transaction
     where merchant_id = ${merchantId}
       and settles_at = (select min(settles_at) from transaction where merchant_id = ${merchantId} and settles_at is not null)
     group by settles_at`
  return row
}

type TransactionBy =
  | { readonly id: bigint }
  | { readonly transactionReference: string }
  | { readonly paymentReference: string }

/** Finds a transaction by its id or either of its references. */
export async function findTransaction(
  db: Db | Tx,
  merchantId: bigint,
  by: TransactionBy,
): Promise<TransactionRow | undefined> {
  const [row] = await db<TransactionRow[]>`
    select ${transactions.columns} from transaction where merchant_id = ${merchantId} and ${isNamed(by)}`
  return row
}

function isNamed(by: TransactionBy): Fragment {
  if ('id' in by) return sql`id = ${by.id}`
  return 'transactionReference' in by
    ? hasReference(by.transactionReference)
    : sql`payment_reference = ${by.paymentReference}`
}

const hasReference = (transactionReference: string): Fragment =>
  sql`id = ${transactionIdOf(transactionReference) ?? null} and transaction_reference = ${transactionReference}`

/** Reads transactions without a lock. Unknown ones are left out. */
export async function readTransactions(db: Db | Tx, keys: readonly TransactionKey[]): Promise<TransactionRow[]> {
  if (keys.length === 0) return []
  return db<TransactionRow[]>`
    select ${transactions.of('t')} from ${keySet(keys)} cross join lateral ${rowOfKey(keys, transactions.columns)} t`
}

/** Reads transactions by their transaction references, without a lock. */
export const readTransactionsByReference = async (
  db: Db,
  keys: readonly ReferenceKey[],
): Promise<readonly TransactionRow[]> => withReferences(await readTransactions(db, keysOf(keys)), keys)

/**
 * Finds the merchant of a transaction reference, since payers know only the reference. The query searches each
 * merchant's part of the primary key. A separate index would cost a write per payment and be read once or never.
 */
export async function findMerchantOf(db: Db, transactionReference: string): Promise<bigint | undefined> {
  const id = transactionIdOf(transactionReference)
  if (id === undefined) return undefined
  const [row] = await db<{ merchantId: bigint }[]>`
    -- over all merchants: who owns a reference
    select t.merchant_id
      from ${EVERY_MERCHANT} m
      join transaction t on t.merchant_id = m.id and t.id = ${id} and t.transaction_reference = ${transactionReference}
     limit 1`
  return row?.merchantId
}

/** The maximum number of transactions found by one payment reference, which several merchants may use. */
const NAMESAKES_MAX = 20

/** Finds the transactions of all merchants with a payment reference, in each merchant's part of the index. */
export const findNamesakes = (db: Db, paymentReference: string): Promise<TransactionRow[]> =>
  db<TransactionRow[]>`
    -- over all merchants: who owns a reference
    select ${transactions.of('t')}
      from ${EVERY_MERCHANT} m
      join transaction t on t.merchant_id = m.id and t.payment_reference = ${paymentReference}
     limit ${NAMESAKES_MAX}`

/** Outcomes of the transactions that were opened in one hour. */
export interface HourOfTransactions {
  readonly merchantId: bigint
  readonly hour: Date
  readonly status: PaymentStatus
  /** Whether they can still change. */
  readonly isOpen: boolean
  /** The payment method; empty if unpaid. */
  readonly method: string
  readonly count: bigint
  readonly amount: Kobo
}

/** A period to sum transactions over. */
export interface Hours {
  readonly merchantId: bigint
  readonly from: Date
  /** The end of the period, exclusive. */
  readonly to: Date
}

/** Counts the outcomes of transactions, by the hour in which they were opened. */
export async function sumOutcomes(db: Db | Tx, requested: readonly Hours[]): Promise<HourOfTransactions[]> {
  if (requested.length === 0) return []
  const ranges = requested.map(({ merchantId, from, to }) => ({
    merchantId,
    first: firstTransactionIdAt(from),
    end: firstTransactionIdAt(to),
  }))
  // The id holds the seconds since 2024 above 27 further bits.
  return db<HourOfTransactions[]>`
    select t.merchant_id, timestamptz '2024-01-01T00:00:00Z' + ((t.id >> 27) / 3600) * interval '1 hour' as hour,
           t.status, t.completed_at is null as is_open, coalesce(t.payment_method, '') as method,
           count(*) as count, sum(t.amount_paid)::bigint as amount
      from json_to_recordset(${rowSet(ranges)}::text::json) as k (merchant_id bigint, first bigint, "end" bigint)
     cross join lateral (
       select merchant_id, id, status, completed_at, payment_method, amount_paid from transaction t
        where ${ofMerchants('t', ranges)} and t.merchant_id = k.merchant_id and t.id >= k.first and t.id < k."end" offset 0) t
     group by 1, 2, 3, 4, 5`
}

/** The progress of a payment. */
export type Progress = Pick<TransactionRow, 'merchantId' | 'id' | 'status' | 'amountPaid' | 'completedAt'>

export const selectProgress = (db: Db, keys: readonly TransactionKey[]): Promise<Progress[]> =>
  db<Progress[]>`
    select t.merchant_id, t.id, t.status, t.amount_paid, t.completed_at
      from ${keySet(keys)} cross join lateral ${rowOfKey(keys, transactions.columns)} t`

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

/** Returns a condition that applies only if its value is given. */
const given = <Value>(value: Value | undefined, condition: (value: Value) => Fragment): Fragment =>
  value === undefined ? sql`` : sql`and ${condition(value)}`

const matching = (merchantId: bigint, filter: TransactionFilter): Fragment => sql`
          merchant_id = ${merchantId}
      ${given(filter.reservedAccountId, (id) => sql`reserved_account_id = ${id}`)}
      ${given(filter.transactionReference, hasReference)}
      ${given(filter.paymentReference, (reference) => sql`payment_reference = ${reference}`)}
      ${given(filter.amount, (amount) => sql`amount = ${amount}`)}
      ${given(filter.fromAmount, (amount) => sql`amount >= ${amount}`)}
      ${given(filter.toAmount, (amount) => sql`amount <= ${amount}`)}
      ${given(filter.customerEmail, (email) => sql`lower(customer_email) = lower(${email})`)}
      ${given(filter.customerName, (name) => sql`customer_name ilike ${contains(name)}`)}
      ${given(filter.paymentStatus, (status) => sql`status = ${status}`)}
      and ${madeWithin(filter, 'transaction')}`

const isEmpty = (filter: TransactionFilter): boolean => Object.values(filter).every((value) => value === undefined)

/** Counts a merchant's transactions that match a filter. A count by status alone uses the list index. */
export async function countTransactions(
  db: Db,
  merchantId: bigint,
  filter: TransactionFilter,
  condition?: Fragment,
): Promise<number> {
  const { paymentStatus, ...others } = filter
  return paymentStatus !== undefined && isEmpty(others)
    ? countOfStatus(db, transactions, merchantId, paymentStatus)
    : countRows(db, transactions, condition ?? matching(merchantId, filter))
}

/** Returns a page of a merchant's transactions, newest first. */
export async function searchTransactions(
  db: Db,
  merchantId: bigint,
  filter: TransactionFilter,
  page: RequestedPage,
): Promise<CountedPage<TransactionRow>> {
  if (isEmpty(filter)) return selectLongPage(db, transactions, merchantId, page)
  const condition = matching(merchantId, filter)
  const count = () => countTransactions(db, merchantId, filter, condition)
  return selectPage(db, transactions, condition, page, {}, count)
}

/** Builds the list index of all transactions. */
export const transactionIndexSweep = (core: Core): Sweep => markSweep(core, transactions, firstTransactionIdAt)

/** Expires all open transactions of a merchant now. */
export function expireAll(tx: Tx, merchantId: bigint, at: Date): void {
  void tx`
    update transaction set expires_at = ${at}
     where merchant_id = ${merchantId} and completed_at is null and expires_at > ${at}`
}
