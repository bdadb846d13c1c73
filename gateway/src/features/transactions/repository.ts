import type { PaymentStatus, ProductType } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { countOfStatus, isOfRareCustomer, markSweep, selectLongPage } from '../../core/list-marks/index.ts'
import { EVERY_MERCHANT } from '../../core/merchants/index.ts'
import type { FeeBearer } from '../../core/money/pricing/index.ts'
import type { SettlementCycle } from '../../core/money/settlement-cycle/index.ts'
import type { IncomeSplit } from '../../core/money/splits.ts'
import { ofShard, type Shard } from '../../core/shards/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { firstTransactionIdAt, transactionIdOf } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../platform/db.ts'
import { type ListFilter, type Listing, type ListPage, listing, type PlaceInList } from '../../platform/listing.ts'
import { type CountedPage, countRows, madeWithin, type PageWanted, selectPage } from '../../platform/pages.ts'
import { type Fragment, names, sql } from '../../platform/sql.ts'
import { column, type Key, ofMerchants, type Row, table } from '../../platform/table.ts'

const transactions = table('transaction', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  transactionReference: column<string>(),
  paymentReference: column<string>(),
  contractCode: column<string>(),
  status: column<PaymentStatus>(),
  amount: column<Kobo>(),
  /** What the customer is to pay: the amount, and the fee where the customer bears it. */
  payable: column<Kobo>(),
  currencyCode: column<string>(),
  paymentDescription: column<string | null>(),
  customerName: column<string | null>(),
  customerEmail: column<string>(),
  redirectUrl: column<string | null>(),
  paymentMethods: column<readonly string[]>(),
  /** The parts of sub accounts as agreed; a later change of a sub account does not touch them. */
  incomeSplitConfig: column<readonly IncomeSplit[] | null>(),
  metaData: column<Record<string, unknown>>(),
  productType: column<ProductType>(),
  productReference: column<string>(),
  /** The terms at the time of the request: a later change of the contract does not touch them. */
  feeBearer: column<FeeBearer>(),
  feeBasisPoints: column<number>(),
  feeCap: column<Kobo | null>(),
  feeFlat: column<Kobo>(),
  underpayment: column<'ACCEPT' | 'REJECT'>(),
  createdAt: column<Date>(),
  expiresAt: column<Date>(),
  /** Set when nothing more can happen to it. */
  completedAt: column<Date | null>(),
  amountPaid: column<Kobo>(),
  fee: column<Kobo>(),
  paymentMethod: column<string | null>(),
  paidAt: column<Date | null>(),
  /** Set where the transaction is an invoice's. */
  invoiceReference: column<string | null>(),
  settlementCycle: column<SettlementCycle>(),
  /** When what was paid falls due to be settled; null while nothing is, and once it has been. */
  settlesAt: column<Date | null>(),
  /** Set where the money came, or is to come, into a reserved account. */
  reservedAccountId: column<bigint | null>(),
})

export type TransactionRow = Row<typeof transactions>

const listed = listing(transactions, {
  idsAre: 'transactions',
  status: 'status',
  method: 'paymentMethod',
  amount: 'amount',
  customer: { email: 'customerEmail', name: 'customerName' },
})
export type TransactionKey = Key<typeof transactions>

/** So many new transactions are looked at for a customer's at once; where there are more, the list is searched back in steps. */
const NEW_ROWS_MAX = 50_000

/** A merchant's transactions as a list. Those of a customer who is rare are found however far back they are. */
export const transactionList: Listing<TransactionRow> = async (db, merchantId, filter, place, scope = sql`true`) => {
  const { customer } = filter
  const isTheirs = customer?.includes('@')
    ? await isOfRareCustomer(db, transactions, merchantId, customer, NEW_ROWS_MAX)
    : undefined
  return listed(db, merchantId, filter, place, isTheirs === undefined ? scope : sql`${scope} and ${isTheirs}`)
}

/** The transactions of a reserved account as a list. */
export const transactionsInReservedAccount = (
  db: Db,
  { merchantId, id }: { readonly merchantId: bigint; readonly id: bigint },
  filter: ListFilter,
  place: PlaceInList,
): Promise<ListPage<TransactionRow>> => transactionList(db, merchantId, filter, place, sql`reserved_account_id = ${id}`)

const KEY = ['merchantId', 'id'] as const

/** Keys as something to select from. */
const keySet = (keys: readonly TransactionKey[]): Fragment =>
  sql`json_to_recordset(${rowSet(keys, KEY)}::text::json) as k (merchant_id bigint, id bigint)`

