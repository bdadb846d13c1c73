import { add, type Kobo, kobo, smaller, subtract, sum, ZERO } from '../../kernel/money.ts'
import { shareOf, WHOLE } from '../../kernel/percentage.ts'
import type { FeeBearer } from './pricing/index.ts'

/** One sub account's part of a payment, as agreed when the payment was asked for. Whole numbers, so that it is exact in JSON. */
export interface IncomeSplit {
  readonly subAccountCode: string
  /** A share of what is paid, or a fixed amount of it. */
  readonly share: { readonly millionths: number } | { readonly kobo: number }
  /** Which part of the fee it bears. */
  readonly feeMillionths: number
}

/** What has been paid so far, and the fee of it. */
export interface Paid {
  readonly amountPaid: Kobo
  readonly fee: Kobo
  readonly feeBearer: FeeBearer
}

/** A beneficiary's part of what was paid: its share, and how much of the fee is taken out of that. */
export interface Part {
  readonly share: Kobo
  readonly fee: Kobo
}
export interface SubAccountPart extends Part {
  readonly subAccountCode: string
}

/** Who gets what. Shares and parts of the fee add up to what was paid and to its fee, and none is below zero. */
export interface Parts {
  readonly merchant: Part
  /** One for each sub account, in the order in which they were first named. */
  readonly subAccounts: readonly SubAccountPart[]
}

/** What a beneficiary receives. */
export const income = ({ share, fee }: Part): Kobo => subtract(share, fee)

/**
 * Divides what was paid. Percentages are taken of all of it and rounded down, then fixed amounts in their order, up to
 * what is left; the remainder is the merchant's. A fee that the customer bears is not divided. A part of the fee that is
 * more than its bearer's share is cut to it and falls on the merchant; what the merchant's own share cannot cover falls
 * on the sub accounts, the last one first, since the fee is due whoever was meant to bear it.
 */
export function divide(splits: readonly IncomeSplit[], { amountPaid, fee, feeBearer }: Paid): Parts {
  const customerBears = feeBearer === 'CUSTOMER'
  const shares = sharesOf(splits, customerBears ? subtract(amountPaid, fee) : amountPaid)
  const merchantShare = subtract(amountPaid, sum(shares))
  const fees = shares.map((share, index) =>
    customerBears ? ZERO : smaller(shareOf(fee, splits[index]?.feeMillionths ?? 0), share),
  )
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

/** The parts with one for each sub account, though it may have been named more than once. */
function merged(parts: readonly SubAccountPart[]): readonly SubAccountPart[] {
  const byCode = Map.groupBy(parts, ({ subAccountCode }) => subAccountCode)
  if (byCode.size === parts.length) return parts
  return [...byCode].map(([subAccountCode, all]) => ({
    subAccountCode,
    share: sum(all.map(({ share }) => share)),
    fee: sum(all.map(({ fee }) => fee)),
  }))
}

/** What more each beneficiary has of a payment than before. A remainder may shrink by some kobo, so a change may be below zero. */
export function change(before: Parts, after: Parts): Parts {
  const known = new Map(before.subAccounts.map((part) => [part.subAccountCode, part]))
  return {
    merchant: less(after.merchant, before.merchant),
    subAccounts: after.subAccounts.map((part) => ({
      subAccountCode: part.subAccountCode,
      ...less(part, known.get(part.subAccountCode)),
    })),
  }
}

const less = (a: Part, b: Part | undefined): Part => ({
  share: subtract(a.share, b?.share ?? ZERO),
  fee: subtract(a.fee, b?.fee ?? ZERO),
})

/** Why splits cannot be agreed on; undefined where they can. `amount` is what is asked for, where that is known. */
export type SplitFault = 'more than 100 % is split' | 'more than 100 % of the fee is borne' | 'more than the payment'

export function splitFault(splits: readonly IncomeSplit[], amount?: Kobo): SplitFault | undefined {
  const shares = splits.map(({ share }) => ('millionths' in share ? share.millionths : 0))
  if (total(shares) > WHOLE) return 'more than 100 % is split'
  if (total(splits.map(({ feeMillionths }) => feeMillionths)) > WHOLE) return 'more than 100 % of the fee is borne'
  if (amount === undefined) return undefined
  const wanted = splits.map(({ share }) =>
    'millionths' in share ? shareOf(amount, share.millionths) : kobo(BigInt(share.kobo)),
  )
  return sum(wanted) > amount ? 'more than the payment' : undefined
}

const total = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
