import { invariant } from '../../kernel/errors.ts'
import { lane } from '../../platform/lanes/lane.ts'
import { type Db, rowSet } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** The storage of the simulated partners. It survives a restart, so outcomes can be decided later. */
export interface SimulatedBook {
  /**
   * Replaces an entry unless it has changed since `before` was read, so that the first decision stays. Returns whether
   * the entry was replaced.
   */
  readonly replace: (rail: string, reference: string, before: object, facts: object) => Promise<boolean>
  /** Inserts an entry unless one exists, so that a reference is processed once; returns the stored entry. */
  readonly keep: (rail: string, reference: string, facts: object, at: Date) => Promise<SimulatedEntry>
  readonly read: (rail: string, reference: string) => Promise<SimulatedEntry | undefined>
}

/** A simulated rail's entry for a reference. It has no merchant, because partners do not know our merchants. */
const entries = table('simulated_entry', ['rail', 'reference'], {
  rail: column<string>('text'),
  reference: column<string>('text'),
  facts: column<Readonly<Record<string, unknown>>>('json'),
  at: column<Date>('timestamptz'),
})
type EntryRow = Row<typeof entries>
export type SimulatedEntry = Pick<EntryRow, 'facts' | 'at'>

const REPORTED_NOT_FOUND = { neverSeen: true }

/** Whether an earlier query has already reported the reference as not found. */
export const wasReportedNotFound = ({ facts }: SimulatedEntry): boolean => 'neverSeen' in facts

/**
 * Finds the entry of a queried reference. If there is none, stores that it was reported as not found, and returns
 * undefined. This stays true, because a request that arrives later is rejected.
 */
export async function queriedEntry(
  book: SimulatedBook,
  rail: string,
  reference: string,
  at: Date,
): Promise<SimulatedEntry | undefined> {
  const entry = await book.keep(rail, reference, REPORTED_NOT_FOUND, at)
  return wasReportedNotFound(entry) ? undefined : entry
}

/** Opens the simulated rails' storage in the database, which all processes share. */
export function simulatedBook(db: Db): SimulatedBook {
  const keep = lane({ name: 'simulated book', run: (rows: readonly EntryRow[]) => keepAll(db, rows) })
  return {
    replace: async (rail, reference, before, facts) => {
      const { count } = await db`
        update simulated_entry set facts = ${JSON.stringify(facts)}
         where rail = ${rail} and reference = ${reference} and facts::jsonb = ${JSON.stringify(before)}::jsonb`
      return count === 1
    },
    keep: (rail, reference, facts, at) => keep({ rail, reference, facts: { ...facts }, at }),
    read: async (rail, reference) => {
      const [row] = await db<SimulatedEntry[]>`
        select facts, at from simulated_entry where rail = ${rail} and reference = ${reference}`
      return row
    },
  }
}

/**
 * Inserts new entries with one query, and reads existing ones with a second. It does not wait for the disk, so a
 * database crash may lose the newest entries.
 */
async function keepAll(db: Db, rows: readonly EntryRow[]): Promise<SimulatedEntry[]> {
  const { count } = await db`
    insert into simulated_entry (${entries.columns})
    select c.rail, c.reference, c.facts::json, c.at
      from (select set_config('synchronous_commit', 'off', true)) fleeting
     cross join ${entries.from(rows)}
     order by rail, reference
        on conflict (rail, reference) do nothing`
  if (count === rows.length) return [...rows]
  const existing = await db<EntryRow[]>`
    select ${entries.of('e')}
      from json_to_recordset(${rowSet(rows, ['rail', 'reference'])}::text::json) as k (rail text, reference text)
      join simulated_entry e on e.rail = k.rail and e.reference = k.reference`
  const stored = new Map(existing.map((row) => [`${row.rail}/${row.reference}`, row]))
  return rows.map(({ rail, reference }) => {
    const entry = stored.get(`${rail}/${reference}`)
    invariant(entry !== undefined, 'a recorded entry exists')
    return entry
  })
}
