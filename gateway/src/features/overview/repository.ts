import type { HourOfMoves } from '../../core/money/ledger/index.ts'
import { ofShard, type Shard } from '../../core/shards/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../platform/db.ts'
import { sql } from '../../platform/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/table.ts'
import type { HourOfTransactions } from '../transactions/index.ts'

/** What moved between kinds of accounts in each hour. */
const totals = table('hourly_total', ['merchantId', 'hour', 'source', 'target'], {
  merchantId: column<bigint>(),
  hour: column<Date>(),
  source: column<string>(),
  target: column<string>(),
  count: column<bigint>(),
  amount: column<bigint>(),
})

/** What became of the transactions that were asked for in each hour. */
const outcomes = table('hourly_outcome', ['merchantId', 'hour', 'status', 'isOpen', 'method'], {
  merchantId: column<bigint>(),
  hour: column<Date>(),
  status: column<HourOfTransactions['status']>(),
  isOpen: column<boolean>(),
  method: column<string>(),
  count: column<bigint>(),
  amount: column<Kobo>(),
})

/** Up to when the hours of merchants are summed up. */
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

/** Begins the sums of a merchant, unless they are begun. */
export const beginSums = (tx: Tx, row: Summed): Promise<number> => summed.insertNew(tx, [row], sql`(merchant_id)`)

/** Takes merchants whose hours nobody else sums up at the moment. */
export const lockSummed = (tx: Tx, merchantIds: readonly bigint[], before: Date): Promise<Summed[]> =>
  tx<Summed[]>`
    select merchant_id, through from hours_summed
     where merchant_id = any(${merchantIds.map(String)}::bigint[]) and through < ${before}
     order by merchant_id
       for no key update skip locked`

/** Takes merchants whose sums nobody else changes at the moment. */
export async function takeMerchants(tx: Tx, merchantIds: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const taken = await tx<{ merchantId: bigint }[]>`
    select merchant_id from hours_summed
     where merchant_id = any(${merchantIds.map(String)}::bigint[])
     order by merchant_id
       for no key update skip locked`
  return new Set(taken.map(({ merchantId }) => merchantId))
}

/** Writes the sums of hours that had none, and how far they go now. */
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

/** An hour of a merchant. */
export interface Hour {
  readonly merchantId: bigint
  readonly hour: Date
}

/** Hours before a moment of which transactions were open, the oldest first. */
export const selectOpenHours = (tx: Tx, shard: Shard, before: Date, limit: number): Promise<Hour[]> =>
  tx<Hour[]>`
    select merchant_id, hour
      from hourly_outcome o
     where ${ofShard(shard, 'o')} and is_open and hour < ${before}
     group by hour, merchant_id
     order by hour
     limit ${limit}`

/** Puts other sums in the place of those of some hours. */
export function replaceOutcomes(tx: Tx, hours: readonly Hour[], ended: readonly HourOfTransactions[]): void {
  if (hours.length === 0) return
  void tx`
    delete from hourly_outcome o
     using json_to_recordset(${rowSet(hours, ['merchantId', 'hour'])}::text::json) as k (merchant_id bigint, hour timestamptz)
     where ${ofMerchants('o', hours)} and o.merchant_id = k.merchant_id and o.hour = k.hour`
  outcomes.insert(tx, ended)
}

/** What moved from an hour on, before another, day by day: `hour` is the one in which the day begins in Lagos, an hour ahead of UTC. */
export const selectDays = (db: Db, merchantId: bigint, from: Date, before: Date): Promise<HourOfMoves[]> =>
  db<HourOfMoves[]>`
    select ${merchantId}::bigint as merchant_id, to_timestamp(day * 86400 - 3600) as hour, source, target,
           sum(count)::bigint as count, sum(amount)::bigint as amount
      from (select source, target, count, amount, floor((extract(epoch from hour) + 3600) / 86400)::bigint as day
              from hourly_total
             where merchant_id = ${merchantId} and hour >= ${from} and hour < ${before}) hours
     group by day, source, target`

/** What moved from an hour on, before another. */
export const selectTotalsBetween = (db: Db | Tx, merchantId: bigint, from: Date, to: Date): Promise<HourOfMoves[]> =>
  db<HourOfMoves[]>`
    select ${totals.columns} from hourly_total where merchant_id = ${merchantId} and hour >= ${from} and hour < ${to}`

/** Hours of a merchant: from one on, before another. */
export interface Hours {
  readonly merchantId: bigint
  readonly from: Date
  readonly to: Date
}

/** What moved in hours of merchants. */
export const selectTotalsWithin = (tx: Tx, hours: readonly Hours[]): Promise<HourOfMoves[]> =>
  hours.length === 0
    ? Promise.resolve([])
    : tx<HourOfMoves[]>`
        select t.merchant_id, t.hour, t.source, t.target, t.count, t.amount
          from json_to_recordset(${rowSet(hours, ['merchantId', 'from', 'to'])}::text::json)
               as k (merchant_id bigint, "from" timestamptz, "to" timestamptz)
          join hourly_total t on t.merchant_id = k.merchant_id and t.hour >= k."from" and t.hour < k."to"
         where ${ofMerchants('t', hours)}`

/** How many transactions came to a state. */
export type Outcomes = Pick<HourOfTransactions, 'status' | 'isOpen' | 'count'>

/** What became of the transactions that were asked for from an hour on, before another. */
export const sumOutcomesBetween = (db: Db, merchantId: bigint, from: Date, before: Date): Promise<Outcomes[]> =>
  db<Outcomes[]>`
    select status, is_open, sum(count)::bigint as count from hourly_outcome
     where merchant_id = ${merchantId} and hour >= ${from} and hour < ${before}
     group by status, is_open`

/** Forgets the sums of a merchant: they are made anew. Whoever sums up at the moment comes to an end first, or waits. */
export function forgetSums(tx: Tx, merchantId: bigint): void {
  void tx`lock table hours_summed in exclusive mode`
  void tx`delete from hourly_total where merchant_id = ${merchantId}`
  void tx`delete from hourly_outcome where merchant_id = ${merchantId}`
  void tx`delete from hours_summed where merchant_id = ${merchantId}`
}
