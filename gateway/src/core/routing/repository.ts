import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { RoutingTable } from './rules.ts'

/** Routing tables; each version is kept, and orders refer to it. */
const tables = table('routing_table', ['version'], {
  version: column<number>(),
  routes: column<RoutingTable>(),
  madeAt: column<Date>(),
  madeBy: column<string>(),
})
export type RoutingTableRow = Row<typeof tables>

export async function findTable(db: Db | Tx): Promise<RoutingTableRow | undefined> {
  const [row] = await db<RoutingTableRow[]>`
    select ${tables.columns} from routing_table order by version desc limit 1`
  return row
}

/** Reads the newest tables, the current one first. */
export const selectTables = (db: Db, limit: number): Promise<RoutingTableRow[]> =>
  db<RoutingTableRow[]>`select ${tables.columns} from routing_table order by version desc limit ${limit}`

export const insertTable = (tx: Tx, row: RoutingTableRow): void => tables.insert(tx, [row])

/** Announces a new table to all nodes. */
export function notifyTableChanged(tx: Tx, channel: string): void {
  void tx`select pg_notify(${channel}, '')`
}

/** Finds merchants by code; returns their codes by id. */
export async function selectMerchantCodes(db: Db, codes: readonly string[]): Promise<ReadonlyMap<bigint, string>> {
  if (codes.length === 0) return new Map()
  const rows = await db<{ id: bigint; code: string }[]>`
    select id, code from merchant where code = any(${codes}::text[])`
  return new Map(rows.map(({ id, code }) => [id, code]))
}
