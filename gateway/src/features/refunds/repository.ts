import type { RefundStatus, RefundType } from '@kobo/contract'
import type { ReceivedBy } from '../../core/money/settlement-cycle/index.ts'
import { ofShard, type Shard } from '../../core/shards/index.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { listing, type PlaceInList } from '../../platform/postgres/list-search.ts'
import {
  type CountedPage,
  madeWithin,
  type Period,
  type RequestedPage,
  selectPage,
} from '../../platform/postgres/pagination.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'

/** The refund destination. A payment is refunded by its own method. */
const DESTINATION = {
  method: column<'ACCOUNT_TRANSFER' | 'CARD'>(),
  /** For a card payment: the rail's reference of the charge to refund. */
  chargeReference: column<string | null>(),
  destinationAccountNumber: column<string | null>(),
  destinationAccountName: column<string | null>(),
  destinationBankCode: column<string | null>(),
}

/** Refunds to customers. A refund of several payments shows the destination of one of them. */
export const refunds = table('refund', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  reference: column<string>(),
  /** The merchant's reference. */
  refundReference: column<string>(),
  transactionId: column<bigint>(),
  transactionReference: column<string>(),
  status: column<RefundStatus>(),
  type: column<RefundType>(),
  amount: column<Kobo>(),
  fee: column<Kobo>(),
  currencyCode: column<string>(),
  refundReason: column<string>(),
  customerNote: column<string>(),
  comment: column<string>(),
  walletAccountNumber: column<string>(),
  /** The refunded payment; null if there are several, or for old refunds. */
  paymentId: column<bigint | null>(),
  ...DESTINATION,
  createdAt: column<Date>(),
  completedAt: column<Date | null>(),
  /** The deadline for its authorization; null if it does not await one. */
  authorizeBy: column<Date | null>(),
})
export type RefundRow = Row<typeof refunds>

export const refundList = listing(refunds, {
  idFormat: 'standard',
  status: 'status',
  method: 'method',
  amount: 'amount',
})
type RefundKey = Pick<RefundRow, 'merchantId' | 'id'>

/** The parts of a refund that returns several payments. */
export const parts = table('refund_part', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  refundId: column<bigint>(),
  paymentId: column<bigint | null>(),
  reference: column<string>(),
  status: column<RefundStatus>(),
  amount: column<Kobo>(),
  /** Its share of the refund's fee. */
  fee: column<Kobo>(),
  ...DESTINATION,
  /** Why it failed. */
  failure: column<string | null>(),
})
export type PartRow = Row<typeof parts>
export type RefundDestination = Pick<PartRow, keyof typeof DESTINATION>

/** Returns the parts of a refund among `rows`; a refund of a single payment has itself as its only part. */
export function partsOf(refund: RefundRow, rows: readonly PartRow[]): readonly PartRow[] {
  const own = rows.filter(({ merchantId, refundId }) => merchantId === refund.merchantId && refundId === refund.id)
  return own.length > 0 ? own : [{ ...refund, refundId: refund.id, failure: null }]
}

export const insertParts = (tx: Tx, rows: readonly PartRow[]): void => parts.insert(tx, rows)

export const selectParts = async (db: Db | Tx, keys: readonly RefundKey[]): Promise<PartRow[]> =>
  keys.length === 0
    ? []
    : db<PartRow[]>`
        select ${parts.of('p')}
          from refund_part p
         where ${ofMerchants('p', keys)}
           and (p.merchant_id, p.refund_id) in (select merchant_id, id from ${refunds.set(keys, ['merchantId', 'id'])})
         order by p.id`

export const endParts = (tx: Tx, rows: readonly PartRow[]): void => parts.update(tx, rows, ['status', 'failure'])

/** Inserts refunds whose references are certainly new. */
export const insertRefunds = (tx: Tx, rows: readonly RefundRow[]): void => refunds.insert(tx, rows)

/** Inserts a refund; returns whether its reference was new. The unique index decides. */
export const insertRefund = async (tx: Tx, row: RefundRow): Promise<boolean> =>
  (await refunds.insertNew(tx, [row], sql`(merchant_id, refund_reference)`)) === 1

/** A refunded or pending amount of a payment. */
export interface RefundedAmount extends Pick<PartRow, 'paymentId' | 'amount'> {
  readonly method: ReceivedBy
}

/** Reads the amounts of a transaction's payments that are in dispute or lost. */
export type SelectDisputed = (db: Db | Tx, key: RefundKey) => Promise<readonly RefundedAmount[]>

/** Reads the refunded and pending amounts of a transaction. */
export const selectRefunded = (db: Db | Tx, { merchantId, id }: RefundKey): Promise<RefundedAmount[]> =>
  db<RefundedAmount[]>`
    select coalesce(p.payment_id, r.payment_id) as payment_id, coalesce(p.method, r.method) as method, coalesce(p.amount, r.amount) as amount
      from refund r
      left join refund_part p on p.merchant_id = r.merchant_id and p.refund_id = r.id
     where r.merchant_id = ${merchantId} and r.transaction_id = ${id} and coalesce(p.status, r.status) <> 'FAILED'`

