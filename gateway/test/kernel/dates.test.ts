import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { offsetClock, secondsAfter } from '../../src/kernel/clock.ts'
import {
  compact,
  dayText,
  fromDateTime,
  fromDay,
  fromMoment,
  fromNamedDay,
  iso,
  lagosDay,
  lagosMoment,
  monthsAfter,
  plain,
  slashed,
  spaced,
  spacedHalfDay,
  spacedMilliseconds,
  spacedTenth,
  startOfDay,
  zoned,
} from '../../src/kernel/dates.ts'

const FORMS = { slashed, spaced, spacedMilliseconds, spacedTenth, spacedHalfDay, plain, zoned, compact }

const MOMENTS: Readonly<Record<string, Readonly<Record<keyof typeof FORMS, string>>>> = {
  '2026-03-01T09:30:00.007Z': {
    slashed: '01/03/2026 10:30:00 AM',
    spaced: '2026-03-01 10:30:00',
    spacedMilliseconds: '2026-03-01 10:30:00.007',
    spacedTenth: '2026-03-01 10:30:00.0',
    spacedHalfDay: '2026-03-01 10:30:00 AM',
    plain: '2026-03-01T10:30:00',
    zoned: '2026-03-01T09:30:00.007+0000',
    compact: '20260301093000',
  },
  // Midnight in Lagos is 12 AM of the next day, here of the next year, while UTC is still on the day before.
  '2025-12-31T23:00:00.000Z': {
    slashed: '01/01/2026 12:00:00 AM',
    spaced: '2026-01-01 00:00:00',
    spacedMilliseconds: '2026-01-01 00:00:00.000',
    spacedTenth: '2026-01-01 00:00:00.0',
    spacedHalfDay: '2026-01-01 12:00:00 AM',
    plain: '2026-01-01T00:00:00',
    zoned: '2025-12-31T23:00:00.000+0000',
    compact: '20251231230000',
  },
  '2025-12-31T22:59:59.999Z': {
    slashed: '31/12/2025 11:59:59 PM',
    spaced: '2025-12-31 23:59:59',
    spacedMilliseconds: '2025-12-31 23:59:59.999',
    spacedTenth: '2025-12-31 23:59:59.0',
    spacedHalfDay: '2025-12-31 11:59:59 PM',
    plain: '2025-12-31T23:59:59',
    zoned: '2025-12-31T22:59:59.999+0000',
    compact: '20251231225959',
  },
  '2028-02-29T11:00:00.050Z': {
    slashed: '29/02/2028 12:00:00 PM',
    spaced: '2028-02-29 12:00:00',
    spacedMilliseconds: '2028-02-29 12:00:00.050',
    spacedTenth: '2028-02-29 12:00:00.0',
    spacedHalfDay: '2028-02-29 12:00:00 PM',
    plain: '2028-02-29T12:00:00',
    zoned: '2028-02-29T11:00:00.050+0000',
    compact: '20280229110000',
  },
}

for (const [moment, forms] of Object.entries(MOMENTS)) {
  for (const [name, text] of Object.entries(forms)) {
    test(`${moment} as ${name} is ${text}`, () =>
      assert.equal(FORMS[name as keyof typeof FORMS](new Date(moment)), text))
  }
}

for (const [utc, halfDay] of [
  ['2026-07-01T23:30:00Z', '12:30:00 AM'],
  ['2026-07-01T00:00:00Z', '01:00:00 AM'],
  ['2026-07-01T10:59:59Z', '11:59:59 AM'],
  ['2026-07-01T11:00:00Z', '12:00:00 PM'],
  ['2026-07-01T12:00:00Z', '01:00:00 PM'],
  ['2026-07-01T22:59:59Z', '11:59:59 PM'],
] as const) {
  test(`${utc} is ${halfDay} on the clock in Lagos`, () => assert.equal(slashed(new Date(utc)).slice(11), halfDay))
}

const aMoment = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })

test('the local and the UTC form of one moment are an hour apart, and no millisecond is lost', () => {
  fc.assert(
    fc.property(aMoment, (moment) => {
      assert.equal(Date.parse(`${spacedMilliseconds(moment).replace(' ', 'T')}+01:00`), moment.getTime())
      assert.equal(Date.parse(zoned(moment).replace('+0000', 'Z')), moment.getTime())
    }),
  )
})

