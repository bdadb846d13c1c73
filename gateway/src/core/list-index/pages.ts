import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '@kobo/contract'
import type { Db } from '../../platform/postgres/db.ts'
import { type CountedPage, type RequestedPage, selectPage } from '../../platform/postgres/pagination.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { BEGINNING, type LongTable, MARK_ROWS, type Mark } from './marks.ts'

/** Finds a merchant's last index entry with a count of at most `most`; without `most`, the very last entry. */
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

/** Counts a merchant's rows: the count in the last index entry plus the rows after it. */
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

/** Reads a page of a merchant's rows in a long table, newest first. The cost is the same for any page and size. */
export async function selectLongPage<R extends object>(
  db: Db,
  long: LongTable<R>,
  merchantId: bigint,
  requested: RequestedPage,
): Promise<CountedPage<R>> {
  const { page = 0 } = requested
  const size = Math.min(requested.size ?? PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX)
  const count = (): Promise<number> => countMarked(db, long, merchantId)
  if (page * size < MARK_ROWS) return selectPage(db, long, sql`merchant_id = ${merchantId}`, requested, {}, count)
  // Entries count from the oldest row, so the page's position is computed from there.
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
