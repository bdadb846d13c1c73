import type { Unknown } from './unknown.ts'

/** The customer's data that a bank requires for a permanent number. */
export interface AccountCustomer {
  readonly name: string | null
  readonly email: string | null
  readonly bvn: string | null
  readonly nin: string | null
}

/** An account number to be issued. */
export interface AccountOpening {
  /** Our reference: the bank opens one account per reference. */
  readonly reference: string
  readonly bankCode: string
  /** STATIC: permanent. DYNAMIC: for one payment, until it expires. */
  readonly kind: 'STATIC' | 'DYNAMIC'
  readonly accountName: string
  /** When the number is no longer needed; null if it never expires. */
  readonly expiresAt: Date | null
  readonly customer: AccountCustomer | null
}

/** A bank's response to a request for a number. `unknown`: the account may exist, so it is queried later. */
export type AccountOutcome =
  | {
      readonly kind: 'opened'
      readonly bankCode: string
      readonly accountNumber: string
      readonly accountName: string
      /**
       * When the bank's reservation of the number ends. After that, the bank may reassign it. Null if it never ends.
       */
      readonly closesAt: Date | null
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | Unknown

/** The outcome of a request for a number. `not found` is a guarantee: the account was not opened and never will be. */
export type FoundAccount = AccountOutcome | { readonly kind: 'not found' }

/** The outcome of a change of an account. Repeating the change has no further effect. */
export type AccountChange =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unsupported' }
  | Unknown

/** An issued account and the reference it was requested under. */
export interface IssuedAccount {
  readonly reference: string
  readonly bankCode: string
  readonly accountNumber: string
}

export interface AccountRail {
  readonly open: (opening: AccountOpening) => Promise<AccountOutcome>
  readonly find: (opening: Pick<AccountOpening, 'reference' | 'bankCode'>) => Promise<FoundAccount>
  /** Closes an account, so that it accepts no more money. */
  readonly close: (account: IssuedAccount) => Promise<AccountChange>
  readonly rename: (account: IssuedAccount & { readonly accountName: string }) => Promise<AccountChange>
}
