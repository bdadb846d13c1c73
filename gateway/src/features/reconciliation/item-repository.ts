import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { MatchedReference, Reason } from './matching.ts'

export type ItemState = 'MATCHED' | 'OPEN' | 'EXPLAINED' | 'CREDITING' | 'BOOKED'

/** Items: each has statement lines and ledger entries that were matched, or one line or entry without a counterpart. */
const items = table('reconciliation_item', ['partner', 'id'], {
  partner: column<string>(),
  id: column<bigint>(),
  state: column<ItemState>(),
  matchedBy: column<string | null>(),
  reason: column<Reason | null>(),
  /** The day of the earliest part. */
  day: column<number>(),
  settledOn: column<number | null>(),
  /** The bank's amount less the ledger's. */
  difference: column<Kobo>(),
  note: column<string | null>(),
})
export type ItemRow = Row<typeof items>

const SHOWN_MAX = 1_000

export const insertItems = (tx: Tx, rows: readonly ItemRow[]): void => items.insert(tx, rows)

export const updateItems = (tx: Tx, rows: readonly ItemRow[]): void =>
  items.update(tx, rows, items.except('partner', 'id'))

/** Deletes items whose parts were assigned to others. */
export function removeItems(tx: Tx, partner: string, ids: readonly bigint[]): void {
  if (ids.length > 0)
    void tx`delete from reconciliation_item where partner = ${partner} and id = any(${ids.map(String)}::bigint[])`
}

export const selectUnsettled = (db: Db | Tx, partner: string): Promise<ItemRow[]> =>
  db<ItemRow[]>`
    select ${items.columns} from reconciliation_item where partner = ${partner} and settled_on is null order by day, id`

/** Reads the unsettled items of one partner or all, oldest first. */
export const selectExceptions = (db: Db | Tx, partner: string | null): Promise<ItemRow[]> =>
  db<ItemRow[]>`
    select ${items.columns} from reconciliation_item
     where settled_on is null and (${partner}::text is null or partner = ${partner}::text)
     order by day, id limit ${SHOWN_MAX}`

/** Locks an item for a decision until the transaction ends. */
export async function lockItem(tx: Tx, id: bigint): Promise<ItemRow | undefined> {
  // Locks the account first, as matching does. Otherwise a match in progress could overwrite a newer decision.
  await tx`
    select from statement_account a join reconciliation_item i on i.partner = a.partner where i.id = ${id} for update of a`
  const [row] = await tx<ItemRow[]>`select ${items.columns} from reconciliation_item where id = ${id} for update`
  return row
}

export const changeItem = (tx: Tx, { partner, id }: Pick<ItemRow, 'partner' | 'id'>, change: Partial<ItemRow>): void =>
  void items.change(tx, sql`partner = ${partner} and id = ${id}`, change)

/** An item's difference between bank and ledger at the end of a day. */
export interface Remainder {
  readonly id: bigint
  readonly state: ItemState
  readonly reason: Reason | null
  readonly day: number
  readonly note: string | null
  readonly amount: Kobo
}

/**
 * Reads the differences at the end of a day: items that were open then, and items that bank and ledger have on
 * different days.
 */
export const selectRemainders = (db: Db | Tx, partner: string, upTo: number): Promise<Remainder[]> =>
  db<Remainder[]>`
    with unsettled as (
      select id, state, reason, day, note from reconciliation_item
       where partner = ${partner} and (settled_on is null or settled_on > ${upTo}) and day <= ${upTo}),
    parts as (
      select u.id, l.amount from unsettled u
        join statement_line l on l.partner = ${partner} and l.item_id = u.id and l.day <= ${upTo}
      union all
      select u.id, -e.amount from unsettled u
        join reconciliation_entry e on e.partner = ${partner} and e.item_id = u.id and e.day <= ${upTo})
    select u.id, u.state, u.reason, u.day, u.note, sum(p.amount)::bigint as amount
      from unsettled u join parts p on p.id = u.id
     group by u.id, u.state, u.reason, u.day, u.note
    having sum(p.amount) <> 0
     order by u.day, u.id`

/** Counts items by state, and matched ones by how they were matched. */
export const countItems = (
  db: Db | Tx,
  partner: string,
): Promise<{ readonly state: ItemState; readonly matchedBy: string | null; readonly count: bigint }[]> =>
  db<{ state: ItemState; matchedBy: string | null; count: bigint }[]>`
    select state, matched_by, count(*) from reconciliation_item where partner = ${partner} group by 1, 2 order by 1, 2`

/** Counts each partner's exceptions by the day of their earliest part. */
export const countExceptions = (
  db: Db,
): Promise<{ readonly partner: string; readonly day: number; readonly count: bigint }[]> =>
  db<{ partner: string; day: number; count: bigint }[]>`
    select partner, day, count(*) from reconciliation_item
     where settled_on is null and state <> 'EXPLAINED' group by partner, day`

/** Reopens an item for the operators if it still waits for its ledger entry. */
export const reopenUnmatched = (tx: Tx, partner: string, id: bigint, note: string): void =>
  void items.change(tx, sql`partner = ${partner} and id = ${id} and state = 'CREDITING'`, { state: 'OPEN', note })

/** Reads the items that are to be received as credits, over all partners. */
export const selectCrediting = (db: Db, limit: number): Promise<ItemRow[]> =>
  db<ItemRow[]>`select ${items.columns} from reconciliation_item where state = 'CREDITING' order by id limit ${limit}`

/** Finds which of the given references belong to lines and payments that were matched since a day, with the amounts. */
export const selectMatchedReferences = async (
  tx: Tx,
  partner: string,
  fromDay: number,
  names: readonly string[],
): Promise<MatchedReference[]> =>
  names.length === 0
    ? []
    : tx<MatchedReference[]>`
        select distinct n.name, p.amount
          from (select item_id, array_append(named, bank_reference) as names, amount from statement_line
                 where partner = ${partner} and day >= ${fromDay} and not is_fee
                 union all
                select item_id, named, amount from reconciliation_entry
                 where partner = ${partner} and day >= ${fromDay} and kind = 'PAYMENT') p
         cross join lateral unnest(p.names) n (name)
          join unnest(${names}::text[]) w (name) on w.name = n.name
          join reconciliation_item i on i.partner = ${partner} and i.id = p.item_id and i.settled_on is not null`
