import type { PartnerSetting } from '../connector.ts'

/** The meaning of a response code for the money. `held`: the transfer failed, but we must not return the money yet. */
export type Meaning = 'succeeded' | 'failed' | 'held' | 'unknown'
export type Codes = Readonly<Record<string, Meaning>>

const of = (meaning: Meaning, codes: string): Codes =>
  Object.fromEntries(codes.split(' ').map((code) => [code, meaning]))

/** The NIP codes. Implementations disagree, so a code counts as failed only if that is certain. */
export const NIP_CODES: Codes = {
  ...of('succeeded', '00'),
  ...of('failed', '03 05 06 07 08 12 13 14 16 17 18 30 51 57 58 61 65 69 70 71 92'),
  ...of('held', '34 35 63'),
  ...of('unknown', '01 02 09 15 21 25 26 68 91 94 96 97'),
}

/** The meaning of a code. Codes that are not listed are unknown. */
export const meaningOf = (codes: Codes, code: string | undefined): Meaning =>
  code !== undefined && Object.hasOwn(codes, code) ? (codes[code] ?? 'unknown') : 'unknown'

const MEANING = /^([A-Za-z0-9]{1,20})=(succeeded|failed|held|unknown)$/

const pairsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean)

/** The setting for codes whose meaning differs in the operator's agreement with the partner. */
export const CODES_SETTING: PartnerSetting = {
  name: 'CODES',
  help: 'Response codes with a different meaning here, for example 12=unknown,07=failed',
  standard: '',
  whyNot: (text) =>
    pairsOf(text).every((pair) => MEANING.test(pair)) ? undefined : 'must be pairs such as 12=unknown,07=failed',
}

/** Returns the table of codes with the operator's changes. */
export const withCodes = (codes: Codes, text: string): Codes => ({
  ...codes,
  ...Object.fromEntries(pairsOf(text).map((pair) => MEANING.exec(pair)?.slice(1) ?? [])),
})
