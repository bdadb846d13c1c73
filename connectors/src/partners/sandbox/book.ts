import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { invariant } from '@kobo/gateway/kernel/errors.ts'
import { type SimulatedBook, wasReportedNotFound } from '@kobo/gateway/rails/simulated/index.ts'

/** The maximum number of entries, because a simulated partner deletes none. */
const ENTRIES_MAX = 1_000_000

type Entry = NonNullable<Awaited<ReturnType<SimulatedBook['read']>>>

export interface Effect {
  readonly rail: string
  readonly reference: string
  readonly facts: Entry['facts']
}

/** A line of the file: an entry, an entry that was forgotten, or a fault that was applied to a reference. */
interface Line extends Partial<Effect> {
  readonly at?: string
  readonly isForgotten?: boolean
  readonly fault?: string
}

/** The memory of the simulated partners. It is lost when the process ends, unless it has a file. */
export interface MemoryBook extends SimulatedBook {
  /** Everything that the partners ever did, in order, including duplicates. */
  readonly effects: () => readonly Effect[]
  readonly forget: (rail: string, reference: string) => void
  /** Writes a fault into the file, so that a test can compare what the partner did wrong. */
  readonly logFault: (fault: string, reference: string) => void
}

export function memoryBook(file?: string): MemoryBook {
  const rails = new Map<string, Map<string, Entry>>()
  const effects: Effect[] = []
  const of = (rail: string): Map<string, Entry> => {
    const entries = rails.get(rail) ?? new Map<string, Entry>()
    rails.set(rail, entries)
    return entries
  }
  const write = (line: Line): void => {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
  }
  const remember = (rail: string, reference: string, entry: Entry): void => {
    of(rail).set(reference, entry)
    if (!wasReportedNotFound(entry)) effects.push({ rail, reference, facts: entry.facts })
  }
  for (const { rail = '', reference = '', facts, at, isForgotten } of linesIn(file)) {
    if (isForgotten === true) of(rail).delete(reference)
    else if (facts === undefined || at === undefined) continue
    else if (of(rail).has(reference)) of(rail).set(reference, { facts, at: new Date(at) })
    else remember(rail, reference, { facts, at: new Date(at) })
  }
  return {
    replace: async (rail, reference, before, facts) => {
      const entry = of(rail).get(reference)
      if (entry === undefined || !isDeepStrictEqual(entry.facts, before)) return false
      of(rail).set(reference, { ...entry, facts: { ...facts } })
      write({ rail, reference, facts: { ...facts }, at: entry.at.toISOString() })
      return true
    },
    keep: async (rail, reference, facts, at) => {
      const present = of(rail).get(reference)
      if (present !== undefined) return present
      invariant(of(rail).size < ENTRIES_MAX, `a simulated partner remembers at most ${ENTRIES_MAX} references`)
      const entry = { facts: { ...facts }, at }
      remember(rail, reference, entry)
      write({ rail, reference, facts: entry.facts, at: at.toISOString() })
      return entry
    },
    read: async (rail, reference) => of(rail).get(reference),
    effects: () => effects,
    forget: (rail, reference) => {
      of(rail).delete(reference)
      write({ rail, reference, isForgotten: true })
    },
    logFault: (fault, reference) => write({ fault, reference }),
  }
}

function linesIn(file: string | undefined): readonly Line[] {
  if (file === undefined || !existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Line)
}
