import { secondsAfter } from '../kernel/clock.ts'
import { firstIdAt } from '../kernel/ids.ts'
import type { Db } from '../platform/db.ts'
import type { Sweep } from './sweep.ts'

/** The tables that are kept in partitions by time. How much time a partition has, the database says (`partition_days`). */
export const PARTITIONED = ['request_log', 'event_attempt'] as const
export type PartitionedTable = (typeof PARTITIONED)[number]

const DAY_SECONDS = 86_400
/** So many partitions are there before their time comes. */
const AHEAD = 2
const LOOK_SECONDS = 60
/** The shortest partition has a day, and two are made ahead: once all is as it should be, this often is enough. */
const LOOK_AGAIN_SECONDS = 6 * 3_600
/** So many are dropped at once, while all who use the table wait. */
const DROPPED_MAX = 10
/** Our clock may be ahead of the database's, which drops nothing of its last day: what is kept for one day waits so much longer. */
const CLOCKS_APART_SECONDS = 10

/** Makes partitions before their time comes, and drops those whose rows are all older than so many days; 0 keeps them for ever. */
export function keepingPartitions(db: Db, days: Readonly<Record<PartitionedTable, number>>): Sweep {
  let looksAgainAt = new Date(0)
  return {
    name: 'keep partitions',
    everySeconds: LOOK_SECONDS,
    run: async (at) => {
      if (at < looksAgainAt) return 0
      let isAllDone = true
      for (const table of PARTITIONED) {
        const before =
          days[table] === 0 ? new Date(0) : secondsAfter(at, -days[table] * DAY_SECONDS - CLOCKS_APART_SECONDS)
        await db`select make_partitions(${table}, ${at}, ${AHEAD})`
        await db`select drop_partitions(${table}, ${before}, ${DROPPED_MAX})`
        isAllDone = (await isAsItShouldBe(db, table, at, before)) && isAllDone
      }
      if (isAllDone) looksAgainAt = secondsAfter(at, LOOK_AGAIN_SECONDS)
      return 0
    },
  }
}

/** Whether the last partition ahead is there and none is left that is too old: who holds a lock on the table puts both off. */
async function isAsItShouldBe(db: Db, table: PartitionedTable, at: Date, before: Date): Promise<boolean> {
  const [found] = await db<{ isMade: boolean | null; isDropped: boolean | null }[]>`
    select max(upper_id) > first_id_at(${at}::timestamptz + ${AHEAD} * partition_days(${table}) * interval '1 day') as is_made,
           min(upper_id) > first_id_at(${before}) as is_dropped
      from partitions_of(${table}) where not catches_all`
  return found?.isMade !== false && found?.isDropped !== false
}

/**
 * Below which id rows made before a moment may be left that no partition of their time has taken. Undefined where the first
 * partition, with all from before there were others, is still there.
 */
export async function outsideBefore(db: Db, table: PartitionedTable, before: Date): Promise<bigint | undefined> {
  const [oldest] = await db<{ lowerId: bigint | null }[]>`
    select lower_id from partitions_of(${table}) where not catches_all order by upper_id limit 1`
  const end = firstIdAt(before)
  if (oldest === undefined) return end
  const { lowerId } = oldest
  return lowerId !== null && lowerId > end ? end : (lowerId ?? undefined)
}

/** How many rows of each table no partition of their time has taken, as far as PostgreSQL has counted. */
export async function countOutside(db: Db): Promise<readonly (readonly [string, number])[]> {
  const rows = await db<{ name: string; count: number }[]>`
    select t.name, coalesce(sum(s.n_live_tup), 0)::float8 as count
      from unnest(${PARTITIONED}::text[]) t (name)
     cross join lateral partitions_of(t.name) p
      join pg_stat_user_tables s on s.relid = p.partition
     where p.catches_all
     group by t.name`
  return rows.map(({ name, count }) => [name, count] as const)
}
