import type { Db, Tx } from './db.ts'
import { type Fragment, names, plain, sql } from './sql.ts'
import { columnName, type Table } from './table.ts'

/**
 * Deletes rows that a condition picks, at most so many, and answers how many. What another node deletes at the moment is left
 * to it: two that delete the same rows in different orders would wait for each other.
 */
export async function forgetSome<R extends object>(
  db: Db | Tx,
  { name, primaryKey }: Table<R, string>,
  condition: Fragment,
  limit: number,
  /** The column by which there is an index that leads to them. */
  by?: keyof R & string,
  /** Whose rows of merchants, by the alias `t`: those of one shard, since no lock goes over two. */
  whose: Fragment = plain('true'),
): Promise<number> {
  const key = names(...primaryKey.map(columnName))
  const order = by === undefined ? sql`` : sql`order by ${names(columnName(by))}`
  // Chosen apart: within the delete PostgreSQL may choose anew for each row, and so delete more than the limit.
  const { count } = await db`
    with taken as materialized (
      select ${key} from ${name} t where ${whose} and ${condition} ${order} limit ${limit} for update skip locked)
    delete from ${name} t where ${whose} and (${key}) in (select ${key} from taken)`
  return count
}
