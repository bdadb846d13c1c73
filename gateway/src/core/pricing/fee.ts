import { add, type Kobo, kobo, larger, percentage, smaller, subtract, ZERO } from '../../kernel/money.ts'

export type FeeBearer = 'MERCHANT' | 'CUSTOMER'

/** The collection fee terms, fixed when a payment is created. */
export interface FeeTerms {
  readonly feeBasisPoints: number
  readonly feeFlat: Kobo
  readonly feeCap: Kobo | null
  readonly feeBearer: FeeBearer
  /** The steps of a price that depends on the amount; null if the terms above hold for every amount. */
  readonly feeSteps: readonly FeeStep[] | null
}

/** A step of a price as JSON: kobo as whole numbers, which are exact. */
export interface FeeStep {
  readonly upTo: number | null
  readonly basisPoints: number
  readonly flat: number
  readonly cap: number | null
}

/** Computes a percentage plus a flat part, at most the cap. */
export function shareAndFlat(amount: Kobo, basisPoints: number, flat: Kobo, cap: Kobo | null): Kobo {
  const full = add(percentage(amount, BigInt(basisPoints)), flat)
  return cap === null ? full : smaller(full, cap)
}

/** Computes the fee on a collected amount, at most that amount. */
export function feeOn(amount: Kobo, { feeBasisPoints, feeFlat, feeCap, feeSteps }: FeeTerms): Kobo {
  const step = feeSteps?.find(({ upTo }) => upTo === null || amount <= upTo)
  const fee =
    step === undefined
      ? shareAndFlat(amount, feeBasisPoints, feeFlat, feeCap)
      : shareAndFlat(amount, step.basisPoints, wholeKobo(step.flat), step.cap === null ? null : wholeKobo(step.cap))
  return smaller(fee, amount)
}

const wholeKobo = (stored: number): Kobo => kobo(BigInt(stored))

/** Computes the amount that the customer pays, including the fee if the customer bears it. */
export const payableFor = (amount: Kobo, terms: FeeTerms): Kobo =>
  terms.feeBearer === 'CUSTOMER' ? add(amount, feeOn(amount, terms)) : amount

/**
 * Computes the fee due on the amount paid so far. If the merchant bears the fee, it is the fee on that amount. If the
 * customer bears it, the added fee is first subtracted; once all is paid, that leaves the requested amount.
 */
export function feeDue(amount: Kobo, paid: Kobo, terms: FeeTerms): Kobo {
  if (terms.feeBearer === 'MERCHANT') return feeOn(paid, terms)
  return feeOn(larger(smaller(paid, amount), subtract(paid, feeOn(amount, terms))), terms)
}

/**
 * Returns the part of a fee that was added to the customer's amount. The merchant bears the rest, such as the fee on an
 * overpayment.
 */
export const feeOfCustomer = (amount: Kobo, fee: Kobo, terms: FeeTerms): Kobo =>
  terms.feeBearer === 'CUSTOMER' ? smaller(fee, feeOn(amount, terms)) : ZERO
