import type { Unknown } from './unknown.ts'

/** Whom a bank asks for before it issues a number that stays with somebody. */
export interface AccountCustomer {
  readonly name: string | null
  readonly email: string | null
  readonly bvn: string | null
  readonly nin: string | null
}

/** An account number that a bank is to issue. */
export interface AccountOpening {
  /** Ours, and used once: the bank opens one account per reference, however often it is asked. */
  readonly reference: string
  readonly bankCode: string
  /** STATIC: it stays with somebody. DYNAMIC: it is for one payment, until a time. */
  readonly kind: 'STATIC' | 'DYNAMIC'
  readonly accountName: string
  /** Until when it is needed; null where it has no end. */
  readonly expiresAt: Date | null
  readonly customer: AccountCustomer | null
}

/** What a bank can answer. `unknown` is an answer too: there may be an account, so it is asked about later. */
export type AccountOutcome =
  | {
      readonly kind: 'opened'
      readonly bankCode: string
      readonly accountNumber: string
      /** As the bank shows it. */
      readonly accountName: string
      /** Until when the bank keeps the number for us: then it may be another's. Null where it has no end. */
      readonly closesAt: Date | null
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | Unknown

/** What became of an opening. `not found` is a promise: this reference was not carried out and never will be. */
export type FoundAccount = AccountOutcome | { readonly kind: 'not found' }

/** What came of a change to an account. Asking again has no further effect, so it may be asked for again. */
export type AccountChange =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unsupported' }
  | Unknown

/** An account that a bank has issued, and the reference under which it was asked for. */
export interface IssuedAccount {
  readonly reference: string
  readonly bankCode: string
  readonly accountNumber: string
}

/** Banks that issue account numbers. */
export interface AccountRail {
  readonly open: (opening: AccountOpening) => Promise<AccountOutcome>
  readonly find: (opening: Pick<AccountOpening, 'reference' | 'bankCode'>) => Promise<FoundAccount>
  /** Has an account take no more money. */
  readonly close: (account: IssuedAccount) => Promise<AccountChange>
  readonly rename: (account: IssuedAccount & { readonly accountName: string }) => Promise<AccountChange>
}
