import { BALANCES } from './balances.ts'
import { EFFECTS } from './effects.ts'
import { EVENTS } from './events.ts'
import type { History } from './history.ts'
import { REGISTERS } from './registers.ts'

/** A promise, and how to find violations of it. */
export interface Check {
  readonly promise: string
  readonly find: (history: History) => readonly string[]
}

export interface Violation {
  readonly promise: string
  readonly what: string
}

export const CHECKS: readonly Check[] = [...EFFECTS, ...REGISTERS, ...BALANCES, ...EVENTS]

/**
 * Compares what clients, webhook endpoints and banks saw with the state of the API at the end. It imports nothing from
 * the gateway.
 */
export const findViolations = (history: History): readonly Violation[] =>
  CHECKS.flatMap(({ promise, find }) => find(history).map((what) => ({ promise, what })))
