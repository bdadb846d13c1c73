import { META_DATA_BYTES_MAX } from '@kobo/contract'
import { holdsCardNumber, mayHoldCardNumber } from '../../kernel/card-numbers.ts'

/** The rule that a value violates, and the JSON pointer to the part that violates it. */
export interface Wrong {
  readonly rule: string
  readonly at?: string
}

/**
 * Checks a merchant's metadata. It comes from pages that anyone can change, and is stored unencrypted and returned
 * unchanged. So it must be small and must not contain a card number.
 */
export function findWrongMetaData(map: object): Wrong | undefined {
  if (isSmallAndPlain(map)) return undefined
  const text = JSON.stringify(map)
  if (Buffer.byteLength(text) > META_DATA_BYTES_MAX)
    return { rule: `must be at most ${META_DATA_BYTES_MAX} bytes of JSON` }
  const at = mayHoldCardNumber(text) ? findCardNumber(map) : undefined
  return at === undefined ? undefined : { rule: 'must not contain a card number', at }
}

/** Metadata with at most this many characters is never too large in bytes, whatever the characters are. */
const SMALL_LENGTH_MAX = META_DATA_BYTES_MAX / 16

/**
 * Whether metadata is obviously valid, as nearly all is: a few short texts without digits like those of a card number.
 */
function isSmallAndPlain(map: object): boolean {
  let length = 0
  for (const [key, value] of Object.entries(map)) {
    if (typeof value !== 'string' || mayHoldCardNumber(key) || mayHoldCardNumber(value)) return false
    length += key.length + value.length + 1
  }
  return length <= SMALL_LENGTH_MAX
}

/** Finds the place of a card number in a value. The depth and size of the value were checked earlier. */
function findCardNumber(value: unknown): string | undefined {
  if (typeof value === 'string') return holdsCardNumber(value) ? '' : undefined
  if (typeof value === 'number') return holdsCardNumber(String(value)) ? '' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (holdsCardNumber(key)) return ''
    const at = findCardNumber(inner)
    if (at !== undefined) return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${at}`
  }
  return undefined
}
