import { findBank } from '../../core/bank-list/index.ts'

export const BIN_LENGTH = 6

/** The issuing bank of a card, by the first digits of its number. */
const BANK_CODES: Readonly<Record<string, string>> = {
  '400000': '044',
  '411111': '033',
  '424242': '057',
  '506099': '011',
  '539983': '058',
}
const NIGERIA = 'NG'

/** A card's network, by its number ranges. */
const SCHEMES: readonly { readonly name: string; readonly from: string; readonly to: string }[] = [
  { name: 'VERVE', from: '506099', to: '506198' },
  { name: 'VERVE', from: '507865', to: '507964' },
  { name: 'VERVE', from: '650002', to: '650027' },
  { name: 'VISA', from: '4', to: '4' },
  { name: 'MASTERCARD', from: '51', to: '55' },
  { name: 'MASTERCARD', from: '2221', to: '2720' },
]

export function schemeOf(number: string): string {
  const scheme = SCHEMES.find(({ from, to }) => {
    const start = number.slice(0, from.length)
    return start >= from && start <= to
  })
  return scheme?.name ?? 'OTHER'
}

/** Whether the card network requires a PIN with a charge. */
export const needsPin = (number: string): boolean => schemeOf(number) === 'VERVE'

/** Returns the issuer of a BIN; all fields are null if it is unknown. */
export function issuerOf(bin: string): {
  readonly bankCode: string | null
  readonly bankName: string | null
  readonly countryCode: string | null
} {
  const bank = findBank(BANK_CODES[bin] ?? '')
  if (bank === undefined) return { bankCode: null, bankName: null, countryCode: null }
  return { bankCode: bank.code, bankName: bank.name, countryCode: NIGERIA }
}
