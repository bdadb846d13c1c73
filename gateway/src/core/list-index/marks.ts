import type { Tx } from '../../platform/postgres/db.ts'
import { type Fragment, sql } from '../../platform/postgres/sql.ts'
import { column, type MerchantScope, type Row, type Table, table } from '../../platform/postgres/table.ts'

/** Every 1,000th row is indexed, so at most 1,000 rows are skipped or counted. */
export const MARK_ROWS = 1_000

export const marks = table('list_mark', ['merchantId', 'list', 'upTo'], {
  merchantId: column<bigint>(),
  list: column<string>(),
  /** The id of the indexed row. */
  upTo: column<bigint>(),
  /** The number of rows up to and including the indexed row. */
  count: column<bigint>(),
  /** The number of rows since the previous entry, by status; null while one of these rows can still change. */
  byStatus: column<Readonly<Record<string, number>> | null>(),
})
export type Mark = Row<typeof marks>

/** A table whose rows are never deleted and whose ids grow with time. */
export type LongTable<R extends object> = Table<R, string>

/** The position before the first entry. */
export const BEGINNING = { upTo: -1n, count: 0n }

/** Selects a merchant's index entries, each with the previous entry's id as `after`: its rows start after that id. */
export const marksWithAfter = (merchantId: bigint, list: string): Fragment => sql`
      select lag(up_to, 1, ${BEGINNING.upTo}) over (order by up_to) as after, up_to, by_status
        from list_mark where merchant_id = ${merchantId} and list = ${list}`

/**
 * Selects random index entries on one shard that match a condition. Each has the previous entry's id as `after`.
 */
export const someMarks = (whose: MerchantScope, list: string, condition: Fragment, limit: number): Fragment => sql`
      select m.*, before.up_to as after
        from (select * from list_mark m
               where ${whose('m')} and m.list = ${list} and ${condition}
               order by random() limit ${limit}) m
       cross join lateral (
         select coalesce(max(l.up_to), ${BEGINNING.upTo}) as up_to from list_mark l
          where ${whose('l')} and l.merchant_id = m.merchant_id and l.list = m.list and l.up_to < m.up_to) before`

/** The advisory lock for adding, counting or deleting entries. */
const LOCK = 20_261_117
export const lockMarks = (tx: Tx): Promise<unknown> => tx`select pg_advisory_xact_lock(${LOCK})`

/** Deletes a merchant's entries, because rows were inserted between indexed rows. */
export function forgetMarks(tx: Tx, merchantId: bigint): void {
  // Waits for a process that is adding entries, because that process does not see the new rows yet.
  void lockMarks(tx)
  void tx`delete from list_mark where merchant_id = ${merchantId}`
}

/**
 * For each merchant on a shard with enough rows below an id, adds the next entry; returns how many entries were added.
 * No more rows may be written below that id.
 */
export async function addMarks<R extends object>(
  tx: Tx,
  whose: MerchantScope,
  { name, label }: LongTable<R>,
  below: bigint,
): Promise<number> {
  await lockMarks(tx)
  const next = await tx<Mark[]>`
    select m.id as merchant_id, ${label}::text as list, next.id as up_to, coalesce(last.count, 0) + ${MARK_ROWS} as count,
           null::jsonb as by_status
      from merchant m
      left join lateral (
        select up_to, count from list_mark l
         where ${whose('l')} and l.merchant_id = m.id and l.list = ${label} order by l.up_to desc limit 1) last on true
     cross join lateral (
       select t.id from ${name} t
        where ${whose('t')} and t.merchant_id = m.id and t.id > coalesce(last.up_to, -1) and t.id < ${below}
        order by t.id offset ${MARK_ROWS - 1} limit 1) next`
  return next.length === 0 ? 0 : marks.insertNew(tx, next, sql`(merchant_id, list, up_to)`)
}
