import type { Kobo } from '../kernel/money.ts'

/** A chargeback or other dispute, as a partner reports it. */
export interface InboundDispute {
  readonly partner: string
  /** The partner's reference of the dispute. */
  readonly reference: string
  readonly kind: 'CHARGEBACK' | 'RECALL' | 'REVERSAL'
  readonly status: 'OPEN' | 'WON' | 'LOST'
  /** The payment's reference: the bank's for a credit, ours for a charge. */
  readonly paymentReference: string
  /** The bank it arrived at, if needed to identify it. */
  readonly bankCode: string | null
  readonly accountNumber: string | null
  readonly amount: Kobo
  readonly reason: string | null
  /** The deadline to contest, if reported. */
  readonly respondBy: Date | undefined
}

/** The response to a partner: held, or why not; or in conflict with an earlier report. */
export type DisputeOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'conflict' }
