import type { Kobo } from '../kernel/money.ts'

/** A chargeback or other dispute, as a partner reports it. */
export interface InboundDispute {
  readonly partner: string
  /** The partner's reference of the dispute. */
  readonly reference: string
  readonly kind: 'CHARGEBACK' | 'RECALL' | 'REVERSAL'
  readonly status: 'OPEN' | 'WON' | 'LOST'
  /** The payment's reference: the bank's reference of a credit, or our reference of a charge. */
  readonly paymentReference: string
  /** The bank that received the payment, if the payment cannot be identified without it. */
  readonly bankCode: string | null
  readonly accountNumber: string | null
  readonly amount: Kobo
  readonly reason: string | null
  /** The deadline to challenge the dispute, if reported. */
  readonly respondBy: Date | undefined
}

/** Our response to the partner. `accepted`: the amount is held. `conflict`: the report contradicts an earlier one. */
export type DisputeOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'conflict' }
