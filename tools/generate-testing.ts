import { CARDS, type Kind } from '../gateway/src/rails/simulated/card.ts'
import { ENDINGS, SILENT_ENDING } from '../gateway/src/rails/simulated/transfer.ts'

const CARD_WORDS: Readonly<Record<Kind, string>> = {
  reusable: 'approved at once; gives a token that can be charged again',
  otp: 'asks for an OTP; five wrong ones end it',
  '3ds': '3-D Secure: approve or refuse on the issuer’s page',
  'insufficient funds': 'declined: insufficient funds',
  silent: 'the issuer does not answer; approved when asked again half a minute later',
}

const ENDING_WORDS: Readonly<Record<string, string>> = {
  '001': 'FAILED: invalid account',
  '002': 'PENDING, SUCCESS when asked about after 60 seconds',
  '003': 'SUCCESS, REVERSED five minutes later',
  '004': 'FAILED: dormant',
  '005': 'PENDING, FAILED when asked about after 60 seconds',
  [SILENT_ENDING]: 'its bank does not answer an enquiry: nothing is sent, nothing is held',
}

const table = (head: string, rows: readonly (readonly [string, string])[]): string =>
  [`| ${head} | what happens |`, '|---|---|', ...rows.map(([value, words]) => `| ${value} | ${words} |`)].join('\n')

const cards = table('number', [
  ...Object.entries(CARDS).map(
    ([number, kind]) => [number.replace(/(\d{4})(?=\d)/g, '$1 '), CARD_WORDS[kind]] as const,
  ),
  ['any other valid number', 'approved; gives no token'],
])

/** An ending without words here would be a magic value that nobody is told of. */
function wordsFor(ending: string): string {
  const words = ENDING_WORDS[ending]
  if (words === undefined) throw new Error(`no words for accounts that end in ${ending}`)
  return words
}

const accounts = table('ends in', [
  ...[...Object.keys(ENDINGS), SILENT_ENDING].map((ending) => [ending, wordsFor(ending)] as const),
  ['anything else', 'SUCCESS'],
])

/** The page about testing is written by hand but for the tables that the simulated partners know best. */
export const testingPage = (text: string): string =>
  Object.entries({ cards, accounts }).reduce(
    (page, [name, made]) =>
      page.replace(
        new RegExp(`(<!-- ${name}:[^>]*-->\n)[sS]*?(<!-- /${name} -->)`),
        (_, start: string, end: string) => `${start}\n${made}\n\n${end}`,
      ),
    text,
  )
