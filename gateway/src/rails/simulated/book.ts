import { invariant } from '../../kernel/errors.ts'
import { type Db, rowSet } from '../../platform/db.ts'
import { lane } from '../../platform/lanes.ts'
import { column, type Row, table } from '../../platform/table.ts'

/** The simulated outside world's own memory, for outcomes that are known only later. It outlives the process. */
export interface SimulatedBook {
  /** Writes in place of what was there, unless that has changed; answers whether it did. So a decision stands. */
  readonly replace: (rail: string, reference: string, before: object, facts: object) => Promise<boolean>
  /** Writes unless something stands there already; answers what stands there now. So a reference is carried out once. */
  readonly keep: (rail: string, reference: string, facts: object, at: Date) => Promise<SimulatedEntry>
  readonly read: (rail: string, reference: string) => Promise<SimulatedEntry | undefined>
}

/** What a simulated rail remembers of a reference. The outside world knows no merchants. */
const entries = table('simulated_entry', ['rail', 'reference'], {
  rail: column<string>(),
  reference: column<string>(),
  facts: column<Readonly<Record<string, unknown>>>(),
  at: column<Date>(),
})
type EntryRow = Row<typeof entries>
export type SimulatedEntry = Pick<EntryRow, 'facts' | 'at'>

const NEVER_SEEN = { neverSeen: true }

/** Whether somebody was told that this reference is never carried out. */
export const isNeverSeen = ({ facts }: SimulatedEntry): boolean => 'neverSeen' in facts

/**
 * What is known of a reference, for somebody who asks; undefined where it was not carried out. Then that is written down,
 * so that it stays true: what is still on its way is refused when it arrives.
 */
export async function askedAbout(
  book: SimulatedBook,
  rail: string,
  reference: string,
  at: Date,
): Promise<SimulatedEntry | undefined> {
  const entry = await book.keep(rail, reference, NEVER_SEEN, at)
  return isNeverSeen(entry) ? undefined : entry
}

/** The memory of the simulated rails in the database, one for all processes. */
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
 * Writes what is new with one statement, and reads what was there with a second where there was any. It is not waited for
 * until it is on the disk: only a crash of the database itself lets the simulated rails forget the last moments.
 */
async function keepAll(db: Db, rows: readonly EntryRow[]): Promise<SimulatedEntry[]> {
  const { count } = await db`
    insert into simulated_entry (${entries.columns})
    select ${entries.of('e')}
      from (select set_config('synchronous_commit', 'off', true)) fleeting
     cross join ${entries.set(rows)} e
     order by rail, reference
        on conflict (rail, reference) do nothing`
  if (count === rows.length) return [...rows]
  const present = await db<EntryRow[]>`
    select ${entries.of('e')}
      from json_to_recordset(${rowSet(rows, ['rail', 'reference'])}::text::json) as k (rail text, reference text)
      join simulated_entry e on e.rail = k.rail and e.reference = k.reference`
  const kept = new Map(present.map((row) => [`${row.rail}/${row.reference}`, row]))
  return rows.map(({ rail, reference }) => {
    const entry = kept.get(`${rail}/${reference}`)
    invariant(entry !== undefined, 'what was kept is there')
    return entry
  })
}
