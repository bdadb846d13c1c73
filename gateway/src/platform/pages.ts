import { PAGE_NUMBER_SIZE_DEFAULT, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, type Page, toPage } from '@kobo/contract'
import { firstIdAt, firstTransactionIdAt, ID_MAX } from '../kernel/ids.ts'
import type { Db } from './db.ts'
import { type Fragment, names, plain, sql } from './sql.ts'
import { columnName, type Table } from './table.ts'

/** Which page somebody wants, from 0 on. A size above the maximum is cut to it. */
export interface PageWanted {
  readonly page?: number | undefined
  readonly size?: number | undefined
}

/** The same as the listings of transfers and wallets name it. */
export const numberedPage = ({
  pageNo: page,
  pageSize: size = PAGE_NUMBER_SIZE_DEFAULT,
}: {
  readonly pageNo?: number | undefined
  readonly pageSize?: number | undefined
}): PageWanted => ({ page, size })

/** A page of a list by its number, and how many rows there are in all. */
export interface CountedPage<R> {
  readonly rows: readonly R[]
  readonly total: number
  readonly page: number
  readonly size: number
}

interface Order<R> {
  /** The column that rows are listed by, where it is not the id. */
  readonly by?: keyof R & string
  /** Where it is not the newest that stands first. */
  readonly oldestFirst?: boolean
}

/**
 * A page of the rows that a condition picks, newest first. What stands before the page is passed over in the index of the
 * keys: no more rows are read than are shown. They are counted only where the page itself does not tell how many there are.
 */
export async function selectPage<R extends object, Shown extends R = R>(
  db: Db,
  table: Table<R, string>,
  condition: Fragment,
  { page = 0, size: wanted = PAGE_SIZE_DEFAULT }: PageWanted,
  { by = 'id' as keyof R & string, oldestFirst = false }: Order<R> = {},
  /** Where there is a cheaper way to know how many there are. */
  count = (): Promise<number> => countRows(db, table, condition),
): Promise<CountedPage<Shown>> {
  const size = Math.min(wanted, PAGE_SIZE_MAX)
  const offset = page * size
  const key = names(...table.primaryKey.map(columnName))
  const order = sql`${names(columnName(by))} ${plain(oldestFirst ? 'asc' : 'desc')}`
  const rows = await db<Shown[]>`
    select ${table.columns}
      from ${table.name}
      join (select ${key} from ${table.name} where ${condition} order by ${order} limit ${size} offset ${offset}) page
           using (${key})
     order by ${order}`
  const isLast = rows.length < size && (rows.length > 0 || page === 0)
  return { rows, total: isLast ? offset + rows.length : await count(), page, size }
}

/** How many rows a condition picks. */
export async function countRows(db: Db, { name }: { readonly name: Fragment }, condition: Fragment): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from ${name} where ${condition}`
  return Number(row?.count ?? 0n)
}

/** A page as the API shows it. */
export const showPage = <R, Item>({ rows, total, page, size }: CountedPage<R>, show: (row: R) => Item): Page<Item> =>
  toPage(rows.map(show), total, page, size)

/** What a list is narrowed down to. What is left out holds nothing back. */
export interface Period {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

const DAY_MILLISECONDS = 86_400_000

/**
 * The condition that rows were made in a period. Ids grow with time, and differ from the moment of making by far less than
 * a day: their range leads to the rows without an index of moments.
 */
export function madeWithin({ from, to }: Period, idsAre: 'moments' | 'transactions' = 'moments'): Fragment {
  const firstAt = idsAre === 'moments' ? firstIdAt : firstTransactionIdAt
  const idAt = (moment: Date, days: number): bigint =>
    bounded(firstAt(new Date(moment.getTime() + days * DAY_MILLISECONDS)))
  return sql`
    ${from === undefined ? sql`true` : sql`id >= ${idAt(from, -1)} and created_at >= ${from}`}
    and ${to === undefined ? sql`true` : sql`id <= ${idAt(to, 1)} and created_at <= ${to}`}`
}

const bounded = (id: bigint): bigint => (id < 0n ? 0n : id > ID_MAX ? ID_MAX : id)
