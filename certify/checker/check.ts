import { BALANCES } from './balances.ts'
import { EFFECTS } from './effects.ts'
import { EVENTS } from './events.ts'
import type { History } from './history.ts'
import { REGISTERS } from './registers.ts'

/** A promise, and how to find what breaks it. */
export interface Check {
  readonly promise: string
  readonly find: (history: History) => readonly string[]
}

export interface Violation {
  readonly promise: string
  readonly what: string
}

export const CHECKS: readonly Check[] = [...EFFECTS, ...REGISTERS, ...BALANCES, ...EVENTS]

/** Compares what clients, receivers and banks saw with what the API says at the end. Imports nothing of the gateway. */
export const findViolations = (history: History): readonly Violation[] =>
  CHECKS.flatMap(({ promise, find }) => find(history).map((what) => ({ promise, what })))
