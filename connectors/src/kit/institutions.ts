import type { PartnerSetting } from '../connector.ts'

/** Bank codes and their NIP institution codes. Other six-digit codes are already institution codes. */
const NUMBERS: Readonly<Record<string, string>> = {
  '044': '000014',
  '050': '000010',
  '070': '000007',
  '011': '000016',
  '214': '000003',
  '058': '000013',
  '301': '000006',
  '082': '000002',
  '076': '000008',
  '101': '000023',
  '221': '000012',
  '068': '000021',
  '232': '000001',
  '100': '000022',
  '032': '000018',
  '033': '000004',
  '215': '000011',
  '035': '000017',
  '057': '000015',
  '50515': '090405',
  '50211': '090267',
  '305': '100004',
  '023': '000009',
  '103': '000027',
  '302': '000026',
  '303': '000029',
  '104': '000030',
  '105': '000031',
  '106': '000034',
  '107': '000036',
  '502': '000024',
  '559': '060001',
  '501': '400001',
  '562': '060004',
}

const PAIR = /^(\d{3,6})=(\d{6})$/
const pairsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean)

/** The setting for institution codes that this list lacks: of banks that opened, merged or were renamed since. */
export const BANKS_SETTING: PartnerSetting = {
  name: 'BANKS',
  help: 'Institution numbers of further bank codes, for example 058=000013,50211=090267',
  standard: '',
  whyNot: (text) => (pairsOf(text).every((pair) => PAIR.test(pair)) ? undefined : 'must be pairs such as 058=000013'),
}

export interface Institutions {
  /** A bank's institution code. If it is unknown, this is undefined, and nothing can be sent to the bank. */
  readonly numberOf: (bankCode: string) => string | undefined
  /** The bank code of an institution code; the same code for most institutions, which have no other. */
  readonly bankOf: (number: string) => string
}

export function institutions(setting: string): Institutions {
  const pairs = pairsOf(setting).map((pair) => PAIR.exec(pair)?.slice(1) as [string, string])
  const numbers = new Map([...Object.entries(NUMBERS), ...pairs])
  const banks = new Map([...numbers].map(([code, number]) => [number, code]))
  return {
    numberOf: (code) => numbers.get(code) ?? (/^\d{6}$/.test(code) ? code : undefined),
    bankOf: (number) => banks.get(number) ?? number,
  }
}
