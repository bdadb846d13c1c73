import type { RunningGateway } from './processes.ts'

/** What a benchmark is given: a gateway on a database of its own, and how long to look at it. */
export interface Bench {
  readonly databaseUrl: string
  readonly pgbenchUrl: string
  /** A database for another program to be compared with. */
  readonly peerUrl: string
  /** A Citus coordinator, where one is given. */
  readonly coordinatorUrl: string | undefined
  readonly seconds: number
  readonly rounds: number
  /** How many transactions are settled in one run. */
  readonly transactions: number
  /** How many rows there are in a large table. */
  readonly rows: number
  readonly gateway: RunningGateway
  readonly progress: (text: string) => void
}

/** How fast something went in one round. */
export interface Measure {
  readonly perSecond: number
  /** How often it was done. */
  readonly requests: number
  readonly p50Milliseconds?: number
  readonly p99Milliseconds?: number
}

/** Something that is measured in turn with a baseline, round by round: machines differ and are shared, and the ratio is what counts. */
export interface Race {
  /** What the baseline is, and what is held against it. */
  readonly baseline: string
  readonly ours: string
  readonly open: (bench: Bench) => Promise<Runners>
}

export interface Runners {
  /** Makes what a round uses up, before its clock runs. */
  readonly prepare?: (round: number) => Promise<void>
  /** Undefined where there is none on this machine. */
  readonly baseline: (round: number) => Promise<Measure | undefined>
  readonly ours: (round: number) => Promise<Measure>
  readonly close?: () => Promise<void>
}

/** Something that is looked at once: figures by name. */
export type Look = (bench: Bench) => Promise<Readonly<Record<string, string>>>

/** The middle of the figures of several rounds. */
export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
