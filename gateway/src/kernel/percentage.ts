import { invariant } from './errors.ts'
import { type Kobo, kobo } from './money.ts'

/** The whole (100 %) in millionths, so that a percentage with four decimals is a whole number. */
export const WHOLE = 1_000_000

const PERCENTAGE = /^(\d{1,3})(?:\.(\d{1,4}))?$/

/**
 * Reads a percentage, as a number or decimal text, in millionths. Undefined unless it is 0 to 100 with at most 4
 * decimals.
 */
export function fromPercentage(wire: number | string): number | undefined {
  const match = PERCENTAGE.exec(String(wire))
  if (match === null) return undefined
  const [, whole = '0', fraction = ''] = match
  const millionths = Number(whole + fraction.padEnd(4, '0'))
  return millionths <= WHOLE ? millionths : undefined
}

/** Reads a percentage that the contract has already validated. */
export function millionths(wire: number | string): number {
  const read = fromPercentage(wire)
  invariant(read !== undefined, 'a percentage that passed validation is valid')
  return read
}

/** Converts millionths to a percentage for JSON. */
export const toPercentage = (share: number): number => share / (WHOLE / 100)

/** Computes a share of an amount, rounded down to the kobo. The caller decides who gets the remainder. */
export const shareOf = (amount: Kobo, share: number): Kobo => kobo((amount * BigInt(share)) / BigInt(WHOLE))

/**
 * Converts a percentage with at most two decimals to basis points. Shifts the digits as text, so nothing is rounded.
 */
export function basisPointsOf(percent: string): number {
  const [whole = '0', fraction = ''] = percent.split('.')
  return Number(whole + fraction.padEnd(2, '0'))
}

/** Formats basis points as a percentage: 250 is 2.5. */
export const percentText = (basisPoints: number): string => String(basisPoints / 100)
