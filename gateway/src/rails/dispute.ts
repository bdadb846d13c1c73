import type { Kobo } from '../kernel/money.ts'

/** A payment that is wanted back, as a partner tells of it. */
export interface InboundDispute {
  readonly partner: string
  /** The partner's own: it names one dispute for ever. */
  readonly reference: string
  readonly kind: 'CHARGEBACK' | 'RECALL' | 'REVERSAL'
  readonly status: 'OPEN' | 'WON' | 'LOST'
  /** What named the money: the bank's reference of the credit, ours of the charge. */
  readonly paymentReference: string
  /** Where it arrived, where that is needed to tell it from others of its name. */
  readonly bankCode: string | null
  readonly accountNumber: string | null
  readonly amount: Kobo
  readonly reason: string | null
  /** Until when it can be contested, where the partner says. */
  readonly respondBy: Date | undefined
}

/** What a partner is answered: held, or why not; or that it contradicts what it told before. */
export type DisputeOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'conflict' }
