import { CARDS, type Kind } from '../gateway/src/rails/simulated/card.ts'
import { ENDINGS, SILENT_ENDING } from '../gateway/src/rails/simulated/transfer.ts'

const CARD_DESCRIPTIONS: Readonly<Record<Kind, string>> = {
  reusable: 'approved; returns a token for recurring charges',
  otp: 'requires an OTP; fails after five wrong ones',
  '3ds': '3-D Secure: approve or decline on the issuer’s page',
  'insufficient funds': 'declined: insufficient funds',
  silent: 'the issuer does not respond; Kobo queries it 30 seconds later, and it is approved',
}

const ENDING_DESCRIPTIONS: Readonly<Record<string, string>> = {
  '001': 'FAILED: invalid account',
  '002': 'PENDING, then SUCCESS after 60 seconds, when Kobo queries the bank',
  '003': 'SUCCESS, then REVERSED five minutes later',
  '004': 'FAILED: dormant account',
  '005': 'PENDING, then FAILED after 60 seconds, when Kobo queries the bank',
  [SILENT_ENDING]: 'the bank does not respond to the name enquiry: no money is sent or held',
}

const table = (head: string, rows: readonly (readonly [string, string])[]): string =>
  [
    `| ${head} | what happens |`,
    '|---|---|',
    ...rows.map(([value, description]) => `| ${value} | ${description} |`),
  ].join('\n')

const cards = table('number', [
  ...Object.entries(CARDS).map(
    ([number, kind]) => [number.replace(/(\d{4})(?=\d)/g, '$1 '), CARD_DESCRIPTIONS[kind]] as const,
  ),
  ['any other valid number', 'approved; returns no token'],
])

/** Throws for an ending without a description, so that every magic value is documented. */
function describeEnding(ending: string): string {
  const description = ENDING_DESCRIPTIONS[ending]
  if (description === undefined) throw new Error(`no description for accounts that end in ${ending}`)
  return description
}

const accounts = table('ends in', [
  ...[...Object.keys(ENDINGS), SILENT_ENDING].map((ending) => [ending, describeEnding(ending)] as const),
  ['anything else', 'SUCCESS'],
])

/** Updates the tables of the hand-written testing page from the simulated partners. */
export const testingPage = (text: string): string =>
  Object.entries({ cards, accounts }).reduce(
    (page, [name, made]) =>
      page.replace(
        new RegExp(`(<!-- ${name}:[^>]*-->\n)[^]*?(<!-- /${name} -->)`),
        (_, start: string, end: string) => `${start}\n${made}\n\n${end}`,
      ),
    text,
  )
