import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  formatNaira,
  fromNaira,
  fromNairaOrZero,
  type Kobo,
  kobo,
  naira,
  percentage,
  smaller,
  subtract,
  sum,
  toNaira,
  toNairaText,
} from '../../src/kernel/money.ts'

const KOBO_MAX = 999_999_999_999_999n // thirteen digits of naira

for (const [wire, expected] of [
  [20, 2_000n],
  [0.01, 1n],
  [0.07, 7n],
  [0.1, 10n],
  [1.1, 110n],
  [19.99, 1_999n],
  [4.35, 435n], // 4.35 * 100 is 434.99999999999994
  [1e3, 100_000n],
  [9_999_999_999_999, 999_999_999_999_900n],
  ['20', 2_000n],
  ['20.1', 2_010n],
  ['20.10', 2_010n],
  ['05', 500n],
  ['0000000000001', 100n],
  ['9999999999999.99', KOBO_MAX],
  [9_999_999_999_999.99, KOBO_MAX],
] as const) {
  test(`${JSON.stringify(wire)} naira is ${expected} kobo`, () => assert.equal(fromNaira(wire), expected))
}

for (const wire of [
  0,
  -0,
  '0',
  '0.00',
  '-0',
  -1,
  '-1',
  '+5',
  1.005,
  '1.005',
  1e-7,
  1e13,
  1e21,
  '1e3',
  '0x10',
  '5.',
  '.5',
  ' 5',
  '5 ',
  '5\n',
  '5,00',
  '1_000',
  '１',
  '٥',
  '',
  ' ',
  'five',
  '10000000000000',
  '00000000000001',
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.MIN_VALUE,
]) {
  const shown = typeof wire === 'string' ? JSON.stringify(wire) : Object.is(wire, -0) ? '-0' : String(wire)
  test(`${shown} is not an amount of naira`, () => {
    assert.equal(fromNaira(wire), undefined)
    assert.throws(() => naira(wire), /Broken invariant/)
  })
}

for (const [amount, asNumber, asText] of [
  [0n, 0, '0.00'],
  [1n, 0.01, '0.01'],
  [10n, 0.1, '0.10'],
  [99n, 0.99, '0.99'],
  [100n, 1, '1.00'],
  [435n, 4.35, '4.35'],
  [123_456n, 1_234.56, '1234.56'],
  [-5n, -0.05, '-0.05'],
  [-123_400n, -1_234, '-1234.00'],
  [KOBO_MAX, 9_999_999_999_999.99, '9999999999999.99'],
] as const) {
  test(`${amount} kobo are ${asText} naira, as number and as text`, () => {
    assert.equal(toNaira(kobo(amount)), asNumber)
    assert.equal(toNairaText(kobo(amount)), asText)
  })
}

const anAmount = fc.bigInt({ min: 1n, max: KOBO_MAX }).map(kobo)

test('no kobo is lost between JSON and bigint, for any amount of up to thirteen digits', () => {
  fc.assert(
    fc.property(anAmount, (amount) => {
      assert.equal(fromNaira(toNaira(amount)), amount)
      assert.equal(fromNaira(toNairaText(amount)), amount)
      assert.equal(fromNaira(JSON.parse(JSON.stringify(toNaira(amount)))), amount)
    }),
    { numRuns: 2_000 },
  )
})

test('any number is either the exact amount that its digits say or rejected', () => {
  const aNumber = fc.oneof(
    fc.double(),
    fc.double({ min: 0, max: 1e13 }),
    fc.integer({ min: 0, max: 100_000_000 }).map((n) => n / 1_000),
    anAmount.map((amount) => toNaira(amount) + Number.EPSILON * toNaira(amount)),
  )
  fc.assert(
    fc.property(aNumber, (wire) => assert.equal(fromNairaOrZero(wire), fromNairaOrZero(String(wire)))),
    { numRuns: 2_000, examples: [[-0], [9_999_999_999_999.99], [9_999_999_999_999.992], [0.005], [0.015], [1e13]] },
  )
})

for (const [amount, basisPoints, expected] of [
  [10_000n, 150n, 150n],
  [33n, 150n, 0n], // 0.495
  [34n, 150n, 1n], // 0.51
  [1n, 5_000n, 1n], // 0.5, half goes up
  [3n, 5_000n, 2n], // 1.5
  [1n, 4_999n, 0n],
  [100n, 0n, 0n],
  [0n, 150n, 0n],
  [7n, 10_000n, 7n],
  [KOBO_MAX, 150n, 15_000_000_000_000n],
] as const) {
  test(`${basisPoints} basis points of ${amount} kobo are ${expected} kobo`, () =>
    assert.equal(percentage(kobo(amount), basisPoints), expected))
}

test('a percentage is never further than half a kobo from the exact share, and halves go up', () => {
  fc.assert(
    fc.property(anAmount, fc.bigInt({ min: 0n, max: 10_000n }), (amount, basisPoints) => {
      const distance = percentage(amount, basisPoints) * 10_000n - amount * basisPoints
      assert.ok(distance > -5_000n && distance <= 5_000n, `${distance}`)
    }),
  )
})

test('a sum adds all its parts, and of nothing it is zero', () => {
  const amounts: Kobo[] = [kobo(5n), kobo(7n)]
  assert.equal(sum(amounts), 12n)
  assert.equal(sum([]), 0n)
  assert.equal(subtract(kobo(5n), kobo(7n)), -2n)
  assert.equal(smaller(kobo(5n), kobo(7n)), 5n)
})

for (const [wire, expected] of [
  [0, 0n],
  ['0', 0n],
  ['0.00', 0n],
  [0.01, 1n],
  ['20.5', 2_050n],
  [-1, undefined],
  ['-0', undefined],
  ['', undefined],
  ['1.001', undefined],
] as const) {
  test(`${JSON.stringify(wire)} naira, if zero is allowed, is ${expected}`, () =>
    assert.equal(fromNairaOrZero(wire), expected))
}
for (const [amount, text] of [
  [1n, '₦0.01'],
  [5_000n, '₦50.00'],
  [99_999n, '₦999.99'],
  [100_000n, '₦1,000.00'],
  [6_000_000n, '₦60,000.00'],
  [123_456_789_012n, '₦1,234,567,890.12'],
] as const)
  test(`${amount} kobo are shown as ${text}`, () => assert.equal(formatNaira(kobo(amount)), text))
