/** The simulated outside world's own memory, for outcomes that are known only later. It outlives the process. */
export interface SimulatedBook {
  readonly write: (rail: string, reference: string, facts: object, at: Date) => Promise<void>
  /** Writes unless something stands there already; answers what stands there now. So a reference is carried out once. */
  readonly keep: (rail: string, reference: string, facts: object, at: Date) => Promise<SimulatedEntry>
  readonly read: (rail: string, reference: string) => Promise<SimulatedEntry | undefined>
}

export interface SimulatedEntry {
  readonly facts: Readonly<Record<string, unknown>>
  readonly at: Date
}
