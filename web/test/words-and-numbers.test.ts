import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brandOf, expiryText, groupedNumber, hasExpired, isCardNumber, readExpiry } from '../checkout/card-number.ts'
import { changeOf } from '../dashboard/parts/change.ts'
import { agentText } from '../dashboard/parts/format.ts'
import { responseText } from '../dashboard/parts/response-text.ts'
import { lagosTime, timeLeft } from '../ui/clock.ts'
import { chooseLanguage, LANGUAGE_NAMES, type Language } from '../ui/language.ts'
import { DOCUMENT_TEXTS, MESSAGES } from '../ui/messages/all.ts'
import { minus, naira, readKobo } from '../ui/money.ts'

for (const [amount, text] of [
  [0, '₦0.00'],
  [0.5, '₦0.50'],
  [20, '₦20.00'],
  [999, '₦999.00'],
  [1_234.5, '₦1,234.50'],
  [1_000_000, '₦1,000,000.00'],
  [9_999_999_999_999.99, '₦9,999,999,999,999.99'],
  [-12.3, '−₦12.30'],
] as const)
  test(`${amount} naira are written ${text}`, () => assert.equal(naira(amount), text))

for (const [now, before, text] of [
  [5_000, 0, 'nothing collected by this time last week'],
  [0, 5_000, '−100% vs this day last week'],
  [5_000, 5_000, '+0% vs this day last week'],
  [50_000, 5_000, '+900% vs this day last week'],
  [50_000.01, 5_000, 'over 10 times as much as this day last week'],
] as const)
  test(`${now} after ${before} is ${text}`, () => assert.equal(changeOf(now, before), text))

test('a difference of two amounts is exact', () => {
  assert.equal(minus(45_250.5, 45_250.4), 0.1)
  assert.equal(minus(0.3, 0.1), 0.2)
})

for (const [text, kobo] of [
  ['5000', 500_000],
  ['50,000.5', 5_000_050],
  ['₦ 1,234.56', 123_456],
  ['1.15', 115],
  ['9999999999999.99', 999_999_999_999_999],
  ['0', 0],
  ['1.234', undefined],
  ['-5', undefined],
  ['5e3', undefined],
  ['', undefined],
] as const)
  test(`the typed amount “${text}” is ${kobo} kobo`, () => assert.equal(readKobo(text), kobo))

for (const [milliseconds, text] of [
  [-5, '00:00'],
  [1, '00:01'],
  [59_001, '01:00'],
  [2_400_000, '40:00'],
  [3_600_000, '1:00:00'],
  [93_784_000, '26:03:04'],
  [2 * 86_400_000, '2 d 0 h'],
  [12 * 86_400_000 + 5 * 3_600_000, '12 d 5 h'],
] as const)
  test(`${milliseconds} milliseconds are ${text}`, () => assert.equal(timeLeft(milliseconds), text))

test('times are Lagos time', () => assert.equal(lagosTime(Date.UTC(2026, 1, 28, 23, 30)), '01/03/2026, 00:30'))

for (const [number, brand] of [
  ['5060', 'Verve'],
  ['5061', 'Verve'],
  ['6500', 'Verve'],
  ['5399', 'Mastercard'],
  ['2221', 'Mastercard'],
  ['2720', 'Mastercard'],
  ['4000', 'Visa'],
  ['3714', 'American Express'],
  ['', undefined],
  ['2220', undefined],
  ['9999', undefined],
] as const)
  test(`a card that starts with ${number || 'nothing'} is ${brand ?? 'of no brand we know'}`, () =>
    assert.equal(brandOf(number)?.name, brand))

for (const [written, shown] of [
  ['4111111111111111', '4111 1111 1111 1111'],
  ['4111-1111 11', '4111 1111 11'],
  ['5060995994247093456', '5060 9959 9424 7093 456'],
  ['371449635398431', '3714 496353 98431'],
  ['letters', ''],
] as const)
  test(`the card number ${written} is shown as ${shown || 'nothing'}`, () =>
    assert.equal(groupedNumber(written), shown))

for (const [number, isOne] of [
  ['4111 1111 1111 1111', true],
  ['5060995994247093', true],
  ['4111111111111110', false],
  ['411111111111', false],
  ['41111111111111111111', false],
  ['0000000000000', true],
  ['', false],
] as const)
  test(`${number || 'nothing'} is ${isOne ? '' : 'no '}card number`, () => assert.equal(isCardNumber(number), isOne))

