import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdsCardNumber, mayHoldCardNumber, passesLuhn } from '../../src/kernel/card-numbers.ts'

for (const digits of ['4111111111111111', '5060995994247093', '378282246310005', '0', '18'])
  test(`${digits} has a valid check digit`, () => assert.ok(passesLuhn(digits)))
for (const digits of ['4111111111111110', '5060995994247094', '1'])
  test(`${digits} has an invalid check digit`, () => assert.equal(passesLuhn(digits), false))

for (const text of [
  '4111111111111111',
  '4111 1111 1111 1111',
  '4111-1111-1111-1111',
  'card:4111111111111111, thanks',
  '5399838383838381',
  '2223003122003222',
  '5060995994247093',
  '378282246310005',
  '3782 822463 10005',
  '30569309025904',
  '6011111111111117',
  '3530111333300000',
])
  test(`${JSON.stringify(text)} contains a card number`, () =>
    assert.ok(holdsCardNumber(text) && mayHoldCardNumber(text)))

for (const text of [
  '',
  '4111111111111110', // wrong check digit
  '41111111111111111', // no network has 17 digits with this prefix
  'A4111111111111111',
  '4111111111111111_1',
  '٤4111111111111111',
  '1772357400000', // Unix milliseconds
  '0000000000000000',
  '9999999999999995', // valid check digit, but of no network
  '4111 1111 11 11 1111',
  'KFDS00120260301093000000001ABCDEF',
  '000013260301093000000000000001',
  '+2348035551234',
])
  test(`${JSON.stringify(text)} contains no card number`, () => assert.equal(holdsCardNumber(text), false))
