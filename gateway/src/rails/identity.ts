/** A person as a national register knows it. */
export interface Person {
  readonly firstName: string
  readonly middleName: string | null
  readonly lastName: string
  /** yyyy-MM-dd */
  readonly dateOfBirth: string
  readonly gender: string
  /** With the country's code and no plus: 2348142223149. */
  readonly mobileNumber: string
}

/** Whose number it is. `unavailable`: the register did not answer, so nothing is known. */
export type PersonAnswer =
  | { readonly kind: 'found'; readonly person: Person }
  | { readonly kind: 'unknown number' }
  | { readonly kind: 'unavailable' }

/** The name on a bank account, and the name of the BVN that it is held against. */
export type AccountAnswer =
  | { readonly kind: 'found'; readonly accountName: string; readonly holderName: string }
  | { readonly kind: 'unknown number' }
  | { readonly kind: 'unknown account' }
  | { readonly kind: 'unavailable' }

/** The national registers of people. Asking changes nothing, so it may be asked again at will. */
export interface IdentityRail {
  readonly findBvn: (bvn: string) => Promise<PersonAnswer>
  readonly findNin: (nin: string) => Promise<PersonAnswer>
  readonly findAccount: (account: {
    readonly bvn: string
    readonly bankCode: string
    readonly accountNumber: string
  }) => Promise<AccountAnswer>
}
