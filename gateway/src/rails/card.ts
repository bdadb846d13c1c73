import type { Hidden } from '../kernel/hidden.ts'
import type { Kobo } from '../kernel/money.ts'
import type { Unknown } from './unknown.ts'

/** A card as its holder, or the vault, gave it. What is secret of it cannot be printed. */
export interface Card {
  /** 13 to 19 digits. */
  readonly number: Hidden<string>
  /** Two digits. */
  readonly expiryMonth: string
  /** Four digits. */
  readonly expiryYear: string
  /** Null for a card on file: neither is ever kept. */
  readonly cvv: Hidden<string> | null
  readonly pin: Hidden<string> | null
}

export interface ChargeRequest {
  /** Ours. One reference, one charge, however often it is asked for. */
  readonly reference: string
  readonly amount: Kobo
  readonly currencyCode: string
  readonly card: Card
  /** Who asks: the holder, who can be asked for more; or the merchant, with a card on file, while the holder is away. */
  readonly initiator: 'HOLDER' | 'MERCHANT'
  /** What the holder reads on the issuer's page and on the statement. */
  readonly merchantName: string
  /** Where the issuer's page sends the holder's browser when it is done, by GET or POST. */
  readonly returnUrl: string
}

/** What a card network can answer. `unknown` is an answer too: money may have moved, so ask again and never charge again. */
export type ChargeOutcome =
  /** `reusable`: the card may be kept on file and charged again without its holder. */
  | { readonly kind: 'approved'; readonly reusable: boolean }
  | { readonly kind: 'otp required'; readonly message: string }
  /** The holder's browser must go to `acsUrl`: absolute, or a path of this gateway. */
  | { readonly kind: '3ds required'; readonly acsUrl: string; readonly method: 'GET' | 'POST' }
  | { readonly kind: 'declined'; readonly reason: string }
  | Unknown

/** What came of an OTP. A wrong one leaves the charge as it was. */
export type OtpOutcome = ChargeOutcome | { readonly kind: 'wrong otp' }

/** What became of a charge. `not found`: the network never saw the reference, and will not carry it out any more. */
export type FoundCharge = ChargeOutcome | { readonly kind: 'not found' }

/** What came of sending money back to a card. */
export type CardRefundOutcome =
  | { readonly kind: 'refunded' }
  | { readonly kind: 'refused'; readonly reason: string }
  | Unknown
export type FoundCardRefund = CardRefundOutcome | { readonly kind: 'not found' }

/** A card network. It never throws for what the world may do: it answers it. */
export interface CardRail {
  readonly charge: (request: ChargeRequest) => Promise<ChargeOutcome>
  readonly authorizeOtp: (request: { readonly reference: string; readonly otp: Hidden<string> }) => Promise<OtpOutcome>
  /** Asks what became of a charge. */
  readonly find: (reference: string) => Promise<FoundCharge>
  /** Sends money of an approved charge back, all of it or a part. One reference, one refund. */
  readonly refund: (request: {
    readonly reference: string
    readonly chargeReference: string
    readonly amount: Kobo
  }) => Promise<CardRefundOutcome>
  /** Asks what became of a refund, of which charge: some networks know it by that alone. */
  readonly findRefund: (reference: string, chargeReference?: string) => Promise<FoundCardRefund>
}
