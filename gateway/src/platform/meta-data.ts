import { META_DATA_BYTES_MAX } from '@kobo/contract'
import { holdsCardNumber, mayHoldCardNumber } from '../kernel/card-numbers.ts'

/** What is wrong with a value: the rule that it breaks, and where inside it, as a JSON pointer. */
export interface Wrong {
  readonly rule: string
  readonly at?: string
}

/**
 * What may not be kept of a merchant's own map. It comes from pages that anyone may change, stands in clear in the
 * database, in events and in answers, and goes back as it came: so it is small, and no place for a card.
 */
export function findWrongMetaData(map: object): Wrong | undefined {
  if (isSmallAndPlain(map)) return undefined
  const text = JSON.stringify(map)
  if (Buffer.byteLength(text) > META_DATA_BYTES_MAX)
    return { rule: `must be at most ${META_DATA_BYTES_MAX} bytes of JSON` }
  const at = mayHoldCardNumber(text) ? findCardNumber(map) : undefined
  return at === undefined ? undefined : { rule: 'must not hold a card number', at }
}

/** So many characters take no more room than there is, whatever they are. */
const SMALL_LENGTH_MAX = META_DATA_BYTES_MAX / 16

/** Whether a map is sound beyond doubt, as nearly all are: a few short texts, of which none could hold the number of a card. */
function isSmallAndPlain(map: object): boolean {
  let length = 0
  for (const [key, value] of Object.entries(map)) {
    if (typeof value !== 'string' || mayHoldCardNumber(key) || mayHoldCardNumber(value)) return false
    length += key.length + value.length + 1
  }
  return length <= SMALL_LENGTH_MAX
}

/** Where a value holds the number of a card. How deep it goes and how much there is of it has been checked. */
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