/** What is written of a new transaction. What every one starts with is left to the columns' defaults. */
const FRESH = transactions.except('status', 'completedAt', 'amountPaid', 'fee', 'paymentMethod', 'paidAt', 'settlesAt')

/** Inserts transactions whose payment reference is new; answers whether all were. The unique index decides, not a question before. */
export const insertTransactions = async (tx: Tx, rows: readonly TransactionRow[]): Promise<boolean> =>
  (await transactions.insertNew(tx, rows, sql`(merchant_id, payment_reference)`, FRESH)) === rows.length

/** Inserts transactions that come with their money, as they are after it. */
export const insertPaidTransactions = (tx: Tx, rows: readonly TransactionRow[]): void => transactions.insert(tx, rows)

/** Which of these ids exist. */
export async function existingIds(db: Db, keys: readonly TransactionKey[]): Promise<ReadonlySet<bigint>> {
  const rows = await db<{ id: bigint }[]>`
    select t.id from ${keySet(keys)} cross join lateral ${named(keys, sql`id`)} t`
  return new Set(rows.map(({ id }) => id))
}

/** The row that a key `k` of a set names: for which there is only one good plan. */
const named = (keys: readonly TransactionKey[], columns: Fragment): Fragment =>
  sql`(select ${columns} from transaction t where ${ofMerchants('t', keys)} and t.merchant_id = k.merchant_id and t.id = k.id limit 1)`

/**
 * Whether the transaction that a row of a set, with an alias, names by one of its columns takes money at a time, as `is_open`: to be
 * joined where a statement must see that as it is then.
 */
export const isOpen = (of: readonly object[], alias: string, transactionId: string, at: Date): Fragment => sql`(
       select completed_at is null and expires_at > ${at} as is_open
         from transaction
        where ${ofMerchants('transaction', of)} and merchant_id = ${names(alias)}.merchant_id and id = ${names(alias)}.${names(transactionId)} limit 1)`

/** Locks transactions until the database transaction ends, in one order for all. */
export async function lockTransactions(tx: Tx, keys: readonly TransactionKey[]): Promise<TransactionRow[]> {
  if (keys.length === 0) return []
  return tx<TransactionRow[]>`
    select ${transactions.of('t')}
      from transaction t
     where ${ofMerchants('t', keys)} and (t.merchant_id, t.id) in (select merchant_id, id from ${keySet(keys)})
     order by t.merchant_id, t.id
       for update`
}

