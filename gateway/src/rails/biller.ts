import type { Kobo } from '../kernel/money.ts'
import type { Unknown } from './unknown.ts'

/** All that can be paid for. */
export interface Catalogue {
  readonly categories: readonly BillCategory[]
  readonly billers: readonly Biller[]
  readonly products: readonly BillProduct[]
}

export interface BillCategory {
  readonly code: string
  readonly name: string
}

export interface Biller {
  readonly code: string
  readonly name: string
}

export interface BillProduct {
  readonly code: string
  readonly name: string
  readonly categoryCode: string
  readonly billerCode: string
  /** What it costs; null where the customer names the amount. */
  readonly price: Kobo | null
  readonly minAmount: Kobo | null
  readonly maxAmount: Kobo | null
  /** Whether a customer must be validated before it can be vended. */
  readonly needsValidation: boolean
  /** What the biller leaves to whoever sells it. */
  readonly commissionBasisPoints: number
  readonly commissionCap: Kobo | null
  readonly metadata: Readonly<Record<string, unknown>>
}

export type CatalogueAnswer =
  | { readonly kind: 'catalogue'; readonly catalogue: Catalogue }
  | { readonly kind: 'unavailable' }

/** Whether the biller knows a customer. The name is null where it tells none. */
export type CustomerAnswer =
  | { readonly kind: 'valid'; readonly customerName: string | null }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'unavailable' }

/** What a biller can answer to a vend. `unknown`: it may have been carried out, so it is asked about later. */
export type VendOutcome =
  | {
      readonly kind: 'vended'
      readonly description: string
      /** What the biller hands over: `token` and `units` of electricity, `pin` and `serial` of vouchers. */
      readonly metadata: Readonly<Record<string, string>>
    }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'pending' }
  | Unknown

/** What is to be vended, under a reference of ours that is used once. */
export interface VendRequest {
  readonly reference: string
  readonly productCode: string
  readonly customerId: string
  readonly amount: Kobo
  /** That of `validateCustomer`, where there was one. */
  readonly validationReference: string | null
  readonly emailAddress: string | null
  readonly phoneNumber: string | null
}

/** Those who sell airtime, power and the like. */
export interface BillerRail {
  readonly catalogue: () => Promise<CatalogueAnswer>
  /** Asks under a reference of ours, which a later vend for this customer may name. */
  readonly validateCustomer: (request: {
    readonly reference: string
    readonly productCode: string
    readonly customerId: string
  }) => Promise<CustomerAnswer>
  /** Vends once per reference: a reference that was seen before gets what became of it then. */
  readonly vend: (request: VendRequest) => Promise<VendOutcome>
  /** What became of a vend. `not found` is a promise: this reference was not carried out and never will be. */
  readonly findVend: (reference: string) => Promise<VendOutcome | { readonly kind: 'not found' }>
}
