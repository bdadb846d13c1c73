import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { setsOf } from '../../platform/sets.ts'
import { sql } from '../../platform/sql.ts'
import { column, type Row, table } from '../../platform/table.ts'

/** What journals do to what partners hold, by the books. */
const entries = table('reconciliation_entry', ['partner', 'merchantId', 'key'], {
  partner: column<string>(),
  merchantId: column<bigint>(),
  /** The journal's. */
  key: column<string>(),
  day: column<number>(),
  amount: column<Kobo>(),
  kind: column<'PAYMENT' | 'COST'>(),
  method: column<string>(),
  /** What we earned by it. */
  income: column<Kobo>(),
  named: column<readonly string[]>(),
  itemId: column<bigint | null>(),
})
export type EntryRow = Row<typeof entries>

const SET_MAX = 2_000

/** Keeps entries, each once. */
export async function insertEntries(tx: Tx, rows: readonly EntryRow[]): Promise<void> {
  for (const set of setsOf(rows, SET_MAX)) await entries.insertNew(tx, set, sql`(partner, merchant_id, key)`)
}

/** Entries that belong to nothing yet, or to something that does not add up, oldest first. */
export const selectLooseEntries = (tx: Tx, partner: string): Promise<EntryRow[]> =>
  tx<EntryRow[]>`
    select ${entries.columns} from reconciliation_entry where partner = ${partner} and item_id is null
    union all
    select ${entries.of('e')} from reconciliation_item i
      join reconciliation_entry e on e.partner = i.partner and e.item_id = i.id
     where i.partner = ${partner} and i.settled_on is null
     order by day, merchant_id, key`

/** What entries of some items say. */
export const selectEntriesOf = (db: Db | Tx, partner: string, items: readonly bigint[]): Promise<EntryRow[]> =>
  db<EntryRow[]>`
    select ${entries.columns} from reconciliation_entry
     where partner = ${partner} and item_id = any(${items.map(String)}::bigint[]) order by day, key`

/** Entries of some days that belong to something already. */
export const selectTakenEntries = (tx: Tx, partner: string, fromDay: number): Promise<EntryRow[]> =>
  tx<EntryRow[]>`
    select ${entries.of('e')} from reconciliation_entry e
      join reconciliation_item i on i.partner = e.partner and i.id = e.item_id
     where e.partner = ${partner} and e.day >= ${fromDay} and i.settled_on is not null`

/** Writes down what entries belong to. */
export function assignEntries(tx: Tx, rows: readonly EntryRow[]): void {
  for (const set of setsOf(rows, SET_MAX)) entries.update(tx, set, ['itemId'])
}

/** How many entries are of a day. */
export async function countEntries(db: Db | Tx, partner: string, day: number): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`
    select count(*) from reconciliation_entry where partner = ${partner} and day = ${day}`
  return Number(row?.count ?? 0n)
}
