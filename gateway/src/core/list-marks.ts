import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '@kobo/contract'
import { monotonic, secondsAfter } from '../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../platform/db.ts'
import { type CountedPage, type PageWanted, selectPage } from '../platform/pages.ts'
import { sql } from '../platform/sql.ts'
import { column, type Row, type Table, table, type Whose } from '../platform/table.ts'
import type { Core } from './core.ts'
import { whose } from './shards/index.ts'
import type { Sweep } from './sweep.ts'

/** A mark stands at every so manieth row: no more are passed over, or counted, than lie between two. */
export const MARK_ROWS = 10_000

const marks = table('list_mark', ['merchantId', 'list', 'upTo'], {
  merchantId: column<bigint>(),
  list: column<string>(),
  /** The id of the row at which it stands. */
  upTo: column<bigint>(),
  /** How many rows there are up to it. */
  count: column<bigint>(),
  /** How many of those from the mark before up to it have which status, once none changes any more. */
  byStatus: column<Readonly<Record<string, number>> | null>(),
})
type Mark = Row<typeof marks>

/** A merchant's rows that are never removed, under ids that grow with time. */
type LongTable<R extends object> = Table<R, string>

/** Its rows have a status, which stays as it is once they are complete. */
interface Completed {
  readonly status: string
  readonly completedAt: Date | null
}

/** What stands before a list's first mark. */
const BEGINNING = { upTo: -1n, count: 0n }

/** The last mark of a merchant's list with no more rows up to it than so many; the last of all where that is not said. */
async function findMark(
  db: Db,
  merchantId: bigint,
  list: string,
  most: bigint | null = null,
): Promise<Pick<Mark, 'upTo' | 'count'>> {
  const [mark] = await db<Mark[]>`
    select ${marks.columns} from list_mark
     where merchant_id = ${merchantId} and list = ${list} and (${most}::bigint is null or count <= ${most}::bigint)
     order by up_to desc limit 1`
  return mark ?? BEGINNING
}

/** How many rows a merchant has: counted since the last mark. */
async function countMarked<R extends object>(
  db: Db,
  { name, label }: LongTable<R>,
  merchantId: bigint,
): Promise<number> {
  const { upTo, count } = await findMark(db, merchantId, label)
  const [since] = await db<{ count: bigint }[]>`
    select count(*) from ${name} where merchant_id = ${merchantId} and id > ${upTo}`
  return Number(count + (since?.count ?? 0n))
}

/** A page of all rows that a merchant has in a long table, newest first. It costs the same far back, and however many there are. */
export async function selectLongPage<R extends object>(
  db: Db,
  long: LongTable<R>,
  merchantId: bigint,
  wanted: PageWanted,
): Promise<CountedPage<R>> {
  const { page = 0 } = wanted
  const size = Math.min(wanted.size ?? PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX)
  const count = (): Promise<number> => countMarked(db, long, merchantId)
  if (page * size < MARK_ROWS) return selectPage(db, long, sql`merchant_id = ${merchantId}`, wanted, {}, count)
  // From the oldest: a page ends where so many are before it.
  const total = await count()
  const end = Math.max(total - page * size, 0)
  const start = Math.max(end - size, 0)
  const mark = await findMark(db, merchantId, long.label, BigInt(start))
  const rows = await db<R[]>`
    select ${long.columns} from ${long.name}
     where merchant_id = ${merchantId} and id > ${mark.upTo}
     order by id offset ${start - Number(mark.count)} limit ${end - start}`
  return { rows: rows.toReversed(), total, page, size }
}

