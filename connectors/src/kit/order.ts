import { createHash } from 'node:crypto'
import { lagosCompact } from '@kobo/gateway/kernel/dates.ts'

/** The identifiers of every order: its reference, and the source of numeric ids. */
export interface Order {
  readonly reference: string
  readonly sequence?: string | undefined
  readonly placedAt?: string | undefined
}

/** The reason if an older gateway gives no sequence: nothing is sent, since it could not be queried later. */
export const NO_SEQUENCE = 'The gateway sends no sequence with its orders: it is older than this connector'

const HASH_LENGTH = 24

/**
 * A reference for a partner that accepts letters and digits only. The mapping is stable and unique: what does not fit
 * is hashed.
 */
export const wireText = (reference: string, lengthMax: number): string =>
  /^[A-Za-z0-9]+$/.test(reference) && reference.length <= lengthMax
    ? reference
    : `K${createHash('sha256').update(reference).digest('hex').slice(0, HASH_LENGTH).toUpperCase()}`

/** The attempt number of a reference: `…~2` is the second. */
const tryOf = (reference: string): number => Number(/~(\d{1,2})$/.exec(reference)?.[1] ?? 1)

const SEQUENCE_DIGITS = 10

/**
 * A 30-digit NIP id: institution, second, and 12 digits unique within the second. The last ten digits of an order's id
 * differ within a second; two digits are the attempt.
 */
export function nipId(institution: string, { reference, sequence, placedAt }: Order): string | undefined {
  if (sequence === undefined || placedAt === undefined) return undefined
  const second = lagosCompact(new Date(placedAt)).slice(2)
  const unique = sequence.padStart(SEQUENCE_DIGITS, '0').slice(-SEQUENCE_DIGITS)
  return `${institution}${second}${String(tryOf(reference)).padStart(2, '0')}${unique}`
}
