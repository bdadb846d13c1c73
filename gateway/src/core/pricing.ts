import { invariant } from '../kernel/errors.ts'
import { add, type Kobo, kobo, percentage, smaller } from '../kernel/money.ts'

export type FeeBearer = 'MERCHANT' | 'CUSTOMER'

/** The price of collecting, as data. */
export interface FeeTerms {
  readonly feeBasisPoints: number
  readonly feeFlat: Kobo
  readonly feeCap: Kobo | null
  readonly feeBearer: FeeBearer
}

/** The fee on an amount: a percentage and a flat part, together never above the cap nor above the amount. */
export function feeOn(amount: Kobo, terms: FeeTerms): Kobo {
  const full = add(percentage(amount, BigInt(terms.feeBasisPoints)), terms.feeFlat)
  const capped = terms.feeCap === null ? full : smaller(full, terms.feeCap)
  return smaller(capped, amount)
}

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

/** The price of a transfer by its amount: below 10,000 naira, from there up to 50,000, and above. */
const TRANSFER_FEES: readonly { readonly upTo: bigint | undefined; readonly fee: Kobo }[] = [
  { upTo: 999_999n, fee: kobo(1_000n) },
  { upTo: 5_000_000n, fee: kobo(2_000n) },
  { upTo: undefined, fee: kobo(4_000n) },
]

/** The fee on a transfer to a bank account. */
export function transferFee(amount: Kobo): Kobo {
  const step = TRANSFER_FEES.find(({ upTo }) => upTo === undefined || amount <= upTo)
  invariant(step !== undefined, 'every amount has a fee')
  return step.fee
}