/** Names a transaction as its merchant and its payers do. */
export interface ReferenceKey {
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

/** Writes what may change of transactions. They are locked. */
export const updateTransactions = (tx: Tx, rows: readonly TransactionRow[]): void =>
  transactions.update(tx, rows, CHANGING)

/**
 * The same for transactions that were read without a lock, open and without money. Where one no longer is, the database
 * transaction fails as outdated.
 */
export const updateUnpaid = (tx: Tx, rows: readonly TransactionRow[]): void =>
  transactions.updateUnchanged(tx, rows, CHANGING, sql`t.completed_at is null and t.amount_paid = 0`)

/** A place among the transactions that are to be settled. */
export type SettlingPlace = Pick<TransactionRow, 'settlesAt' | 'merchantId' | 'id'>

/**
 * Locks transactions that fall due to be settled, those that nobody else is working on, in the order in which they do.
 * From a place on, so that what a run has done before is not read again.
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

/** Takes transactions off the list of those to be settled. */
export function setSettled(tx: Tx, keys: readonly TransactionKey[]): void {
  if (keys.length === 0) return
  void tx`
    update transaction t
       set settles_at = null
      from ${keySet(keys)}
     where ${ofMerchants('t', keys)} and t.merchant_id = k.merchant_id and t.id = k.id`
}

/** When the next transaction falls due to be settled. */
export async function nextDueToSettle(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    select min(settles_at) as due
      from transaction -- over all merchants: what is due
     where settles_at is not null`
  return row?.due ?? undefined
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

/** Reads transactions without a lock. Those that do not exist are left out. */
export async function readTransactions(db: Db | Tx, keys: readonly TransactionKey[]): Promise<TransactionRow[]> {
  if (keys.length === 0) return []
  return db<TransactionRow[]>`
    select ${transactions.of('t')} from ${keySet(keys)} cross join lateral ${named(keys, transactions.columns)} t`
}

/** The same, by transaction reference. */
export const readTransactionsByReference = async (
  db: Db,
  keys: readonly ReferenceKey[],
): Promise<readonly TransactionRow[]> => withReferences(await readTransactions(db, keysOf(keys)), keys)

/**
 * Whose transaction a reference is, for those who know nothing but the reference: payers. It asks each merchant's part of
 * the primary key, since an index of its own would be written with every payment and read once for most, or never.
 */
export async function findOwner(db: Db, transactionReference: string): Promise<bigint | undefined> {
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

/** What became of the transactions that were asked for in one hour. */
export interface HourOfTransactions {
  readonly merchantId: bigint
  readonly hour: Date
  readonly status: PaymentStatus
  /** Whether something may still become of them. */
  readonly isOpen: boolean
  /** How they were paid; empty where they were not. */
  readonly method: string
  readonly count: bigint
  readonly amount: Kobo
}

/** A time of which the transactions are summed up. */
export interface Hours {
  readonly merchantId: bigint
  readonly from: Date
  /** Without this moment. */
  readonly to: Date
}

/** What became of transactions, by the hour in which they were asked for. */
export async function sumOutcomes(db: Db | Tx, wanted: readonly Hours[]): Promise<HourOfTransactions[]> {
  if (wanted.length === 0) return []
  const ranges = wanted.map(({ merchantId, from, to }) => ({
    merchantId,
    first: firstTransactionIdAt(from),
    end: firstTransactionIdAt(to),
  }))
  // The seconds since 2024 stand in the id, behind 27 further bits.
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

/** How far a payment has come. */
export type Progress = Pick<TransactionRow, 'merchantId' | 'id' | 'status' | 'amountPaid' | 'completedAt'>

/** How far some payments have come. */
export const selectProgress = (db: Db, keys: readonly TransactionKey[]): Promise<Progress[]> =>
  db<Progress[]>`
    select t.merchant_id, t.id, t.status, t.amount_paid, t.completed_at
      from ${keySet(keys)} cross join lateral ${named(keys, transactions.columns)} t`

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

/** A condition that holds only where its value is given. */
const given = <Value>(value: Value | undefined, condition: (value: Value) => Fragment): Fragment =>
  value === undefined ? sql`` : sql`and ${condition(value)}`

const isOfCustomer = async (db: Db, merchantId: bigint, email: string): Promise<Fragment> =>
  (await isOfRareCustomer(db, transactions, merchantId, email)) ?? sql`lower(customer_email) = lower(${email})`

const matching = async (db: Db, merchantId: bigint, filter: TransactionFilter): Promise<Fragment> => sql`
          merchant_id = ${merchantId}
      ${filter.customerEmail === undefined ? sql`` : sql`and ${await isOfCustomer(db, merchantId, filter.customerEmail)}`}
      ${given(filter.reservedAccountId, (id) => sql`reserved_account_id = ${id}`)}
      ${given(filter.transactionReference, hasReference)}
      ${given(filter.paymentReference, (reference) => sql`payment_reference = ${reference}`)}
      ${given(filter.amount, (amount) => sql`amount = ${amount}`)}
      ${given(filter.fromAmount, (amount) => sql`amount >= ${amount}`)}
      ${given(filter.toAmount, (amount) => sql`amount <= ${amount}`)}
      ${given(filter.customerName, (name) => sql`customer_name ilike ${contains(name)}`)}
      ${given(filter.paymentStatus, (status) => sql`status = ${status}`)}
      and ${madeWithin(filter, 'transactions')}`

const isEmpty = (filter: TransactionFilter): boolean => Object.values(filter).every((value) => value === undefined)

/** How many transactions of a merchant a filter picks. By their status alone they are counted from marks. */
export async function countTransactions(
  db: Db,
  merchantId: bigint,
  filter: TransactionFilter,
  condition?: Fragment,
): Promise<number> {
  const { paymentStatus, ...others } = filter
  return paymentStatus !== undefined && isEmpty(others)
    ? countOfStatus(db, transactions, merchantId, paymentStatus)
    : countRows(db, transactions, condition ?? (await matching(db, merchantId, filter)))
}

/** A page of a merchant's transactions, newest first. */
export async function searchTransactions(
  db: Db,
  merchantId: bigint,
  filter: TransactionFilter,
  wanted: PageWanted,
): Promise<CountedPage<TransactionRow>> {
  if (isEmpty(filter)) return selectLongPage(db, transactions, merchantId, wanted)
  const condition = await matching(db, merchantId, filter)
  const count = () => countTransactions(db, merchantId, filter, condition)
  return selectPage(db, transactions, condition, wanted, {}, count)
}

/** Sets marks in the list of all transactions. */
export const transactionMarks = (core: Core): Sweep => markSweep(core, transactions, firstTransactionIdAt)
