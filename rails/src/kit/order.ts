import { createHash } from 'node:crypto'
import { lagosCompact } from '@kobo/gateway/kernel/dates.ts'

/** What every order tells: its reference, and beside it what wire ids of digits are made of. */
export interface Order {
  readonly reference: string
  readonly sequence?: string | undefined
  readonly placedAt?: string | undefined
}

/** What an order is told without by a gateway from before: nothing is sent then, since it could not be asked about. */
export const NO_SEQUENCE = 'The gateway tells no sequence with its orders: it is older than this connector'

const HASH_LENGTH = 24

/**
 * A reference as a partner takes it that allows letters and digits only. The same reference gives the same text, and two
 * give two: what cannot go as it is goes as its hash.
 */
export const wireText = (reference: string, lengthMax: number): string =>
  /^[A-Za-z0-9]+$/.test(reference) && reference.length <= lengthMax
    ? reference
    : `K${createHash('sha256').update(reference).digest('hex').slice(0, HASH_LENGTH).toUpperCase()}`

/** Which try of its order a reference is: `…~2` is the second. */
const tryOf = (reference: string): number => Number(/~(\d{1,2})$/.exec(reference)?.[1] ?? 1)

const SEQUENCE_DIGITS = 10

/**
 * An id of 30 digits as NIP has them: institution, second, and 12 that no other order of the second has. Numbers of orders
 * grow by less than ten digits in a second, so that their last ten tell those of a second apart; two digits are the try's.
 */
export function nipId(institution: string, { reference, sequence, placedAt }: Order): string | undefined {
  if (sequence === undefined || placedAt === undefined) return undefined
  const second = lagosCompact(new Date(placedAt)).slice(2)
  const unique = sequence.padStart(SEQUENCE_DIGITS, '0').slice(-SEQUENCE_DIGITS)
  return `${institution}${second}${String(tryOf(reference)).padStart(2, '0')}${unique}`
}
