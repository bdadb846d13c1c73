import { isDeepStrictEqual } from 'node:util'
import { invariant } from '@kobo/gateway/kernel/errors.ts'
import { isNeverSeen, type SimulatedBook } from '@kobo/gateway/rails/simulated/index.ts'

/** The maximum number of entries, because a simulated partner deletes none. */
const ENTRIES_MAX = 1_000_000

type Entry = NonNullable<Awaited<ReturnType<SimulatedBook['read']>>>

export interface Effect {
  readonly rail: string
  readonly reference: string
  readonly facts: Entry['facts']
}

/** The memory of the simulated partners. It is lost when the process ends. */
export interface MemoryBook extends SimulatedBook {
  /** Everything ever done, in order, including duplicates. */
  readonly effects: () => readonly Effect[]
  readonly forget: (rail: string, reference: string) => void
}

export function memoryBook(): MemoryBook {
  const rails = new Map<string, Map<string, Entry>>()
  const effects: Effect[] = []
  const of = (rail: string): Map<string, Entry> => {
    const entries = rails.get(rail) ?? new Map<string, Entry>()
    rails.set(rail, entries)
    return entries
  }
  return {
    replace: async (rail, reference, before, facts) => {
      const entry = of(rail).get(reference)
      if (entry === undefined || !isDeepStrictEqual(entry.facts, before)) return false
      of(rail).set(reference, { ...entry, facts: { ...facts } })
      return true
    },
    keep: async (rail, reference, facts, at) => {
      const present = of(rail).get(reference)
      if (present !== undefined) return present
      invariant(of(rail).size < ENTRIES_MAX, `a simulated partner remembers at most ${ENTRIES_MAX} references`)
      const entry = { facts: { ...facts }, at }
      of(rail).set(reference, entry)
      if (!isNeverSeen(entry)) effects.push({ rail, reference, facts: entry.facts })
      return entry
    },
    read: async (rail, reference) => of(rail).get(reference),
    effects: () => effects,
    forget: (rail, reference) => void of(rail).delete(reference),
  }
}
