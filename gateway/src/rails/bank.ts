import type { Kobo } from '../kernel/money.ts'

/** Money that a bank says has arrived on one of our account numbers. */
export interface InboundCredit {
  /** Who tells of it. */
  readonly partner: string
  /** The bank's own reference, unique for partner and bank. One reference, one effect, however often it is told. */
  readonly railReference: string
  /** What the payer's bank calls it, where that is not the reference. */
  readonly sessionId?: string | undefined
  readonly bankCode: string
  readonly accountNumber: string
  readonly amount: Kobo
  readonly payer: Payer
  /** What the payer wrote, where the bank tells it. */
  readonly narration?: string | null
  /** What the partner kept for itself of the amount, where it tells that: its fee, and the tax on it. */
  readonly cost?: { readonly fee: Kobo; readonly vat: Kobo } | undefined
  /** When it arrived at the bank, where the partner tells: a number may have been another's then. */
  readonly arrivedAt?: Date | undefined
  /** Who sends it back where it is not taken: we, unless the partner does by itself. */
  readonly sentBackBy?: 'us' | 'partner'
}

export interface Payer {
  readonly name: string | null
  readonly accountNumber: string | null
  readonly bankCode: string | null
  readonly bvn: string | null
}

/**
 * What we answer the bank: we keep it; or it goes back to the payer, by the bank itself (`rejected`) or by us (`held`
 * until then); or it contradicts what was told before under its reference, so that a person has to look at it.
 */
export type CreditOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'held'; readonly reason: string }
  | { readonly kind: 'conflict' }
