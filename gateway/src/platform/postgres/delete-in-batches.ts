import type { Db, Tx } from './db.ts'
import { type Fragment, names, plain, sql } from './sql.ts'
import { columnName, type Table } from './table.ts'

/**
 * Deletes up to `limit` rows that match; returns how many. Rows that another node is deleting are skipped, because
 * deleting the same rows in different orders could deadlock.
 */
export async function deleteBatch<R extends object>(
  db: Db | Tx,
  { name, primaryKey }: Table<R, string>,
  condition: Fragment,
  limit: number,
  /** The indexed column that finds the rows. */
  by?: keyof R & string,
  /** Restricts merchants' rows (alias `t`) to one shard, because a query cannot lock rows of two shards. */
  whose: Fragment = plain('true'),
): Promise<number> {
  const key = names(...primaryKey.map(columnName))
  const order = by === undefined ? sql`` : sql`order by ${names(columnName(by))}`
  // Rows are selected separately: within the delete, PostgreSQL may evaluate the limit again per row and delete more.
  const { count } = await db`
    with taken as materialized (
      select ${key} from ${name} t where ${whose} and ${condition} ${order} limit ${limit} for update skip locked)
    delete from ${name} t where ${whose} and (${key}) in (select ${key} from taken)`
  return count
}