/** Finds a refund by the merchant's reference or ours. */
export async function findRefundByEitherName(
  db: Db,
  merchantId: bigint,
  reference: string,
): Promise<RefundRow | undefined> {
  const [row] = await db<RefundRow[]>`
    select ${refunds.columns} from refund where merchant_id = ${merchantId} and refund_reference = ${reference}
    union all
    select ${refunds.columns} from refund where merchant_id = ${merchantId} and reference = ${reference}
     limit 1`
  return row
}

export async function findRefund(
  db: Db | Tx,
  merchantId: bigint,
  refundReference: string,
): Promise<RefundRow | undefined> {
  const [row] = await db<RefundRow[]>`
    select ${refunds.columns} from refund where merchant_id = ${merchantId} and refund_reference = ${refundReference}`
  return row
}

/** Returns a page of a merchant's refunds, newest first. */
export const selectRefunds = (
  db: Db,
  merchantId: bigint,
  period: Period,
  page: RequestedPage,
): Promise<CountedPage<RefundRow>> =>
  selectPage(db, refunds, sql`merchant_id = ${merchantId} and ${madeWithin(period)}`, page)

/** Locks refunds until the database transaction ends. */
export const lockRefunds = (tx: Tx, keys: readonly RefundKey[]): Promise<RefundRow[]> => refunds.lock(tx, keys)

export const selectRefundsByKey = (db: Db | Tx, keys: readonly RefundKey[]): Promise<RefundRow[]> =>
  refunds.select(db, keys)

export const endRefunds = (tx: Tx, rows: readonly RefundRow[]): void =>
  refunds.update(tx, rows, ['status', 'type', 'amount', 'fee', 'comment', 'completedAt', 'authorizeBy'])

/** Records that a refund no longer awaits authorization. */
export const releaseRefund = (tx: Tx, row: RefundRow): void => refunds.update(tx, [row], ['comment', 'authorizeBy'])

/** Locks refunds that were not authorized in time, skipping those locked elsewhere. */
export const lockUnauthorizedRefunds = (tx: Tx, shard: Shard, at: Date, limit: number): Promise<RefundRow[]> =>
  tx<RefundRow[]>`
    select ${refunds.columns} from refund r
     where ${ofShard(shard, 'r')} and authorize_by <= ${at}
     order by authorize_by
     limit ${limit}
       for no key update skip locked`

export async function nextUnauthorizedRefund(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    -- over all merchants: due work
    select min(authorize_by) as due from refund where authorize_by is not null`
  return row?.due ?? undefined
}

const REFUNDS_SHOWN_MAX = 100

/** Returns the refunds of a transaction, oldest first. */
export const selectRefundsOf = (db: Db, { merchantId, id }: RefundKey): Promise<RefundRow[]> =>
  db<RefundRow[]>`
    select ${refunds.columns} from refund
     where merchant_id = ${merchantId} and transaction_id = ${id} order by id limit ${REFUNDS_SHOWN_MAX}`

/** Returns the newest refunds of some transactions, newest first. */
export const selectRefundsOfMany = (
  db: Db,
  merchantId: bigint,
  transactionIds: readonly bigint[],
  limit: number,
): Promise<RefundRow[]> =>
  db<RefundRow[]>`
    select ${refunds.columns} from refund
     where merchant_id = ${merchantId} and transaction_id = any(${transactionIds.map(String)}::bigint[])
     order by id desc
     limit ${limit}`

interface RefundedSum {
  readonly transactionId: bigint
  readonly amount: Kobo
}

/** Returns how much of each transaction was refunded. Transactions without a completed refund are left out. */
export const selectRefundedSums = (db: Db, merchantId: bigint, ids: readonly bigint[]): Promise<RefundedSum[]> =>
  db<RefundedSum[]>`
    select transaction_id, sum(amount)::bigint as amount from refund
     where merchant_id = ${merchantId} and transaction_id = any(${ids.map(String)}::bigint[]) and status = 'COMPLETED'
     group by transaction_id`

/** Returns the ids of refunded transactions, from a place in the list of transactions on. */
export async function selectRefundedIds(
  db: Db,
  merchantId: bigint,
  { before, size, isOldestFirst = false }: PlaceInList,
): Promise<readonly bigint[]> {
  const [beyond, direction] = isOldestFirst ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const from = before ?? (isOldestFirst ? -1n : ID_MAX)
  const rows = await db<{ transactionId: bigint }[]>`
    select distinct transaction_id from refund
     where merchant_id = ${merchantId} and transaction_id ${beyond} ${from} and status = 'COMPLETED'
     order by transaction_id ${direction} limit ${size}`
  return rows.map(({ transactionId }) => transactionId)
}

/** Expires all refunds of a merchant that await authorization. */
export function expireAll(tx: Tx, merchantId: bigint, at: Date): void {
  void tx`update refund set authorize_by = ${at} where merchant_id = ${merchantId} and authorize_by > ${at}`
}
