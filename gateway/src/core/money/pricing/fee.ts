import { add, type Kobo, percentage, smaller } from '../../../kernel/money.ts'

export type FeeBearer = 'MERCHANT' | 'CUSTOMER'

/** The price of collecting, as a payment carries it from its opening. */
export interface FeeTerms {
  readonly feeBasisPoints: number
  readonly feeFlat: Kobo
  readonly feeCap: Kobo | null
  readonly feeBearer: FeeBearer
}

/** A percentage of an amount and a flat part, together never above the cap. */
export function shareAndFlat(amount: Kobo, basisPoints: number, flat: Kobo, cap: Kobo | null): Kobo {
  const full = add(percentage(amount, BigInt(basisPoints)), flat)
  return cap === null ? full : smaller(full, cap)
}

/** The fee on a collected amount: never above the amount. */
export const feeOn = (amount: Kobo, { feeBasisPoints, feeFlat, feeCap }: FeeTerms): Kobo =>
  smaller(shareAndFlat(amount, feeBasisPoints, feeFlat, feeCap), amount)

/** What the customer is asked to pay for an amount. */
export const payableFor = (amount: Kobo, terms: FeeTerms): Kobo =>
  terms.feeBearer === 'CUSTOMER' ? add(amount, feeOn(amount, terms)) : amount

/**
 * The fee due once so much has been paid. The merchant bears: the fee of what was paid. The customer bears: the fee
 * is part of the payable, so it is the fee of the amount as soon as that much is there, however much is overpaid.
 */
export function feeDue(amount: Kobo, paid: Kobo, terms: FeeTerms): Kobo {
  if (terms.feeBearer === 'MERCHANT') return feeOn(paid, terms)
  return feeOn(smaller(paid, amount), terms)
}
