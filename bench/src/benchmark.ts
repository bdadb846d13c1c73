import type { RunningGateway } from './processes.ts'

/** The inputs of a benchmark: a gateway with its own database, and the duration. */
export interface Bench {
  readonly databaseUrl: string
  readonly pgbenchUrl: string
  /** A Citus coordinator, if given. */
  readonly coordinatorUrl: string | undefined
  readonly seconds: number
  readonly rounds: number
  /** The size of a large table. */
  readonly rows: number
  readonly gateway: RunningGateway
  readonly progress: (text: string) => void
}

/** The speed in one round. */
export interface Measure {
  readonly perSecond: number
  /** The number of requests. */
  readonly requests: number
  readonly p50Milliseconds?: number
  readonly p99Milliseconds?: number
}

/** An operation and its baseline, measured in turn. Machines differ and are shared, so only their ratio counts. */
export interface Race {
  /** The names of the baseline and of the measured operation. */
  readonly baseline: string
  readonly ours: string
  readonly open: (bench: Bench) => Promise<Runners>
}

export interface Runners {
  /** Prepares a round before its clock starts. */
  readonly prepare?: (round: number) => Promise<void>
  /** Undefined if the baseline is not available on this machine. */
  readonly baseline: (round: number) => Promise<Measure | undefined>
  readonly ours: (round: number) => Promise<Measure>
  readonly close?: () => Promise<void>
}

/** A benchmark without a baseline. Returns its figures by name. */
export type PlainBenchmark = (bench: Bench) => Promise<Readonly<Record<string, string>>>

/** The median of several rounds. */
export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
