import { add, type Kobo, kobo, smaller, subtract, sum, ZERO } from '../../kernel/money.ts'
import { shareOf, WHOLE } from '../../kernel/percentage.ts'

/**
 * A sub account's part of a payment, as agreed when the payment was created. All its numbers are integers, which JSON
 * stores exactly.
 */
export interface IncomeSplit {
  readonly subAccountCode: string
  /** The sub account's share of the payment, or a fixed amount. */
  readonly share: { readonly millionths: number } | { readonly kobo: number }
  /** The sub account's part of the fee, in millionths. */
  readonly feeMillionths: number
}

/** The amount paid so far, and the fee on it. */
export interface Paid {
  readonly amountPaid: Kobo
  readonly fee: Kobo
  /** The part of the fee that the customer pays on top. */
  readonly feeOfCustomer: Kobo
}

/** A beneficiary's part: its share, and the fee deducted from it. */
export interface Part {
  readonly share: Kobo
  readonly fee: Kobo
}
export interface SubAccountPart extends Part {
  readonly subAccountCode: string
}

/** The parts of all beneficiaries. The shares add up to the payment and the fees to its fee. None is negative. */
export interface Parts {
  readonly merchant: Part
  /** One per sub account, in the order of first mention. */
  readonly subAccounts: readonly SubAccountPart[]
}

export const income = ({ share, fee }: Part): Kobo => subtract(share, fee)

/**
 * Divides a payment. Percentages apply to the whole payment and are rounded down; then fixed amounts follow in order,
 * as long as money is left; the merchant gets the rest. The part of the fee that the customer pays is not divided. A
 * sub account pays its part of the fee from its share, and the merchant pays the rest. If the merchant's share is too
 * small for that, the sub accounts pay, last first, because the fee is always due.
 */
export function divide(splits: readonly IncomeSplit[], { amountPaid, fee, feeOfCustomer }: Paid): Parts {
  const shares = sharesOf(splits, subtract(amountPaid, feeOfCustomer))
  const divided = subtract(fee, feeOfCustomer)
  const merchantShare = subtract(amountPaid, sum(shares))
  const fees = shares.map((share, index) => smaller(shareOf(divided, splits[index]?.feeMillionths ?? 0), share))
  let uncovered = subtract(subtract(fee, sum(fees)), merchantShare)
  for (let index = shares.length - 1; index >= 0 && uncovered > 0n; index--) {
    const borne = fees[index] ?? ZERO
    const more = smaller(uncovered, subtract(shares[index] ?? ZERO, borne))
    fees[index] = add(borne, more)
    uncovered = subtract(uncovered, more)
  }
  const parts = splits.map(({ subAccountCode }, index) => ({
    subAccountCode,
    share: shares[index] ?? ZERO,
    fee: fees[index] ?? ZERO,
  }))
  return { merchant: { share: merchantShare, fee: subtract(fee, sum(fees)) }, subAccounts: merged(parts) }
}

function sharesOf(splits: readonly IncomeSplit[], amount: Kobo): readonly Kobo[] {
  const percentages = splits.map(({ share }) => ('millionths' in share ? shareOf(amount, share.millionths) : ZERO))
  let left = subtract(amount, sum(percentages))
  return splits.map(({ share }, index) => {
    if ('millionths' in share) return percentages[index] ?? ZERO
    const taken = smaller(kobo(BigInt(share.kobo)), left)
    left = subtract(left, taken)
    return taken
  })
}

/** Merges the parts of a sub account that is named twice. */
function merged(parts: readonly SubAccountPart[]): readonly SubAccountPart[] {
  const byCode = Map.groupBy(parts, ({ subAccountCode }) => subAccountCode)
  if (byCode.size === parts.length) return parts
  return [...byCode].map(([subAccountCode, all]) => ({
    subAccountCode,
    share: sum(all.map(({ share }) => share)),
    fee: sum(all.map(({ fee }) => fee)),
  }))
}

/**
 * Computes how each beneficiary's part changes. A change may be negative, because rounding may reduce the merchant's
 * part by a few kobo.
 */
export function change(before: Parts, after: Parts): Parts {
  const known = new Map(before.subAccounts.map((part) => [part.subAccountCode, part]))
  return {
    merchant: difference(after.merchant, before.merchant),
    subAccounts: after.subAccounts.map((part) => ({
      subAccountCode: part.subAccountCode,
      ...difference(part, known.get(part.subAccountCode)),
    })),
  }
}

const difference = (a: Part, b: Part | undefined): Part => ({
  share: subtract(a.share, b?.share ?? ZERO),
  fee: subtract(a.fee, b?.fee ?? ZERO),
})

/** Why splits are invalid. `amount` is the requested amount, if known. */
export type SplitFault = 'more than 100 % is split' | 'more than 100 % of the fee is borne' | 'more than the payment'

export function splitFault(splits: readonly IncomeSplit[], amount?: Kobo): SplitFault | undefined {
  const shares = splits.map(({ share }) => ('millionths' in share ? share.millionths : 0))
  if (total(shares) > WHOLE) return 'more than 100 % is split'
  if (total(splits.map(({ feeMillionths }) => feeMillionths)) > WHOLE) return 'more than 100 % of the fee is borne'
  if (amount === undefined) return undefined
  const amounts = splits.map(({ share }) =>
    'millionths' in share ? shareOf(amount, share.millionths) : kobo(BigInt(share.kobo)),
  )
  return sum(amounts) > amount ? 'more than the payment' : undefined
}

const total = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
