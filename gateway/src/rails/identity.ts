/** A person in a national register. */
export interface Person {
  readonly firstName: string
  readonly middleName: string | null
  readonly lastName: string
  /** yyyy-MM-dd */
  readonly dateOfBirth: string
  readonly gender: string
  /** The number with its country code but without a plus: 2348142223149. */
  readonly mobileNumber: string
}

/** The holder of a number. `unavailable`: the register did not respond. */
export type PersonResult =
  | { readonly kind: 'found'; readonly person: Person }
  | { readonly kind: 'unknown number' }
  | { readonly kind: 'unavailable' }

/** The name on a bank account, and the name of the BVN's holder to compare it with. */
export type AccountResult =
  | { readonly kind: 'found'; readonly accountName: string; readonly holderName: string }
  | { readonly kind: 'unknown number' }
  | { readonly kind: 'unknown account' }
  | { readonly kind: 'unavailable' }

/** National registers of people. Enquiries change nothing and may be repeated. */
export interface IdentityRail {
  readonly findBvn: (bvn: string) => Promise<PersonResult>
  readonly findNin: (nin: string) => Promise<PersonResult>
  readonly findAccount: (account: {
    readonly bvn: string
    readonly bankCode: string
    readonly accountNumber: string
  }) => Promise<AccountResult>
}
