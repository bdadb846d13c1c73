import type { Kobo } from '../kernel/money.ts'
import type { Unknown } from './unknown.ts'

/** An order to take money from a customer's account under a mandate. */
export interface DebitOrder {
  /** Ours, and used once. */
  readonly reference: string
  readonly mandateCode: string
  readonly accountNumber: string
  readonly bankCode: string
  readonly amount: Kobo
  readonly narration: string
}

/** What the customer's bank can answer. `unknown` is an answer too: money may have moved, ask again later. */
export type DebitOutcome =
  | { readonly kind: 'paid'; readonly sessionId: string }
  /** `isStopped`: the bank lets nothing more be debited until the customer agrees anew. */
  | { readonly kind: 'declined'; readonly reason: string; readonly isStopped: boolean }
  | Unknown

/** The customers' banks, as far as they let us debit. */
export interface DebitRail {
  /** Debits once per reference: a reference that was seen before gets what became of it then. */
  readonly debit: (order: DebitOrder) => Promise<DebitOutcome>
  /** What became of a debit. `not found` is a promise: this reference was not carried out and never will be. */
  readonly findDebit: (reference: string) => Promise<DebitOutcome | { readonly kind: 'not found' }>
}
