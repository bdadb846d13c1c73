import type { Kobo } from '../kernel/money.ts'

/** Money that a bank reports as arrived on one of our account numbers. */
export interface InboundCredit {
  /** The partner that reported it. */
  readonly partner: string
  /** The bank's reference, unique per partner and bank. A reference has an effect only once. */
  readonly railReference: string
  /** The reference of the payer's bank, if it is a different one. */
  readonly sessionId?: string | undefined
  readonly bankCode: string
  readonly accountNumber: string
  readonly amount: Kobo
  readonly payer: Payer
  /** The payer's text, if reported. */
  readonly narration?: string | null
  /** The fee and tax that the partner deducted, if reported. */
  readonly cost?: { readonly fee: Kobo; readonly vat: Kobo } | undefined
  /** When the money arrived at the bank, if reported. The account number may have had another owner then. */
  readonly arrivedAt?: Date | undefined
  /** The party that returns the credit if it is not accepted; by default we return it. */
  readonly sentBackBy?: 'us' | 'partner'
  /** The owner of the account number when the credit was first reported; by default the current owner. */
  readonly owner?: CreditOwner
}

/** The owner of an account number at some time; purpose and id are null if only the merchant is known. */
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
 * Our response to the bank. `accepted`: posted. `rejected`: the bank returns it to the payer. `held`: we hold it until
 * we have returned it. `conflict`: it contradicts an earlier notification and needs a decision.
 */
export type CreditOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'held'; readonly reason: string }
  | { readonly kind: 'conflict' }
