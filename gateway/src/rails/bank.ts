import type { Kobo } from '../kernel/money.ts'

/** Money that a bank reports as arrived on one of our account numbers. */
export interface InboundCredit {
  /** The reporting partner. */
  readonly partner: string
  /** The bank's reference, unique per partner and bank. One reference, one effect. */
  readonly railReference: string
  /** The payer's bank's reference, if different. */
  readonly sessionId?: string | undefined
  readonly bankCode: string
  readonly accountNumber: string
  readonly amount: Kobo
  readonly payer: Payer
  /** The payer's text, if reported. */
  readonly narration?: string | null
  /** The fee and tax that the partner deducted, if reported. */
  readonly cost?: { readonly fee: Kobo; readonly vat: Kobo } | undefined
  /** When it arrived at the bank, if reported: the number may have had another holder then. */
  readonly arrivedAt?: Date | undefined
  /** The party that returns it if it is not accepted: we, unless the partner does. */
  readonly sentBackBy?: 'us' | 'partner'
  /** The owner that it was reported for earlier; by default the account number's present one. */
  readonly owner?: CreditOwner
}

/** The owner of an account number at a time; purpose and id are null if only the merchant is known. */
export interface CreditOwner {
  readonly merchantId: bigint
  readonly purpose: string | null
  readonly ownerId: bigint | null
  readonly reportedAt: Date
}

export interface Payer {
  readonly name: string | null
  readonly accountNumber: string | null
  readonly bankCode: string | null
  readonly bvn: string | null
}

/**
 * Our response to the bank: accepted; returned to the payer by the bank (`rejected`) or by us (`held` until then); or
 * in conflict with an earlier notification, which needs a decision.
 */
export type CreditOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'held'; readonly reason: string }
  | { readonly kind: 'conflict' }
