/** A card brand, recognised by the first digits. */
export interface Brand {
  readonly name: 'Verve' | 'Mastercard' | 'Visa' | 'American Express'
  readonly cvvLength: 3 | 4
  /** Whether the brand's issuers require the PIN online. */
  readonly asksPin: boolean
}

const BRANDS: readonly (Brand & { readonly pattern: RegExp })[] = [
  { name: 'Verve', cvvLength: 3, asksPin: true, pattern: /^(5060|5061|5078|5079|6500)/ },
  { name: 'Mastercard', cvvLength: 3, asksPin: false, pattern: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/ },
  { name: 'Visa', cvvLength: 3, asksPin: false, pattern: /^4/ },
  { name: 'American Express', cvvLength: 4, asksPin: false, pattern: /^3[47]/ },
]

export const CARD_DIGITS_MIN = 13
export const CARD_DIGITS_MAX = 19

export const digitsOf = (text: string): string => text.replace(/\D/g, '')

export const brandOf = (number: string): Brand | undefined =>
  BRANDS.find(({ pattern }) => pattern.test(digitsOf(number)))

/** A card number in groups, as printed on the card. */
export function groupedNumber(text: string): string {
  const digits = digitsOf(text).slice(0, CARD_DIGITS_MAX)
  return brandOf(digits)?.name === 'American Express'
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10, 15)].filter(Boolean).join(' ')
    : (digits.match(/.{1,4}/g) ?? []).join(' ')
}

/** Whether length and Luhn checksum are valid. */
export function isCardNumber(number: string): boolean {
  const digits = digitsOf(number)
  if (digits.length < CARD_DIGITS_MIN || digits.length > CARD_DIGITS_MAX) return false
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** Formats an expiry date while the customer types it: 8 becomes 08/, 1229 becomes 12/29. */
export function expiryText(text: string, before = ''): string {
  const digits = digitsOf(/^\s*[2-9]/.test(text) ? `0${text}` : text.replace(/^(\d)\s*\//, '0$1/')).slice(0, 4)
  const isErasing = text.length < before.length
  if (digits.length < 2 || (digits.length === 2 && isErasing)) return digits
  return `${digits.slice(0, 2)}/${digits.slice(2)}`
}

/** Returns the month and year of an expiry date; undefined if it is invalid. */
export function readExpiry(text: string): { readonly month: string; readonly year: string } | undefined {
  const match = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(text)
  const month = Number(match?.[1])
  return match === null || month < 1 || month > 12
    ? undefined
    : { month: String(month).padStart(2, '0'), year: `20${match[2]}` }
}

/** Whether a card has expired at a given time; it is valid to the end of its month. */
export function hasExpired({ month, year }: { month: string; year: string }, unixMilliseconds: number): boolean {
  return Date.UTC(Number(year), Number(month), 1) <= unixMilliseconds
}
