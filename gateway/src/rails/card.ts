import type { Hidden } from '../kernel/hidden.ts'
import type { Kobo } from '../kernel/money.ts'
import type { Unknown } from './unknown.ts'

/** A card as its holder or the vault provided it. Its secrets cannot be printed. */
export interface Card {
  /** The card number: 13 to 19 digits. */
  readonly number: Hidden<string>
  /** The expiry month, two digits. */
  readonly expiryMonth: string
  /** The expiry year, four digits. */
  readonly expiryYear: string
  /** Null for a stored card, because CVV and PIN are never stored. */
  readonly cvv: Hidden<string> | null
  readonly pin: Hidden<string> | null
}

export interface ChargeRequest {
  /** Our reference: one charge per reference. */
  readonly reference: string
  readonly amount: Kobo
  readonly currencyCode: string
  readonly card: Card
  /** The issuer can challenge a holder who is present, but not a merchant who charges a stored card. */
  readonly initiator: 'HOLDER' | 'MERCHANT'
  /** Shown on the issuer's page and the statement. */
  readonly merchantName: string
  /** The URL that the issuer's page returns to, by GET or POST. */
  readonly returnUrl: string
}

/** A card network's response. `unknown`: money may have moved, so the charge is queried and never sent again. */
export type ChargeOutcome =
  /** `reusable`: the card may be stored and charged again without its holder. */
  | { readonly kind: 'approved'; readonly reusable: boolean }
  | { readonly kind: 'otp required'; readonly message: string }
  /** The holder's browser must go to `acsUrl`: absolute, or a path of this gateway. */
  | { readonly kind: '3ds required'; readonly acsUrl: string; readonly method: 'GET' | 'POST' }
  | { readonly kind: 'declined'; readonly reason: string }
  | Unknown

/** The outcome of submitting an OTP. A wrong OTP leaves the charge unchanged. */
export type OtpOutcome = ChargeOutcome | { readonly kind: 'wrong otp' }

/** The outcome of a charge. `not found`: the network never saw the reference and will not process it. */
export type FoundCharge = ChargeOutcome | { readonly kind: 'not found' }

export type CardRefundOutcome =
  | { readonly kind: 'refunded' }
  | { readonly kind: 'refused'; readonly reason: string }
  | Unknown
export type FoundCardRefund = CardRefundOutcome | { readonly kind: 'not found' }

/** A card network. Failures of the network are returned, never thrown. */
export interface CardRail {
  readonly charge: (request: ChargeRequest) => Promise<ChargeOutcome>
  readonly authorizeOtp: (request: { readonly reference: string; readonly otp: Hidden<string> }) => Promise<OtpOutcome>
  readonly find: (reference: string) => Promise<FoundCharge>
  /** Refunds an approved charge, fully or in part. Each reference makes one refund. */
  readonly refund: (request: {
    readonly reference: string
    readonly chargeReference: string
    readonly amount: Kobo
  }) => Promise<CardRefundOutcome>
  /** Queries a refund. Some networks also need the reference of its charge. */
  readonly findRefund: (reference: string, chargeReference?: string) => Promise<FoundCardRefund>
}
