import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** An explained difference between the bank's balance and the ledger's. */
export interface Explained {
  readonly id: string
  readonly reason: string
  readonly day: string
  /** In naira. */
  readonly amount: string
  readonly note: string | null
}

const days = table('reconciliation_day', ['partner', 'day'], {
  partner: column<string>(),
  day: column<number>(),
  bank: column<Kobo>(),
  books: column<Kobo>(),
  explained: column<readonly Explained[]>(),
  lines: column<number>(),
  entries: column<number>(),
  closedAt: column<Date>(),
  closedBy: column<string>(),
})
export type DayRow = Row<typeof days>

export const insertDay = (tx: Tx, row: DayRow): void => days.insert(tx, [row])

export async function lastClosed(db: Db | Tx, partner: string): Promise<number | undefined> {
  const [row] = await db<{ day: number | null }[]>`
    select max(day) as day from reconciliation_day where partner = ${partner}`
  return row?.day ?? undefined
}

/** Returns the last closed days of a partner, newest first. */
export const selectLastClosed = (db: Db, partner: string, limit: number): Promise<DayRow[]> =>
  db<DayRow[]>`
    select ${days.columns} from reconciliation_day where partner = ${partner} order by day desc limit ${limit}`

/** Returns closed days of a partner, oldest first. */
export const selectDays = (db: Db, partner: string, from: number, to: number): Promise<DayRow[]> =>
  db<DayRow[]>`
    select ${days.columns} from reconciliation_day
     where partner = ${partner} and day between ${from} and ${to} order by day`
