/** Masks every text in a value. */
export function maskAll(value: unknown): unknown {
  if (typeof value === 'string') return /^[[{]/.test(value) ? maskJson(value, maskAll) : maskText(value)
  if (typeof value === 'number' && Math.abs(value) >= LONG_NUMBER) return maskText(String(value))
  if (Array.isArray(value)) return value.map(maskAll)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskAll(inner)]))
}

/** A number of this size may be a phone number, an account number or a BVN. */
const LONG_NUMBER = 1e9

/** Masks the JSON in a text with the given function. */
export function maskJson(text: unknown, mask: (value: unknown) => unknown): unknown {
  if (typeof text !== 'string') return maskAll(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return maskText(text)
  }
  return JSON.stringify(mask(value))
}

const SHOWN_DIGITS = 4

/**
 * Keeps enough to tell two customers apart: the first letter and the host of an email address, the last digits of a
 * number.
 */
export function maskText(text: string): string {
  const at = text.lastIndexOf('@')
  if (at > 0 && !/\s/.test(text)) return `${[...text][0]}***${text.slice(at)}`
  if (/^\d{7,}$/.test(text)) return `******${text.slice(-SHOWN_DIGITS)}`
  return `${[...text][0] ?? ''}***`
}
