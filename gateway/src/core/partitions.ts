import { secondsAfter } from '../kernel/clock.ts'
import { firstIdAt } from '../kernel/ids.ts'
import type { Db } from '../platform/db.ts'
import type { Sweep } from './sweep.ts'

/** The tables that are kept in partitions by time. How much time a partition has, the database says (`partition_days`). */
export const PARTITIONED = ['request_log', 'event_attempt'] as const
export type PartitionedTable = (typeof PARTITIONED)[number]

/** So many partitions are there before their time comes. */
const AHEAD = 2
const LOOK_SECONDS = 60
/** The shortest partition has a day, and two are made ahead: this often is enough. */
const LOOK_AGAIN_SECONDS = 6 * 3_600
/** So many are dropped at once, while all who use the table wait. */
const DROPPED_MAX = 10

/** Makes partitions before their time comes. */
export function makingPartitions(db: Db): Sweep {
  let looksAgainAt = new Date(0)
  return {
    name: 'make partitions',
    everySeconds: LOOK_SECONDS,
    run: async (at) => {
      if (at < looksAgainAt) return 0
      for (const table of PARTITIONED) await db`select make_partitions(${table}, ${at}, ${AHEAD})`
      looksAgainAt = secondsAfter(at, LOOK_AGAIN_SECONDS)
      return 0
    },
  }
}

/**
 * Drops the partitions of which all rows were made before a moment, and answers below which id rows may be left that no
 * partition of their time has taken. Undefined where the first partition, with all from before there were others, is still there.
 */
export async function dropPartitions(db: Db, table: PartitionedTable, before: Date): Promise<bigint | undefined> {
  await db`select drop_partitions(${table}, ${before}, ${DROPPED_MAX})`
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