/** How many rows of a status a merchant has: known of what is complete between two marks, and counted elsewhere. */
export async function countOfStatus<R extends Completed>(
  db: Db,
  { name, label }: LongTable<R>,
  merchantId: bigint,
  status: R['status'],
): Promise<number> {
  const ofStatus = sql`t.merchant_id = ${merchantId} and t.status = ${status}`
  const [row] = await db<{ count: bigint }[]>`
    with marked as (
      select lag(up_to, 1, ${BEGINNING.upTo}) over (order by up_to) as after, up_to, by_status
        from list_mark where merchant_id = ${merchantId} and list = ${label})
    select coalesce((select sum((by_status ->> ${status}::text)::bigint) from marked), 0)::bigint
         + (select count(*) from marked
             cross join lateral (select from ${name} t
                                  where by_status is null and ${ofStatus} and t.id > after and t.id <= up_to) one)
         + (select count(*) from ${name} t
             where ${ofStatus} and t.id > (select coalesce(max(up_to), ${BEGINNING.upTo}) from marked)) as count`
  return Number(row?.count ?? 0n)
}

/** Forgets the marks of a merchant's lists, where rows were written among those that are marked. */
export function forgetMarks(tx: Tx, merchantId: bigint): void {
  // Whoever sets marks now does not see those rows yet.
  void tx`select pg_advisory_xact_lock(${LOCK})`
  void tx`delete from list_mark where merchant_id = ${merchantId}`
}

/** Held by who sets marks, and by who writes rows among those that are marked. */
const LOCK = 20_261_117

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
  await tx`select pg_advisory_xact_lock(${LOCK})`
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

/** So many marks are looked at in one transaction. */
const COUNTED_MAX = 20

/**
 * Counts rows up to marks, of merchants whose rows are together, by their status where none changes any more; answers how many
 * marks. Some are looked at, whichever, so that what is open for long holds nothing up.
 */
export async function countMarks<R extends Completed>(
  tx: Tx,
  whose: Whose,
  { name, label }: LongTable<R>,
): Promise<number> {
  // Whoever writes rows among these has removed the marks, or waits until they are counted.
  await tx`select pg_advisory_xact_lock(${LOCK})`
  const counted = await tx<Mark[]>`
    select m.merchant_id, m.list, m.up_to, m.count, rows.by_status
      from (select * from list_mark m
             where ${whose('m')} and m.list = ${label} and m.by_status is null
             order by random() limit ${COUNTED_MAX}) m
     cross join lateral (
       select coalesce(max(l.up_to), ${BEGINNING.upTo}) as up_to from list_mark l
        where ${whose('l')} and l.merchant_id = m.merchant_id and l.list = m.list and l.up_to < m.up_to) before
     cross join lateral (
       select jsonb_object_agg(status, count) as by_status, bool_and(are_complete) as are_complete
         from (select t.status, count(*), bool_and(t.completed_at is not null) as are_complete
                 from ${name} t
                where ${whose('t')} and t.merchant_id = m.merchant_id and t.id > before.up_to and t.id <= m.up_to
                group by t.status) of_status) rows
     where rows.are_complete`
  marks.update(tx, counted, ['byStatus'])
  return counted.length
}

const PAUSE_SECONDS = 120
/** What began so long ago, by either clock, is committed. */
const REST_SECONDS = 900

/** Sets marks in a long list as it grows, and counts what is complete between them. */
export function markSweep<R extends Completed>(
  { db, shards }: Core,
  long: LongTable<R>,
  firstAt: (at: Date) => bigint,
): Sweep {
  let seen = { at: new Date(0), on: Number.NEGATIVE_INFINITY }
  let rest = seen.at
  return {
    name: `mark ${long.label}`,
    everySeconds: PAUSE_SECONDS,
    run: async (at, limit) => {
      if (monotonic() - seen.on >= PAUSE_SECONDS * 1_000) {
        rest = secondsAfter(seen.at, -REST_SECONDS)
        seen = { at, on: monotonic() }
      }
      if (rest.getTime() <= 0) return 0
      const below = firstAt(rest)
      const marked = await shards.each(async (shard) => {
        const added = await inTransaction(db, (tx) => addMarks(tx, whose(shard), long, below))
        return added + (await inTransaction(db, (tx) => countMarks(tx, whose(shard), long)))
      })
      return marked > 0 ? limit : 0
    },
  }
}
