import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANT, isTimeOfDay, nextCycle, settlementDue } from '../../../src/core/money/settlement-cycle/index.ts'
import { spaced } from '../../../src/kernel/dates.ts'

const at = (lagos: string): Date => new Date(`${lagos.replace(' ', 'T')}+01:00`)

for (const [method, cycle, completed, due, why] of [
  ['ACCOUNT_TRANSFER', '22:00', '2026-03-02 10:00:00', '2026-03-02 22:00:00', 'the same day'],
  ['ACCOUNT_TRANSFER', '22:00', '2026-03-02 21:59:59', '2026-03-02 22:00:00', 'just in time'],
  [
    'ACCOUNT_TRANSFER',
    '22:00',
    '2026-03-02 22:00:00',
    '2026-03-03 22:00:00',
    'at the very moment of the cut-off it is too late',
  ],
  ['ACCOUNT_TRANSFER', '22:00', '2026-03-02 23:30:00', '2026-03-03 22:00:00', 'the next day'],
  [
    'ACCOUNT_TRANSFER',
    '22:00',
    '2026-03-03 00:30:00',
    '2026-03-03 22:00:00',
    'of a day in Lagos, though it is yesterday in UTC',
  ],
  ['ACCOUNT_TRANSFER', '22:00', '2026-02-28 12:00:00', '2026-02-28 22:00:00', 'on a Saturday'],
  ['ACCOUNT_TRANSFER', '22:00', '2026-12-25 12:00:00', '2026-12-25 22:00:00', 'on Christmas Day'],
  ['CASH', '22:00', '2026-02-28 12:00:00', '2026-02-28 22:00:00', 'cash like transfers'],
  ['DIRECT_DEBIT', '22:00', '2026-02-28 12:00:00', '2026-02-28 22:00:00', 'debits like transfers'],
  ['ACCOUNT_TRANSFER', '06:30', '2026-03-02 10:00:00', '2026-03-03 06:30:00', 'a contract with its own time'],
  ['ACCOUNT_TRANSFER', '00:00', '2026-03-02 10:00:00', '2026-03-03 00:00:00', 'midnight'],
  ['CARD', '22:00', '2026-03-02 10:00:00', '2026-03-03 22:00:00', 'a card on the next day'],
  ['CARD', '22:00', '2026-03-02 23:59:59', '2026-03-03 22:00:00', 'a card late in the evening'],
  ['CARD', '22:00', '2026-02-27 10:00:00', '2026-03-02 22:00:00', 'a Friday’s card payment on Monday'],
  ['CARD', '22:00', '2026-02-28 10:00:00', '2026-03-02 22:00:00', 'a Saturday’s card payment on Monday'],
  ['CARD', '22:00', '2026-04-02 10:00:00', '2026-04-07 22:00:00', 'a card before Easter after Easter Monday'],
  ['CARD', '22:00', '2026-09-30 10:00:00', '2026-10-02 22:00:00', 'a card over Independence Day'],
  ['CARD', '22:00', '2029-12-24 10:00:00', '2029-12-27 22:00:00', 'holidays with a fixed date in every year'],
  ['CARD', INSTANT, '2026-02-28 10:00:00', '2026-02-28 10:00:00', 'at once'],
  ['ACCOUNT_TRANSFER', INSTANT, '2026-03-02 23:30:00', '2026-03-02 23:30:00', 'at once'],
] as const) {
  test(`${method} of ${completed} with the cycle ${cycle} settles at ${due}: ${why}`, () =>
    assert.equal(spaced(settlementDue(cycle, method, at(completed))), due))
}

test('a failed settlement is retried in the next cycle, at 22:00 if no time is set for it', () => {
  assert.equal(spaced(nextCycle('22:00', at('2026-03-02 22:00:01'))), '2026-03-03 22:00:00')
  assert.equal(spaced(nextCycle('06:30', at('2026-03-02 22:00:01'))), '2026-03-03 06:30:00')
  assert.equal(spaced(nextCycle(INSTANT, at('2026-03-02 10:00:00'))), '2026-03-02 22:00:00')
})

test('a time of day has two digits of hours and two of minutes', () => {
  for (const text of ['00:00', '22:00', '23:59']) assert.ok(isTimeOfDay(text), text)
  for (const text of ['24:00', '9:00', '22:60', '22:00:00', '', 'INSTANT']) assert.ok(!isTimeOfDay(text), text)
})
