import { invariant } from './errors.ts'
import { type Kobo, kobo } from './money.ts'

/** The whole (100 %) in millionths, so that a percentage with four decimals is a whole number. */
export const WHOLE = 1_000_000

const PERCENTAGE = /^(\d{1,3})(?:\.(\d{1,4}))?$/

/**
 * A percentage on the wire, as a number or decimal text, in millionths. Undefined unless 0 to 100 with at most 4
 * decimals.
 */
export function fromPercentage(wire: number | string): number | undefined {
  const match = PERCENTAGE.exec(String(wire))
  if (match === null) return undefined
  const [, whole = '0', fraction = ''] = match
  const millionths = Number(whole + fraction.padEnd(4, '0'))
  return millionths <= WHOLE ? millionths : undefined
}

/** A percentage already validated by the contract. */
export function millionths(wire: number | string): number {
  const read = fromPercentage(wire)
  invariant(read !== undefined, 'a percentage that passed validation is valid')
  return read
}

/** Millionths as a percentage in JSON. */
export const toPercentage = (share: number): number => share / (WHOLE / 100)

/** A share of an amount, rounded down to the kobo. The caller decides who gets the remainder. */
export const shareOf = (amount: Kobo, share: number): Kobo => kobo((amount * BigInt(share)) / BigInt(WHOLE))

/**
 * A percentage with at most two decimals as basis points. Its digits are moved, not multiplied, so nothing is rounded.
 */
export function basisPointsOf(percent: string): number {
  const [whole = '0', fraction = ''] = percent.split('.')
  return Number(whole + fraction.padEnd(2, '0'))
}

/** Basis points as a percentage text: 250 is 2.5. */
export const percentText = (basisPoints: number): string => String(basisPoints / 100)
