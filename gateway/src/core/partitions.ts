import { secondsAfter } from '../kernel/clock.ts'
import { firstIdAt } from '../kernel/ids.ts'
import type { Db } from '../platform/postgres/db.ts'
import type { Sweep } from './sweep.ts'

/** Tables partitioned by time. Their interval is in the database (`partition_days`). */
export const PARTITIONED = ['request_log', 'event_attempt'] as const
export type PartitionedTable = (typeof PARTITIONED)[number]

const DAY_SECONDS = 86_400
/** Partitions created ahead of time. */
const AHEAD = 2
const RETRY_SECONDS = 60
/** The pause after success. It is short enough: a partition has at least a day, and two are created ahead. */
const PAUSE_SECONDS = 6 * 3_600
/** The most partitions dropped at once. Meanwhile, other queries of the table wait. */
const DROPPED_MAX = 10
/**
 * Partitions are dropped this much later. The database refuses to drop data of its last day, and our clock may be ahead
 * of its clock.
 */
const CLOCKS_APART_SECONDS = 10

/** Creates partitions ahead of time and drops those older than `days`; 0 keeps them forever. */
export function keepingPartitions(db: Db, days: Readonly<Record<PartitionedTable, number>>) {
  let nextCheckAt = new Date(0)
  return {
    name: 'keep partitions',
    everySeconds: RETRY_SECONDS,
    run: async (at: Date, _limit: number) => {
      if (at < nextCheckAt) return 0
      let isAllDone = true
      for (const table of PARTITIONED) {
        const before =
          days[table] === 0 ? new Date(0) : secondsAfter(at, -days[table] * DAY_SECONDS - CLOCKS_APART_SECONDS)
        await db`select make_partitions(${table}, ${at}, ${AHEAD})`
        await db`select drop_partitions(${table}, ${before}, ${DROPPED_MAX})`
        isAllDone = (await isUpToDate(db, table, at, before)) && isAllDone
      }
      if (isAllDone) nextCheckAt = secondsAfter(at, PAUSE_SECONDS)
      return 0
    },
  } satisfies Sweep
}

/**
 * Whether all partitions were created ahead and all expired ones dropped. A lock on the table may have delayed either
 * step.
 */
async function isUpToDate(db: Db, table: PartitionedTable, at: Date, before: Date): Promise<boolean> {
  const [found] = await db<{ isMade: boolean | null; isDropped: boolean | null }[]>`
    select max(upper_id) > first_id_at(${at}::timestamptz + ${AHEAD} * partition_days(${table}) * interval '1 day') as is_made,
           min(upper_id) > first_id_at(${before}) as is_dropped
      from partitions_of(${table}) where not catches_all`
  return found?.isMade !== false && found?.isDropped !== false
}

/**
 * Returns the id below which expired rows may be in the default partition. Undefined while the first partition exists,
 * because that one has all older rows.
 */
export async function outsideBefore(db: Db, table: PartitionedTable, before: Date): Promise<bigint | undefined> {
  const [oldest] = await db<{ lowerId: bigint | null }[]>`
    select lower_id from partitions_of(${table}) where not catches_all order by upper_id limit 1`
  const end = firstIdAt(before)
  if (oldest === undefined) return end
  const { lowerId } = oldest
  return lowerId !== null && lowerId > end ? end : (lowerId ?? undefined)
}

/** Counts the rows outside their partition, by table, from PostgreSQL's statistics. */
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
