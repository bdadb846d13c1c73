/** The simulated outside world's own memory, for outcomes that are known only later. It outlives the process. */
export interface SimulatedBook {
  /** Writes in place of what was there, unless that has changed; answers whether it did. So a decision stands. */
  readonly replace: (rail: string, reference: string, before: object, facts: object) => Promise<boolean>
  /** Writes unless something stands there already; answers what stands there now. So a reference is carried out once. */
  readonly keep: (rail: string, reference: string, facts: object, at: Date) => Promise<SimulatedEntry>
  readonly read: (rail: string, reference: string) => Promise<SimulatedEntry | undefined>
}

export interface SimulatedEntry {
  readonly facts: Readonly<Record<string, unknown>>
  readonly at: Date
}
