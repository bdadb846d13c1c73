import { BALANCES } from './balances.ts'
import { EFFECTS } from './effects.ts'
import { EVENTS } from './events.ts'
import type { History } from './history.ts'
import { REGISTERS } from './registers.ts'

/** A promise of the product, and a function that finds violations of it. */
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
 * Compares the results that clients, webhook endpoints and banks saw with the final state of the API. The checker
 * imports nothing from the gateway, so that it does not share its errors.
 */
export const findViolations = (history: History): readonly Violation[] =>
  CHECKS.flatMap(({ promise, find }) => find(history).map((what) => ({ promise, what })))
