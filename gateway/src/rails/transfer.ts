import type { Kobo } from '../kernel/money.ts'
import type { Payer } from './bank.ts'
import type { Unknown } from './unknown.ts'

/** An account at any bank. */
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
  /** Our reference: the rail sends one order per reference. */
  readonly reference: string
  readonly amount: Kobo
  readonly destination: BankAccount & { readonly accountName: string }
  readonly narration: string
  readonly sender: Payer
}

/** An order's outcome. `unknown`: money may have moved, so it is queried later. */
export type TransferOutcome =
  | {
      readonly kind: 'succeeded'
      /** The inter-bank reference. */
      readonly sessionId: string
      /** Set if the money may still come back: query again then. */
      readonly finalAt?: Date
    }
  | { readonly kind: 'failed'; readonly reason: string }
  | Unknown

/** The outcome of an earlier order, if it arrived. */
export type FoundTransfer =
  | TransferOutcome
  | { readonly kind: 'reversed'; readonly sessionId: string }
  | { readonly kind: 'not found' }

/** The rail's timeout: after it the outcome is `unknown`. */
export const TRANSFER_SECONDS_MAX = 30

/** Sends money to bank accounts. Responds within TRANSFER_SECONDS_MAX; failures outside are returned, never thrown. */
export interface TransferRail {
  readonly nameEnquiry: (account: BankAccount) => Promise<NameEnquiry>
  /** A repeated reference returns its first outcome. */
  readonly send: (order: TransferOrder) => Promise<TransferOutcome>
  /** Queries an order of an amount: a success with another amount is not trusted. */
  readonly find: (reference: string, amount?: Kobo) => Promise<FoundTransfer>
}
