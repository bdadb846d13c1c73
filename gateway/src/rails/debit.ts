import type { Kobo } from '../kernel/money.ts'
import type { Unknown } from './unknown.ts'

/** A debit under a mandate. */
export interface DebitOrder {
  /** Our reference, used once. */
  readonly reference: string
  readonly mandateCode: string
  readonly accountNumber: string
  readonly bankCode: string
  readonly amount: Kobo
  readonly narration: string
}

/** The response of the customer's bank. `unknown`: money may have moved, so the debit is queried later. */
export type DebitOutcome =
  | { readonly kind: 'paid'; readonly sessionId: string }
  /** `isStopped`: no more debits are possible until the customer agrees again. */
  | { readonly kind: 'declined'; readonly reason: string; readonly isStopped: boolean }
  | Unknown

/** Customers' banks, for debits. */
export interface DebitRail {
  /** Debits once per reference. A repeated reference returns the first outcome. */
  readonly debit: (order: DebitOrder) => Promise<DebitOutcome>
  /** Queries the outcome of a debit. `not found` is a guarantee: it was not done and never will be. */
  readonly findDebit: (reference: string) => Promise<DebitOutcome | { readonly kind: 'not found' }>
}
