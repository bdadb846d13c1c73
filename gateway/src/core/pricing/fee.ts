import { add, type Kobo, percentage, smaller } from '../../kernel/money.ts'

export type FeeBearer = 'MERCHANT' | 'CUSTOMER'

/** The collection fee terms, fixed when a payment is created. */
export interface FeeTerms {
  readonly feeBasisPoints: number
  readonly feeFlat: Kobo
  readonly feeCap: Kobo | null
  readonly feeBearer: FeeBearer
}

/** A percentage plus a flat part, at most the cap. */
export function shareAndFlat(amount: Kobo, basisPoints: number, flat: Kobo, cap: Kobo | null): Kobo {
  const full = add(percentage(amount, BigInt(basisPoints)), flat)
  return cap === null ? full : smaller(full, cap)
}

/** The fee on a collected amount, at most that amount. */
export const feeOn = (amount: Kobo, { feeBasisPoints, feeFlat, feeCap }: FeeTerms): Kobo =>
  smaller(shareAndFlat(amount, feeBasisPoints, feeFlat, feeCap), amount)

/** The amount the customer pays. */
export const payableFor = (amount: Kobo, terms: FeeTerms): Kobo =>
  terms.feeBearer === 'CUSTOMER' ? add(amount, feeOn(amount, terms)) : amount

/**
 * The fee due on what was paid. Merchant bears: the fee of the amount paid. Customer bears: the fee of the requested
 * amount once it is paid, whatever is overpaid.
 */
export function feeDue(amount: Kobo, paid: Kobo, terms: FeeTerms): Kobo {
  if (terms.feeBearer === 'MERCHANT') return feeOn(paid, terms)
  return feeOn(smaller(paid, amount), terms)
}
