import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '@kobo/contract'
import type { Db } from '../../platform/db.ts'
import { type CountedPage, type PageWanted, selectPage } from '../../platform/pages.ts'
import { sql } from '../../platform/sql.ts'
import { BEGINNING, type LongTable, MARK_ROWS, type Mark } from './marks.ts'

/** The last mark of a merchant's list with no more rows up to it than so many; the last of all where that is not said. */
async function findMark(
  db: Db,
  merchantId: bigint,
  list: string,
  most: bigint | null = null,
): Promise<Pick<Mark, 'upTo' | 'count'>> {
  const [mark] = await db<Pick<Mark, 'upTo' | 'count'>[]>`
    select up_to, count from list_mark
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
