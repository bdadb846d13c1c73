import type { RunningGateway } from './processes.ts'

/** What one benchmark found: our figure, the baseline's, and how they compare. */
export interface Finding {
  readonly name: string
  readonly figures: Readonly<Record<string, string>>
}

export interface Bench {
  readonly databaseUrl: string
  readonly pgbenchUrl: string
  readonly seconds: number
  readonly rounds: number
  /** How many transactions are settled in one run. */
  readonly transactions: number
  readonly gateway: RunningGateway
  readonly progress: (text: string) => void
}

/** The middle of the figures of several rounds. */
export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
