import type { Kobo } from '../kernel/money.ts'
import type { Payer } from './bank.ts'
import type { Unknown } from './unknown.ts'

/** An account at any bank. */
export interface BankAccount {
  readonly bankCode: string
  readonly accountNumber: string
}

/** What a bank can answer when asked whose an account is. */
export type NameEnquiry =
  | { readonly kind: 'found'; readonly accountName: string }
  | { readonly kind: 'not found' }
  | { readonly kind: 'unavailable' }

/** Money to be sent to an account at another bank. */
export interface TransferOrder {
  /** Ours, and used once: the rail sends one order per reference, however often it is asked. */
  readonly reference: string
  readonly amount: Kobo
  readonly destination: BankAccount & { readonly accountName: string }
  readonly narration: string
  readonly sender: Payer
}

/** What became of an order. `unknown` is an answer too: the money may have moved, so it is asked about later. */
export type TransferOutcome =
  | {
      readonly kind: 'succeeded'
      /** The inter-bank reference. */
      readonly sessionId: string
      /** Set where the money may still come back: then, ask once more. */
      readonly finalAt?: Date
    }
  | { readonly kind: 'failed'; readonly reason: string }
  | Unknown

/** What became of an order that was sent earlier, if it ever arrived there. */
export type FoundTransfer =
  | TransferOutcome
  | { readonly kind: 'reversed'; readonly sessionId: string }
  | { readonly kind: 'not found' }

/** Nobody waits longer for a rail: what has not been answered by then is `unknown`. */
export const TRANSFER_SECONDS_MAX = 30

/** Sends money to bank accounts. Answers within TRANSFER_SECONDS_MAX and never throws for what the world may do. */
export interface TransferRail {
  readonly nameEnquiry: (account: BankAccount) => Promise<NameEnquiry>
  /** A reference that was sent before gets what became of it then. */
  readonly send: (order: TransferOrder) => Promise<TransferOutcome>
  /** Asks what became of an order of so much: a success with another amount is none that anybody may believe. */
  readonly find: (reference: string, amount?: Kobo) => Promise<FoundTransfer>
}
