import type { Kobo } from '../kernel/money.ts'

/** Money that a bank says has arrived on one of our account numbers. */
export interface InboundCredit {
  /** The bank's own reference. One reference, one effect, however often it is told. */
  readonly railReference: string
  readonly bankCode: string
  readonly accountNumber: string
  readonly amount: Kobo
  readonly payer: Payer
  /** What the payer wrote, where the bank tells it. */
  readonly narration?: string | null
}

export interface Payer {
  readonly name: string | null
  readonly accountNumber: string | null
  readonly bankCode: string | null
  readonly bvn: string | null
}

/** What we answer the bank: we keep it, or it goes back to the payer. */
export type CreditOutcome = { readonly kind: 'accepted' } | { readonly kind: 'rejected'; readonly reason: string }
