import { invariant } from '../kernel/errors.ts'
import type { Db } from '../platform/db.ts'

/** The memory of the simulated rails, in the database, so that it outlives the process and is one for all of them. */
export const simulatedBook = (db: Db) => ({
  /** Writes down what is known of a reference, in place of what was. */
  write: async (rail: string, reference: string, facts: object, at: Date): Promise<void> => {
    await db`
      insert into simulated_entry (rail, reference, facts, at) values (${rail}, ${reference}, ${JSON.stringify(facts)}, ${at})
          on conflict (rail, reference) do update set facts = excluded.facts`
  },
  /** Writes unless something stands there already; answers what stands there now. */
  keep: async (
    rail: string,
    reference: string,
    facts: object,
    at: Date,
  ): Promise<{ readonly facts: Record<string, unknown>; readonly at: Date }> => {
    // An update that changes nothing, because a conflict that is passed over returns no row.
    const [row] = await db<{ facts: Record<string, unknown>; at: Date }[]>`
      insert into simulated_entry (rail, reference, facts, at) values (${rail}, ${reference}, ${JSON.stringify(facts)}, ${at})
          on conflict (rail, reference) do update set facts = simulated_entry.facts
      returning facts, at`
    invariant(row !== undefined, 'what was kept is there')
    return row
  },
  read: async (
    rail: string,
    reference: string,
  ): Promise<{ readonly facts: Record<string, unknown>; readonly at: Date } | undefined> => {
    const [row] = await db<{ facts: Record<string, unknown>; at: Date }[]>`
      select facts, at from simulated_entry where rail = ${rail} and reference = ${reference}`
    return row
  },
})
