import type { HourOfMoves } from '../../core/money/ledger/index.ts'
import { ofShard, type Shard } from '../../core/shards/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'
import type { transactionReads } from '../transactions/index.ts'

/** Outcomes of the transactions that were opened in one hour. */
export type HourOfTransactions = Awaited<ReturnType<typeof transactionReads.outcomes>>[number]

/** The money moved between kinds of accounts, by hour. */
const totals = table('hourly_total', ['merchantId', 'hour', 'source', 'target'], {
  merchantId: column<bigint>(),
  hour: column<Date>(),
  source: column<string>(),
  target: column<string>(),
  count: column<bigint>(),
  amount: column<bigint>(),
})

/** The statuses of transactions, by the hour of their creation. */
const outcomes = table('hourly_outcome', ['merchantId', 'hour', 'status', 'isOpen', 'method'], {
  merchantId: column<bigint>(),
  hour: column<Date>(),
  status: column<HourOfTransactions['status']>(),
  isOpen: column<boolean>(),
  method: column<string>(),
  count: column<bigint>(),
  amount: column<Kobo>(),
})

/** The time up to which each merchant's hours are summed. */
const summed = table('hours_summed', ['merchantId'], {
  merchantId: column<bigint>(),
  through: column<Date>(),
})
export type Summed = Row<typeof summed>

export const readSummed = (db: Db | Tx, merchantIds: readonly bigint[]): Promise<Summed[]> =>
  summed.select(
    db,
    merchantIds.map((merchantId) => ({ merchantId })),
  )

/** Starts the sums of a merchant, unless they exist. */
export const startSums = (tx: Tx, row: Summed): Promise<number> => summed.insertNew(tx, [row], sql`(merchant_id)`)

/** Locks merchants that have hours to sum, except those that another node is summing. */
export const lockSummed = (tx: Tx, merchantIds: readonly bigint[], before: Date): Promise<Summed[]> =>
  tx<Summed[]>`
    select merchant_id, through from hours_summed
     where merchant_id = any(${merchantIds.map(String)}::bigint[]) and through < ${before}
     order by merchant_id
       for no key update skip locked`

/** Locks merchants, except those whose sums another node is changing. */
export async function lockMerchants(tx: Tx, merchantIds: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const taken = await tx<{ merchantId: bigint }[]>`
    select merchant_id from hours_summed
     where merchant_id = any(${merchantIds.map(String)}::bigint[])
     order by merchant_id
       for no key update skip locked`
  return new Set(taken.map(({ merchantId }) => merchantId))
}

/** Stores the sums of new hours, and the time up to which hours are now summed. */
export function writeSums(
  tx: Tx,
  moves: readonly HourOfMoves[],
  ended: readonly HourOfTransactions[],
  through: readonly Summed[],
): void {
  totals.insert(tx, moves)
  outcomes.insert(tx, ended)
  summed.update(tx, through, ['through'])
}

export interface Hour {
  readonly merchantId: bigint
  readonly hour: Date
}

/** Hours before the given time that had open transactions when they were summed, oldest first. */
export const selectOpenHours = (tx: Tx, shard: Shard, before: Date, limit: number): Promise<Hour[]> =>
  tx<Hour[]>`
    select merchant_id, hour
      from hourly_outcome o
     where ${ofShard(shard, 'o')} and is_open and hour < ${before}
     group by hour, merchant_id
     order by hour
     limit ${limit}`

/** Replaces the stored outcomes of some hours. */
export function replaceOutcomes(tx: Tx, hours: readonly Hour[], ended: readonly HourOfTransactions[]): void {
  if (hours.length === 0) return
  void tx`
    delete from hourly_outcome o
     using json_to_recordset(${rowSet(hours, ['merchantId', 'hour'])}::text::json) as k (merchant_id bigint, hour timestamptz)
     where ${ofMerchants('o', hours)} and o.merchant_id = k.merchant_id and o.hour = k.hour`
  outcomes.insert(tx, ended)
}

/**
 * Reads the money moved between two hours, by day. `hour` is the first hour of the day in Lagos, an hour ahead of UTC.
 */
export const selectDays = (db: Db, merchantId: bigint, from: Date, before: Date): Promise<HourOfMoves[]> =>
  db<HourOfMoves[]>`
    select ${merchantId}::bigint as merchant_id, to_timestamp(day * 86400 - 3600) as hour, source, target,
           sum(count)::bigint as count, sum(amount)::bigint as amount
      from (select source, target, count, amount, floor((extract(epoch from hour) + 3600) / 86400)::bigint as day
              from hourly_total
             where merchant_id = ${merchantId} and hour >= ${from} and hour < ${before}) hours
     group by day, source, target`

/** Reads the money moved by all merchants since a given hour. Hours that are not summed yet are missing. */
export const selectTotalsOfAll = (
  db: Db,
  from: Date,
): Promise<Pick<HourOfMoves, 'source' | 'target' | 'count' | 'amount'>[]> =>
  db<HourOfMoves[]>`
    -- over all merchants: for the operator. One index lookup for each merchant, which reads only these hours.
    select t.source, t.target, sum(t.count)::bigint as count, sum(t.amount)::bigint as amount
      from hours_summed s
      join hourly_total t on t.merchant_id = s.merchant_id and t.hour >= ${from}
     where s.through > ${from}
     group by t.source, t.target`

/** Reads the money moved from one hour up to another, which is not included. */
export const selectTotalsBetween = (db: Db | Tx, merchantId: bigint, from: Date, to: Date): Promise<HourOfMoves[]> =>
  db<HourOfMoves[]>`
    select ${totals.columns} from hourly_total where merchant_id = ${merchantId} and hour >= ${from} and hour < ${to}`

/** Consecutive hours of a merchant: `from` is included, `to` is not. */
export interface Hours {
  readonly merchantId: bigint
  readonly from: Date
  readonly to: Date
}

export const selectTotalsWithin = (tx: Tx, hours: readonly Hours[]): Promise<HourOfMoves[]> =>
  hours.length === 0
    ? Promise.resolve([])
    : tx<HourOfMoves[]>`
        select t.merchant_id, t.hour, t.source, t.target, t.count, t.amount
          from json_to_recordset(${rowSet(hours, ['merchantId', 'from', 'to'])}::text::json)
               as k (merchant_id bigint, "from" timestamptz, "to" timestamptz)
          join hourly_total t on t.merchant_id = k.merchant_id and t.hour >= k."from" and t.hour < k."to"
         where ${ofMerchants('t', hours)}`

/** The number of transactions by status. */
export type Outcomes = Pick<HourOfTransactions, 'status' | 'isOpen' | 'count'>

/** Counts the statuses of transactions created from one hour up to another, which is not included. */
export const sumOutcomesBetween = (db: Db, merchantId: bigint, from: Date, before: Date): Promise<Outcomes[]> =>
  db<Outcomes[]>`
    select status, is_open, sum(count)::bigint as count from hourly_outcome
     where merchant_id = ${merchantId} and hour >= ${from} and hour < ${before}
     group by status, is_open`

/** Deletes the sums of a merchant, so that they are recomputed. A running summation finishes first or starts later. */
export function deleteSums(tx: Tx, merchantId: bigint): void {
  void tx`lock table hours_summed in exclusive mode`
  void tx`delete from hourly_total where merchant_id = ${merchantId}`
  void tx`delete from hourly_outcome where merchant_id = ${merchantId}`
  void tx`delete from hours_summed where merchant_id = ${merchantId}`
}
