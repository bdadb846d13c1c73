import type { Kobo } from '../../kernel/money.ts'
import { columnsOf, type Db, type Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** Ledger entries that change a partner's balance. */
const entries = table('reconciliation_entry', ['partner', 'merchantId', 'key'], {
  partner: column<string>(),
  merchantId: column<bigint>(),
  key: column<string>(),
  day: column<number>(),
  amount: column<Kobo>(),
  kind: column<'PAYMENT' | 'COST'>(),
  method: column<string>(),
  /** Our income from the payment. */
  income: column<Kobo>(),
  /** The references by which a statement line may name the entry. */
  named: column<readonly string[]>(),
  itemId: column<bigint | null>(),
})
export type EntryRow = Row<typeof entries>

/** Inserts the entries that are not stored yet. */
export const insertEntries = (tx: Tx, rows: readonly EntryRow[]): Promise<number> =>
  entries.insertNew(tx, rows, sql`(partner, merchant_id, key)`)

/** The columns used for matching. Only these are read, since there may be many rows. */
const MATCHING_COLUMNS = ['merchantId', 'key', 'day', 'amount', 'kind', 'method', 'named', 'itemId'] as const
export type Entry = Pick<EntryRow, (typeof MATCHING_COLUMNS)[number]>
const matchingColumns = entries.only(...MATCHING_COLUMNS)

/** Reads entries that are not matched yet, or whose match has a difference between bank and ledger, oldest first. */
export const selectUnmatchedEntries = (tx: Tx, partner: string): Promise<Entry[]> =>
  tx<Entry[]>`
    select ${matchingColumns} from reconciliation_entry where partner = ${partner} and item_id is null
    union all
    select ${matchingColumns} from reconciliation_entry
     where partner = ${partner}
       and item_id in (select id from reconciliation_item where partner = ${partner} and settled_on is null)
     order by day, merchant_id, key`

export const selectEntriesOf = (db: Db | Tx, partner: string, items: readonly bigint[]): Promise<EntryRow[]> =>
  db<EntryRow[]>`
    select ${entries.columns} from reconciliation_entry
     where partner = ${partner} and item_id = any(${items.map(String)}::bigint[]) order by day, key`

/** Reads the unmatched entries that have one of the given references, oldest first. */
export const selectNamedEntries = (tx: Tx, partner: string, names: readonly string[]): Promise<Entry[]> =>
  tx<Entry[]>`
    select ${matchingColumns} from reconciliation_entry
     where partner = ${partner} and (merchant_id, key) in (
       select e.merchant_id, e.key from reconciliation_entry e
        cross join lateral unnest(e.named) n (name)
         join unnest(${names}::text[]) w (name) on w.name = n.name
        where e.partner = ${partner} and e.item_id is null)
     order by day, merchant_id, key`

type Outgoing = Pick<EntryRow, 'key' | 'named'>
interface Days {
  readonly from: number
  readonly to: number
}

/** Finds an outgoing payment of the given days that has one of the given references. */
export async function findOutgoing(
  tx: Tx,
  partner: string,
  names: readonly string[],
  { from, to }: Days,
): Promise<Outgoing | undefined> {
  const [row] = await tx<Outgoing[]>`
    select key, named from reconciliation_entry
     where partner = ${partner} and day between ${from} and ${to} and amount < 0 and named && ${names}::text[]
     limit 1`
  return row
}

/** Reads the outgoing payments of the given days and amount. */
export const selectOutgoing = (tx: Tx, partner: string, amount: Kobo, { from, to }: Days): Promise<Outgoing[]> =>
  tx<Outgoing[]>`
    select key, named from reconciliation_entry
     where partner = ${partner} and day between ${from} and ${to} and amount = ${amount}`

export type MatchedEntry = Pick<EntryRow, 'merchantId' | 'method' | 'amount' | 'day'>

/** Reads the matched entries since a day that have one of the given amounts. */
export const selectMatchedEntries = async (
  tx: Tx,
  partner: string,
  fromDay: number,
  amounts: readonly Kobo[],
): Promise<MatchedEntry[]> =>
  amounts.length === 0
    ? []
    : tx<MatchedEntry[]>`
        select e.merchant_id, e.method, e.amount, e.day from reconciliation_entry e
          join unnest(${amounts.map(String)}::bigint[]) w (amount) on w.amount = e.amount
          join reconciliation_item i on i.partner = e.partner and i.id = e.item_id
         where e.partner = ${partner} and e.day >= ${fromDay} and i.settled_on is not null`

export async function assignEntries(
  tx: Tx,
  partner: string,
  rows: readonly Pick<EntryRow, 'merchantId' | 'key' | 'itemId'>[],
): Promise<void> {
  if (rows.length === 0) return
  const { merchantId, key, itemId } = columnsOf(rows, 'merchantId', 'key', 'itemId')
  await tx`
    update reconciliation_entry e set item_id = c.item_id
      from unnest(${merchantId}::bigint[], ${key}::text[], ${itemId}::bigint[]) c (merchant_id, key, item_id)
     where e.partner = ${partner} and e.merchant_id = c.merchant_id and e.key = c.key`
}

/** Counts the entries of a day. */
export async function countEntries(db: Db | Tx, partner: string, day: number): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`
    select count(*) from reconciliation_entry where partner = ${partner} and day = ${day}`
  return Number(row?.count ?? 0n)
}
