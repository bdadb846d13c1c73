import type { Tx } from '../../platform/db.ts'
import { type Fragment, sql } from '../../platform/sql.ts'
import { column, type Row, type Table, table, type Whose } from '../../platform/table.ts'

/** A mark stands at every so manieth row: no more are passed over, or counted, than lie between two. */
export const MARK_ROWS = 1_000

export const marks = table('list_mark', ['merchantId', 'list', 'upTo'], {
  merchantId: column<bigint>(),
  list: column<string>(),
  /** The id of the row at which it stands. */
  upTo: column<bigint>(),
  /** How many rows there are up to it. */
  count: column<bigint>(),
  /** How many of those from the mark before up to it have which status, once none changes any more. */
  byStatus: column<Readonly<Record<string, number>> | null>(),
  /** Which customers may be among those from the mark before up to it, once that was looked at. */
  customers: column<Buffer | null>(),
})
export type Mark = Row<typeof marks>

/** A merchant's rows that are never removed, under ids that grow with time. */
export type LongTable<R extends object> = Table<R, string>

/** What stands before a list's first mark. */
export const BEGINNING = { upTo: -1n, count: 0n }

/** A merchant's marks in a list, each with the id `after` which its rows begin. */
export const marksWithAfter = (merchantId: bigint, list: string): Fragment => sql`
      select lag(up_to, 1, ${BEGINNING.upTo}) over (order by up_to) as after, up_to, by_status, customers
        from list_mark where merchant_id = ${merchantId} and list = ${list}`

/** Some marks, of merchants whose rows are together, that a condition picks, each with the id `after` which its rows begin. */
export const someMarks = (whose: Whose, list: string, condition: Fragment, limit: number): Fragment => sql`
      select m.*, before.up_to as after
        from (select * from list_mark m
               where ${whose('m')} and m.list = ${list} and ${condition}
               order by random() limit ${limit}) m
       cross join lateral (
         select coalesce(max(l.up_to), ${BEGINNING.upTo}) as up_to from list_mark l
          where ${whose('l')} and l.merchant_id = m.merchant_id and l.list = m.list and l.up_to < m.up_to) before`

/** Held by who sets marks or looks at what is between them, and by who writes there. */
const LOCK = 20_261_117
export const lockMarks = (tx: Tx): Promise<unknown> => tx`select pg_advisory_xact_lock(${LOCK})`

/** Forgets the marks of a merchant's lists, where rows were written among those that are marked. */
export function forgetMarks(tx: Tx, merchantId: bigint): void {
  // Whoever sets marks now does not see those rows yet.
  void lockMarks(tx)
  void tx`delete from list_mark where merchant_id = ${merchantId}`
}

/**
 * Sets the next mark in the list of each merchant, of those whose rows are together, that has enough further rows below an id;
 * answers how many. Nothing with a lower id may come any more.
 */
export async function addMarks<R extends object>(
  tx: Tx,
  whose: Whose,
  { name, label }: LongTable<R>,
  below: bigint,
): Promise<number> {
  await lockMarks(tx)
  const next = await tx<Mark[]>`
    select m.id as merchant_id, ${label}::text as list, next.id as up_to, coalesce(last.count, 0) + ${MARK_ROWS} as count,
           null::jsonb as by_status, null::bytea as customers
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
