import type { Kobo } from '../kernel/money.ts'
import type { Unknown } from './unknown.ts'

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
  /** The price; null if the customer chooses the amount. */
  readonly price: Kobo | null
  readonly minAmount: Kobo | null
  readonly maxAmount: Kobo | null
  /** Whether the customer must be validated before a purchase. */
  readonly needsValidation: boolean
  /** The merchant's commission on each sale. */
  readonly commissionBasisPoints: number
  readonly commissionCap: Kobo | null
  readonly metadata: Readonly<Record<string, unknown>>
}

export type CatalogueResult =
  | { readonly kind: 'catalogue'; readonly catalogue: Catalogue }
  | { readonly kind: 'unavailable' }

/** Whether the biller knows a customer. The name is null if the biller does not report it. */
export type CustomerResult =
  | { readonly kind: 'valid'; readonly customerName: string | null }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'unavailable' }

/** A biller's response to a purchase (vend). `unknown`: it may have been done, so it is queried later. */
export type VendOutcome =
  | {
      readonly kind: 'vended'
      readonly description: string
      /** The values delivered: `token` and `units` of electricity, `pin` and `serial` of vouchers. */
      readonly metadata: Readonly<Record<string, string>>
    }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'pending' }
  | Unknown

export interface VendRequest {
  readonly reference: string
  readonly productCode: string
  readonly customerId: string
  readonly amount: Kobo
  /** The reference of `validateCustomer`, if it was called. */
  readonly validationReference: string | null
  readonly emailAddress: string | null
  readonly phoneNumber: string | null
}

/** Sellers of airtime, electricity and so on. */
export interface BillerRail {
  readonly catalogue: () => Promise<CatalogueResult>
  /** Validates a customer under our reference. A later vend may contain that reference. */
  readonly validateCustomer: (request: {
    readonly reference: string
    readonly productCode: string
    readonly customerId: string
  }) => Promise<CustomerResult>
  /** Vends once per reference. A repeated reference returns the first outcome. */
  readonly vend: (request: VendRequest) => Promise<VendOutcome>
  /** Queries the outcome of a vend. `not found` is a guarantee: it was not done and never will be. */
  readonly findVend: (reference: string) => Promise<VendOutcome | { readonly kind: 'not found' }>
}
