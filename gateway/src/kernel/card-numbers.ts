const DIGITS_MIN = 13

/** Whether digits pass the Luhn check. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48
    const counted = place % 2 === 0 ? digit : digit * 2
    sum += counted > 9 ? counted - 9 : counted
  }
  return sum % 10 === 0
}

/** The prefixes and lengths of card networks. Visa's 13-digit numbers have not been issued for decades. */
const NETWORKS = [
  /^4(\d{15}|\d{18})$/, // Visa
  /^(5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/, // Mastercard
  /^(506[01]|507[89]|6500)\d{12}(\d{2,3})?$/, // Verve
  /^3[47]\d{13}$/, // American Express
  /^3(0[0-5]|[68]\d)\d{11}$/, // Diners Club
  /^(6011|64[4-9]\d|65\d\d|35(2[89]|[3-8]\d)|62\d\d)\d{12}(\d{3})?$/, // Discover, JCB, UnionPay
]

/** 13 to 19 digits, either together or in groups as on a card, without a letter or digit next to them. */
const CANDIDATE =
  /(?<![\p{L}\p{N}_])(\d{13,19}|\d{4}([ -])\d{4}\2\d{4}\2\d{4}|\d{4}[ -]\d{6}[ -]\d{5})(?![\p{L}\p{N}_])/gu

/** Every candidate contains such digits, so a text without them needs no further search. */
const DIGITS_OF_CANDIDATES = /\d{4}[ -]?\d{4}/

/** Tests quickly whether a text may contain a card number. */
export const mayHoldCardNumber = (text: string): boolean => DIGITS_OF_CANDIDATES.test(text)

/** Whether a text almost certainly contains a card number. */
export const holdsCardNumber = (text: string): boolean =>
  text.length >= DIGITS_MIN && (text.match(CANDIDATE) ?? []).some((found) => isKnownNumber(found.replace(/[ -]/g, '')))

const isKnownNumber = (digits: string): boolean =>
  NETWORKS.some((network) => network.test(digits)) && passesLuhn(digits)
