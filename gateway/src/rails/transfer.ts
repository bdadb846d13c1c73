import type { Kobo } from '../kernel/money.ts'
import type { Payer } from './bank.ts'
import type { Unknown } from './unknown.ts'

export interface BankAccount {
  readonly bankCode: string
  readonly accountNumber: string
}

/** A bank's response to a name enquiry. */
export type NameEnquiry =
  | { readonly kind: 'found'; readonly accountName: string }
  | { readonly kind: 'not found' }
  | { readonly kind: 'unavailable' }

/** Money to send to an account at another bank. */
export interface TransferOrder {
  /** Our reference. The rail executes one order per reference. */
  readonly reference: string
  readonly amount: Kobo
  readonly destination: BankAccount & { readonly accountName: string }
  readonly narration: string
  readonly sender: Payer
}

/** The outcome of a transfer. `unknown`: money may have moved, so it is queried later. */
export type TransferOutcome =
  | {
      readonly kind: 'succeeded'
      /** The reference that both banks know. */
      readonly sessionId: string
      /** When to query again; set if the money may still come back. */
      readonly finalAt?: Date
    }
  | { readonly kind: 'failed'; readonly reason: string }
  | Unknown

/** The outcome of an earlier transfer, if the bank received it. */
export type FoundTransfer =
  | TransferOutcome
  | { readonly kind: 'reversed'; readonly sessionId: string }
  | { readonly kind: 'not found' }

/** The rail's timeout: after it the outcome is `unknown`. */
export const TRANSFER_SECONDS_MAX = 30

/**
 * Sends money to bank accounts. It responds within TRANSFER_SECONDS_MAX; failures of the bank are returned, never
 * thrown.
 */
export interface TransferRail {
  readonly nameEnquiry: (account: BankAccount) => Promise<NameEnquiry>
  /** Sends once per reference. A repeated reference returns the first outcome. */
  readonly send: (order: TransferOrder) => Promise<TransferOutcome>
  /** Queries a transfer. If its amount is given, a success with another amount is not trusted. */
  readonly find: (reference: string, amount?: Kobo) => Promise<FoundTransfer>
}
