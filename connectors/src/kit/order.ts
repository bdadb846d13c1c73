import { lagosCompact } from '@kobo/gateway/kernel/dates.ts'
import { hashedReference } from '@kobo/gateway/platform/crypto.ts'

/** The identifiers of an order: its reference, and the sequence and time from which numeric ids are made. */
export interface Order {
  readonly reference: string
  readonly sequence?: string | undefined
  readonly placedAt?: string | undefined
}

/** The reason for not sending an order without a sequence. It could not be queried later. */
export const NO_SEQUENCE = 'The gateway sends no sequence with its orders: it is older than this connector'

/**
 * Returns a reference for a partner that accepts only letters and digits. A reference that does not fit is hashed, so
 * that the result is unique and always the same. The partner must accept the 25 characters of the hash.
 */
export function wireText(reference: string, lengthMax: number): string {
  const wire =
    /^[A-Za-z0-9]+$/.test(reference) && reference.length <= lengthMax ? reference : hashedReference(reference)
  if (wire.length > lengthMax) throw new RangeError(`a reference of ${lengthMax} characters is too short for a hash`)
  return wire
}

/** The attempt number of a reference: `…~2` is the second. */
const tryOf = (reference: string): number => Number(/~(\d{1,2})$/.exec(reference)?.[1] ?? 1)

const SEQUENCE_DIGITS = 10

/**
 * Returns a 30-digit NIP id: the institution, the time to the second, the attempt (two digits), and the last ten digits
 * of the order's id.
 */
export function nipId(institution: string, { reference, sequence, placedAt }: Order): string | undefined {
  if (sequence === undefined || placedAt === undefined) return undefined
  const second = lagosCompact(new Date(placedAt)).slice(2)
  const unique = sequence.padStart(SEQUENCE_DIGITS, '0').slice(-SEQUENCE_DIGITS)
  return `${institution}${second}${String(tryOf(reference)).padStart(2, '0')}${unique}`
}