for (const [written, before, shown] of [
  ['1', '', '1'],
  ['8', '', '08/'],
  ['12', '1', '12/'],
  ['12', '12/', '12'],
  ['1229', '', '12/29'],
  ['1/29', '', '01/29'],
  ['12/29', '12/2', '12/29'],
] as const)
  test(`the expiry date ${written} becomes ${shown}`, () => assert.equal(expiryText(written, before), shown))

for (const [text, expiry] of [
  ['08/29', { month: '08', year: '2029' }],
  ['8/29', { month: '08', year: '2029' }],
  ['12 / 2031', { month: '12', year: '2031' }],
  ['13/29', undefined],
  ['00/29', undefined],
  ['0829', undefined],
  ['', undefined],
] as const)
  test(`${text || 'nothing'} is ${expiry === undefined ? 'no' : 'an'} expiry date`, () =>
    assert.deepEqual(readExpiry(text), expiry))

test('a card is valid to the end of its month', () => {
  const card = { month: '03', year: '2026' }
  assert.equal(hasExpired(card, Date.UTC(2026, 2, 31, 23)), false)
  assert.equal(hasExpired(card, Date.UTC(2026, 3, 1)), true)
})

/** Every text of a language by its path; functions get their values' names. */
const textsOf = (messages: object, path = ''): [string, string][] =>
  Object.entries(messages).flatMap(([name, message]): [string, string][] => {
    const at = `${path}${name}`
    if (typeof message === 'object') return textsOf(message, `${at}.`)
    return [[at, typeof message === 'string' ? message : message('«1»', '«2»', '«3»', '«4»')]]
  })

/** Texts that are the same everywhere: names and date formats. */
const ALIKE = new Set(['cardNote', 'ussd', 'cvv', 'expiryHint', 'methodNames.USSD', 'methodNames.CARD'])

test('every language has every text, uses the same values, and is translated', () => {
  for (const all of [MESSAGES, DOCUMENT_TEXTS]) checkLanguages(all)
})

function checkLanguages(all: Readonly<Record<Language, object>>): void {
  assert.deepEqual(Object.keys(all), Object.keys(LANGUAGE_NAMES))
  const english = new Map(textsOf(all.en))
  const factsIn = (text: string): string[] => (text.match(/«\d»/g) ?? []).sort()
  for (const [code, messages] of Object.entries(all)) {
    const texts = new Map(textsOf(messages))
    assert.deepEqual([...texts.keys()].sort(), [...english.keys()].sort(), code)
    for (const [name, text] of texts) {
      assert.ok(text.trim().length > 0, `${code}.${name}`)
      assert.deepEqual(factsIn(text), factsIn(english.get(name) ?? ''), `${code}.${name}: ${text}`)
      // Pidgin shares many words with English; the others share none.
      if (code !== 'en' && code !== 'pcm' && !ALIKE.has(name))
        assert.notEqual(text, english.get(name), `${code}.${name}`)
    }
  }
}

test('a session is named after its browser and system, also if Android says that it is a Linux', () => {
  for (const [agent, name] of [
    ['Mozilla/5.0 (Linux; Android 13; TECNO BG6) AppleWebKit/537.36 Chrome/126.0 Safari/537.36', 'Chrome on Android'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.5 Safari/605.1.15', 'Safari on macOS'],
  ] as const)
    assert.equal(agentText(agent), name)
})

test('the language comes from the link, then an earlier choice, then the browser', () => {
  const choose = (query?: string, cookie?: string, accepted?: string): string =>
    chooseLanguage({ query, cookie, accepted })
  assert.equal(choose(), 'en')
  assert.equal(choose('pcm', 'en', 'en'), 'pcm')
  assert.equal(choose('xx', 'pcm', 'en'), 'pcm')
  assert.equal(choose(undefined, undefined, 'de-DE, pcm-NG;q=0.8, en;q=0.5'), 'pcm')
  assert.equal(choose('constructor', 'toString', '*'), 'en')
})

test('a response to a webhook is its status, or the error in words', () => {
  assert.equal(responseText({ status: 503, error: null }), 'Status 503')
  assert.equal(responseText({ status: null, error: null }), 'No response')
  assert.equal(responseText({ status: null, error: 'ECONNREFUSED' }), 'Connection refused')
  assert.equal(responseText({ status: null, error: 'no response within 10 s' }), 'no response within 10 s')
})
