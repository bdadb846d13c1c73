import { invariant } from './errors.ts'

declare const unit: unique symbol

/** An amount in kobo, the smallest unit of the naira. 100 kobo = 1 naira. */
export type Kobo = bigint & { readonly [unit]: 'kobo' }
export const kobo = (n: bigint): Kobo => n as Kobo
export const ZERO = kobo(0n)

const NAIRA = /^(\d{1,13})(?:\.(\d{1,2}))?$/
const WHOLE_NAIRA_MAX = 1e13

/** Reads an amount in naira, as a number or decimal text, exactly. Undefined unless it is positive. */
export function fromNaira(wire: number | string): Kobo | undefined {
  const amount = fromNairaOrZero(wire)
  return amount !== undefined && amount > 0n ? amount : undefined
}

/** Reads an amount in naira like `fromNaira`, but allows zero. */
export function fromNairaOrZero(wire: number | string): Kobo | undefined {
  if (typeof wire === 'number' && wire >= 0 && wire < WHOLE_NAIRA_MAX) return fromNumber(wire)
  const match = NAIRA.exec(typeof wire === 'number' ? String(wire) : wire)
  if (match === null) return undefined
  const [, whole = '0', fraction = ''] = match
  return kobo(BigInt(whole + fraction.padEnd(2, '0')))
}

/**
 * Converts a number of naira to kobo; undefined if it has more than two decimals. A number with up to fifteen digits
 * has more than two decimals if converting it to whole kobo and back changes it.
 */
function fromNumber(wire: number): Kobo | undefined {
  const nearest = Math.round(wire * 100)
  return nearest / 100 === wire ? kobo(BigInt(nearest)) : undefined
}

/** Reads an amount in naira that the contract has already validated. */
export const naira = (wire: number | string): Kobo => passed(fromNaira(wire))
/** Reads an amount in naira, which may be zero, that the contract has already validated. */
export const nairaOrZero = (wire: number | string): Kobo => passed(fromNairaOrZero(wire))

function passed(amount: Kobo | undefined): Kobo {
  invariant(amount !== undefined, 'an amount past the edge is a valid one')
  return amount
}

/** Converts to naira as a JSON number. Up to fifteen digits of kobo are exact in a floating-point number. */
export const toNaira = (amount: Kobo): number => Number(amount) / 100

/** Formats as naira with two decimals. */
export function toNairaText(amount: Kobo): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Formats as naira for people, in emails and on pages: ₦60,000.00. */
export const formatNaira = (amount: Kobo): string => `₦${toNairaText(amount).replace(/\B(?=(\d{3})+\.)/g, ',')}`

export const add = (a: Kobo, b: Kobo): Kobo => kobo(a + b)
export const subtract = (a: Kobo, b: Kobo): Kobo => kobo(a - b)
export const smaller = (a: Kobo, b: Kobo): Kobo => (a < b ? a : b)
export const larger = (a: Kobo, b: Kobo): Kobo => (a > b ? a : b)
export const sum = (amounts: Iterable<Kobo>): Kobo => {
  let total = 0n
  for (const amount of amounts) total += amount
  return kobo(total)
}

const BASIS_POINTS = 10_000n

/** Computes a percentage, given in basis points, rounded half up to a kobo. */
export const percentage = (amount: Kobo, basisPoints: bigint): Kobo =>
  kobo((amount * basisPoints + BASIS_POINTS / 2n) / BASIS_POINTS)
