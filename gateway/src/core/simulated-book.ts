import { invariant } from '../kernel/errors.ts'
import { type Db, rowSet } from '../platform/db.ts'
import { lane } from '../platform/lanes.ts'

interface Entry {
  readonly facts: Readonly<Record<string, unknown>>
  readonly at: Date
}

interface Keeping extends Entry {
  readonly rail: string
  readonly reference: string
}

/** The memory of the simulated rails, in the database, so that it outlives the process and is one for all of them. */
export function simulatedBook(db: Db) {
  const keep = lane({ name: 'simulated book', run: (entries: readonly Keeping[]) => keepAll(db, entries) })
  return {
    /** Writes down what is known of a reference, in place of what was, unless that has changed; answers whether it did. */
    replace: async (rail: string, reference: string, before: object, facts: object): Promise<boolean> => {
      const { count } = await db`
        update simulated_entry set facts = ${JSON.stringify(facts)}
         where rail = ${rail} and reference = ${reference} and facts::jsonb = ${JSON.stringify(before)}::jsonb`
      return count === 1
    },
    /** Writes unless something stands there already; answers what stands there now. */
    keep: (rail: string, reference: string, facts: object, at: Date): Promise<Entry> =>
      keep({ rail, reference, facts: { ...facts }, at }),
    read: async (rail: string, reference: string): Promise<Entry | undefined> => {
      const [row] = await db<Entry[]>`
        select facts, at from simulated_entry where rail = ${rail} and reference = ${reference}`
      return row
    },
  }
}

/**
 * Writes what is new with one statement, and reads what was there with a second where there was any. It is not waited for
 * until it is on the disk: only a crash of the database itself lets the simulated rails forget the last moments.
 */
async function keepAll(db: Db, entries: readonly Keeping[]): Promise<Entry[]> {
  const { count } = await db`
    insert into simulated_entry (rail, reference, facts, at)
    select e.rail, e.reference, e.facts, e.at
      from (select set_config('synchronous_commit', 'off', true)) fleeting
     cross join json_populate_recordset(null::simulated_entry, ${rowSet(entries)}::text::json) e
     order by rail, reference
        on conflict (rail, reference) do nothing`
  if (count === entries.length) return [...entries]
  const rows = await db<Keeping[]>`
    select rail, reference, e.facts, e.at
      from json_to_recordset(${rowSet(entries, ['rail', 'reference'])}::text::json) as k (rail text, reference text)
      join simulated_entry e using (rail, reference)`
  const kept = new Map(rows.map((row) => [`${row.rail}/${row.reference}`, row]))
  return entries.map(({ rail, reference }) => {
    const entry = kept.get(`${rail}/${reference}`)
    invariant(entry !== undefined, 'what was kept is there')
    return entry
  })
}
