import { PAGE_NUMBER_SIZE_DEFAULT, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, type Page, toPage } from '@kobo/contract'
import { firstIdAt, firstTransactionIdAt, ID_MAX } from '../../kernel/ids.ts'
import type { Db } from './db.ts'
import { type Fragment, names, plain, sql } from './sql.ts'
import { columnName, type Table } from './table.ts'

/** The requested page, counted from 0. A size above the maximum is reduced to it. */
export interface RequestedPage {
  readonly page?: number | undefined
  readonly size?: number | undefined
}

/** The requested page in the terms that transfers and wallets use. */
export const numberedPage = ({
  pageNo: page,
  pageSize: size = PAGE_NUMBER_SIZE_DEFAULT,
}: {
  readonly pageNo?: number | undefined
  readonly pageSize?: number | undefined
}): RequestedPage => ({ page, size })

/** A numbered page, and the total number of rows. */
export interface CountedPage<R> {
  readonly rows: readonly R[]
  readonly total: number
  readonly page: number
  readonly size: number
}

interface Order<R> {
  /** The ordering column, if not the id. */
  readonly by?: keyof R & string
  /** Set if the oldest row comes first. */
  readonly oldestFirst?: boolean
}

/**
 * A page of matching rows, newest first. Earlier pages are skipped in the index of the primary key, so only the rows of
 * this page are read. Rows are counted only if the page itself does not show the total.
 */
export async function selectPage<R extends object, Shown extends R = R>(
  db: Db,
  table: Table<R, string>,
  condition: Fragment,
  { page = 0, size: limit = PAGE_SIZE_DEFAULT }: RequestedPage,
  { by = 'id' as keyof R & string, oldestFirst = false }: Order<R> = {},
  /** Counts the rows. Pass a cheaper way if there is one. */
  count = (): Promise<number> => countRows(db, table, condition),
): Promise<CountedPage<Shown>> {
  const size = Math.min(limit, PAGE_SIZE_MAX)
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

/** Counts the rows that match. */
export async function countRows(db: Db, { name }: { readonly name: Fragment }, condition: Fragment): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from ${name} where ${condition}`
  return Number(row?.count ?? 0n)
}

/** A page as the API shows it. */
export const showPage = <R, Item>({ rows, total, page, size }: CountedPage<R>, show: (row: R) => Item): Page<Item> =>
  toPage(rows.map(show), total, page, size)

/** A period. It has no start if `from` is undefined, and no end if `to` is undefined. */
export interface Period {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

const DAY_MILLISECONDS = 86_400_000

/**
 * Returns the condition that rows were created in a period. Ids grow with time and differ from the creation time by far
 * less than a day, so no index on times is needed.
 */
export function madeWithin({ from, to }: Period, idFormat: 'standard' | 'transaction' = 'standard'): Fragment {
  const firstAt = idFormat === 'standard' ? firstIdAt : firstTransactionIdAt
  const idAt = (moment: Date, days: number): bigint =>
    bounded(firstAt(new Date(moment.getTime() + days * DAY_MILLISECONDS)))
  return sql`
    ${from === undefined ? sql`true` : sql`id >= ${idAt(from, -1)} and created_at >= ${from}`}
    and ${to === undefined ? sql`true` : sql`id <= ${idAt(to, 1)} and created_at <= ${to}`}`
}

const bounded = (id: bigint): bigint => (id < 0n ? 0n : id > ID_MAX ? ID_MAX : id)
