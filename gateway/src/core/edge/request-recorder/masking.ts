import { passesLuhn } from '../../../kernel/card-numbers.ts'

/**
 * Endings of field names whose values are always masked, ignoring case, - and _. The list is long on purpose, because a
 * missing ending would expose a secret.
 */
const SECRET_ENDINGS: readonly string[] = [
  'pin',
  'otp',
  'cvv',
  'cvv2',
  'cvc',
  'pan',
  'cardnumber',
  'token',
  'tokenid',
  'secret',
  'secretkey',
  'password',
  'authorization',
  'authorizationcode',
  'paycode',
  'bvn',
  'bvns',
  'bvndateofbirth',
  'dateofbirth',
  'nin',
]
/** A field with this name holds a card number if its value is longer than any number of a page of results. */
const CARD_NUMBER_NAME = 'number'
const PAGE_NUMBER_LENGTH_MAX = 7
/** Finds digits anywhere in a text that start like Visa, Mastercard, Verve or American Express numbers. */
const CARD_NUMBER = /(?<![\dA-Za-z])(?:4|5[0-6]|6[0-5]|3[47]|2[2-7])(?:[ -]?\d){13,17}(?![\dA-Za-z])/g
export const MASKED = '[masked]'

/** At most this many values of a body are inspected, and at most this deep. The rest is not logged. */
const VALUES_MAX = 2_000
const DEPTH_MAX = 20

function isSecret(name: string, value: unknown): boolean {
  // Settings have boolean fields with such names.
  if (value === null || value === undefined || typeof value === 'boolean') return false
  const bare = name.replace(/[-_]/g, '').toLowerCase()
  if (bare === CARD_NUMBER_NAME) return String(value).length > PAGE_NUMBER_LENGTH_MAX
  return SECRET_ENDINGS.some((ending) => bare.endsWith(ending))
}

/** Returns a body with secrets masked. */
export function masked(body: unknown): unknown {
  let left = VALUES_MAX
  const walk = (value: unknown, depth: number): unknown => {
    if (--left < 0 || depth > DEPTH_MAX) return '…'
    if (typeof value === 'string') return maskedText(value)
    if (Array.isArray(value)) return value.slice(0, left + 1).map((one) => walk(one, depth + 1))
    if (typeof value !== 'object' || value === null) return maskedNumber(value)
    const fields: Record<string, unknown> = {}
    for (const [name, inner] of Object.entries(value)) {
      if (left < 0) break
      fields[name] = isSecret(name, inner) ? MASKED : walk(inner, depth + 1)
    }
    return fields
  }
  return walk(body, 0)
}

const maskedNumber = (value: unknown): unknown =>
  typeof value === 'number' && maskedText(String(value)) === MASKED ? MASKED : value

/** Returns a text with card numbers masked. */
export const maskedText = (text: string): string =>
  text.replace(CARD_NUMBER, (digits) => (passesLuhn(digits.replace(/\D/g, '')) ? MASKED : digits))

/** Returns a URL with the secrets and card numbers in it masked. */
export function maskedUrl(url: string): string {
  const at = url.indexOf('?')
  if (at === -1) return maskedText(url)
  const query = url
    .slice(at + 1)
    .split('&')
    .map((part) => {
      const [name = '', value = ''] = part.split('=', 2)
      return isSecret(decoded(name), value) ? `${name}=${MASKED}` : maskedText(part)
    })
  return `${maskedText(url.slice(0, at))}?${query.join('&')}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