for (const [wire, expected] of [
  [0, '1970-01-01T00:00:00.000Z'],
  [1_772_357_400_000, '2026-03-01T09:30:00.000Z'],
  ['1772357400000', '2026-03-01T09:30:00.000Z'],
  [' 1772357400000 ', '2026-03-01T09:30:00.000Z'],
  [-1, '1969-12-31T23:59:59.999Z'], // JavaScript would read the text -1 as January 2001
  ['2026-03-01', '2026-02-28T23:00:00.000Z'],
  ['2026-03-01 10:30:00', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T10:30', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T10:30:00+01:00', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30:00.123+0000', '2026-03-01T09:30:00.123Z'],
  ['Sun, 01 Mar 2026 09:30:00 GMT', '2026-03-01T09:30:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
] as const) {
  test(`${JSON.stringify(wire)} is the moment ${expected}`, () =>
    assert.equal(fromMoment(wire)?.toISOString(), expected))
}

for (const wire of [
  '',
  ' ',
  'yesterday',
  '2026-13-01',
  '2026-02-01T25:00:00Z',
  '0000-12-31T23:59:59Z', // PostgreSQL knows no year zero
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '1234567890123456',
  253_402_300_800_000,
  999_999_999_999_999,
  Number.NaN,
  Number.POSITIVE_INFINITY,
]) {
  test(`${JSON.stringify(wire)} (${String(wire)}) is not a moment`, () => assert.equal(fromMoment(wire), undefined))
}

for (const [wire, isDay] of [
  ['1994-09-07', true],
  ['2024-02-29', true],
  ['2025-02-29', false],
  ['1994-13-01', false],
  ['1994-9-7', false],
  ['07/09/1994', false],
  ['1994-09-07T00:00:00Z', false],
  ['', false],
] as const) {
  test(`${JSON.stringify(wire)} is ${isDay ? 'a' : 'not a'} calendar day`, () =>
    assert.equal(fromDay(wire)?.toISOString(), isDay ? `${wire}T00:00:00.000Z` : undefined))
}

for (const [wire, expected] of [
  ['03-Oct-1993', '1993-10-03T00:00:00.000Z'],
  ['29-FEB-2024', '2024-02-29T00:00:00.000Z'],
  ['29-feb-2025', undefined],
  ['31-Apr-2000', undefined],
  ['3-Oct-1993', undefined],
  ['03-Okt-1993', undefined],
  ['03-10-1993', undefined],
  ['1993-10-03', undefined],
  ['', undefined],
] as const) {
  test(`${JSON.stringify(wire)} is ${expected ?? 'not a day with a named month'}`, () =>
    assert.equal(fromNamedDay(wire)?.toISOString(), expected))
}

for (const [wire, expected] of [
  ['2026-03-01 10:30:00', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T10:30:00', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T10:30', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T10:30:00.750', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30:00.000+0000', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T12:30:00+03:00', '2026-03-01T09:30:00.000Z'],
  ['2024-02-29 00:00:00', '2024-02-28T23:00:00.000Z'],
  ['2025-02-29 00:00:00', undefined],
  ['2026-03-01 25:00:00', undefined],
  ['2026-03-01', undefined],
  ['01/03/2026 10:30:00', undefined],
  ['1772357400000', undefined],
  ['0000-01-01 00:00:00', undefined],
  ['', undefined],
] as const) {
  test(`${JSON.stringify(wire)} is ${expected ?? 'not a date with a time'}`, () =>
    assert.equal(fromDateTime(wire)?.toISOString(), expected))
}

test('a day begins at midnight in Lagos', () => {
  for (const [moment, begins] of [
    ['2026-03-01T09:30:00Z', '2026-02-28T23:00:00.000Z'],
    ['2026-02-28T23:00:00Z', '2026-02-28T23:00:00.000Z'],
    ['2026-02-28T22:59:59.999Z', '2026-02-27T23:00:00.000Z'],
  ] as const)
    assert.equal(startOfDay(new Date(moment)).toISOString(), begins)
})

test('a clock that is moved ahead follows real time from there and never moves back', () => {
  let real = new Date('2026-03-01T09:30:00Z')
  const clock = offsetClock({ now: () => real })
  clock.setOffset(60_000)
  clock.setOffset(1_000)
  assert.equal(clock.offsetMilliseconds(), 60_000)
  real = secondsAfter(real, 5)
  assert.equal(clock.now().toISOString(), '2026-03-01T09:31:05.000Z')
})

for (const [moment, months, expected] of [
  ['2026-03-01T09:30:00.007Z', 6, '2026-09-01T09:30:00.007Z'],
  ['2026-08-31T12:00:00.000Z', 6, '2027-02-28T12:00:00.000Z'],
  ['2027-08-31T12:00:00.000Z', 6, '2028-02-29T12:00:00.000Z'],
  ['2026-10-15T12:00:00.000Z', 6, '2027-04-15T12:00:00.000Z'],
  // In Lagos it is already the first of the next month.
  ['2026-01-31T23:30:00.000Z', 1, '2026-02-28T23:30:00.000Z'],
] as const) {
  test(`${months} months after ${moment} is ${expected}`, () =>
    assert.equal(monthsAfter(new Date(moment), months).toISOString(), expected))
}
test('a day in Lagos begins an hour before it does in UTC, and is counted from 1970', () => {
  for (const [moment, day] of [
    ['1970-01-01T00:00:00Z', '1970-01-01'],
    ['2026-02-28T22:59:59.999Z', '2026-02-28'],
    ['2026-02-28T23:00:00Z', '2026-03-01'],
    ['2028-02-29T12:00:00Z', '2028-02-29'],
  ] as const)
    assert.equal(dayText(lagosDay(new Date(moment))), day)
  assert.equal(
    lagosMoment(lagosDay(new Date('2026-02-28T23:00:00Z')), 22 * 60).toISOString(),
    '2026-03-01T21:00:00.000Z',
  )
})

test('a moment is written to the database in ISO format, as JavaScript prints it', () => {
  const nearBy = fc.integer({ min: -100_000_000, max: 100_000_000 }).map((n) => new Date(Date.UTC(2026, 2, 1) + n))
  fc.assert(
    fc.property(fc.array(fc.oneof(nearBy, fc.date({ noInvalidDate: true }))), (moments) => {
      for (const moment of moments) assert.equal(iso(moment), moment.toISOString())
    }),
  )
  assert.throws(() => iso(new Date(Number.NaN)), RangeError)
})
