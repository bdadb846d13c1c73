import { add, type Kobo, kobo, smaller, subtract, sum, ZERO } from '../../kernel/money.ts'

/** The parts of an income taken by debts and the reserve. */
export interface Withheld {
  readonly debtRepaid: Kobo
  readonly reserved: Kobo
}

/** A beneficiary's income and what is withheld from it. */
export interface Withholding extends Withheld {
  readonly income: Kobo
}

export interface Incomes {
  readonly merchant: Kobo
  /** The incomes of sub accounts, by their code. */
  readonly subAccounts: ReadonlyMap<string, Kobo>
}

export interface Withholdings {
  readonly merchant: Withholding
  readonly subAccounts: ReadonlyMap<string, Withholding>
}

export const NOTHING_WITHHELD: Withheld = { debtRepaid: ZERO, reserved: ZERO }

/** Returns the amount that a beneficiary gets. */
export const paidOut = ({ income, debtRepaid, reserved }: Withholding): Kobo =>
  subtract(income, add(debtRepaid, reserved))

/**
 * Divides a settlement's withholding: the merchant's income bears it first, then the sub accounts' in proportion. So a
 * merchant cannot evade a debt or the reserve by splitting payments to a sub account.
 */
export function bearersOf({ debtRepaid, reserved }: Withheld, { merchant, subAccounts }: Incomes): Withholdings {
  const codes = [...subAccounts.keys()].sort()
  const incomes = codes.map((code) => subAccounts.get(code) ?? ZERO)
  const debts = merchantFirst(debtRepaid, merchant, incomes)
  const reserves = merchantFirst(
    reserved,
    subtract(merchant, debts.merchant),
    incomes.map((income, index) => subtract(income, debts.others[index] ?? ZERO)),
  )
  return {
    merchant: { income: merchant, debtRepaid: debts.merchant, reserved: reserves.merchant },
    subAccounts: new Map(
      codes.map((code, index) => [
        code,
        {
          income: incomes[index] ?? ZERO,
          debtRepaid: debts.others[index] ?? ZERO,
          reserved: reserves.others[index] ?? ZERO,
        },
      ]),
    ),
  }
}

/** Divides a beneficiary's withholding in proportion to its incomes from the transactions. */
export function perTransaction({ debtRepaid, reserved }: Withheld, incomes: readonly Kobo[]): readonly Withholding[] {
  const debts = inProportion(debtRepaid, incomes)
  const reserves = inProportion(
    reserved,
    incomes.map((income, index) => subtract(income, debts[index] ?? ZERO)),
  )
  return incomes.map((income, index) => ({
    income,
    debtRepaid: debts[index] ?? ZERO,
    reserved: reserves[index] ?? ZERO,
  }))
}

function merchantFirst(
  amount: Kobo,
  merchant: Kobo,
  others: readonly Kobo[],
): { readonly merchant: Kobo; readonly others: readonly Kobo[] } {
  const ofMerchant = smaller(amount, merchant)
  return { merchant: ofMerchant, others: inProportion(subtract(amount, ofMerchant), others) }
}

/** Divides an amount in proportion to the wholes: the parts add up to the amount, and no part exceeds its whole. */
function inProportion(amount: Kobo, wholes: readonly Kobo[]): readonly Kobo[] {
  const total = sum(wholes)
  const divided = smaller(amount, total)
  let passed: Kobo = ZERO
  let given: Kobo = ZERO
  return wholes.map((whole) => {
    passed = add(passed, whole)
    const until = total === 0n ? ZERO : kobo((divided * passed) / total)
    const part = subtract(until, given)
    given = until
    return part
  })
}
