import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openHealth, partnersFor, type RoutingTable, whyInvalidTable } from '../../../src/core/routing/index.ts'
import { kobo } from '../../../src/kernel/money.ts'

const TABLE: RoutingTable = {
  'transfer/send': {
    rules: [
      { name: 'own bank', when: { destinationBank: ['035'] }, use: ['wema'] },
      { name: 'large', when: { amountFrom: 5_000_000 }, use: ['providus', 'easypay'] },
      { name: 'a shop', when: { merchant: ['SHOP'], amountBelow: 100 }, use: ['easypay'] },
      {
        name: 'split',
        when: { amountFrom: 100 },
        split: [
          { percent: 70, use: ['easypay', 'providus'] },
          { percent: 30, use: ['providus'] },
        ],
      },
    ],
    otherwise: ['providus'],
  },
}

const ways = (naira: bigint, destinationBank: string, merchant: string | null = null, reference = 'r') =>
  partnersFor(TABLE, { operation: 'transfer/send', destinationBank, amount: kobo(naira * 100n), merchant, reference })

test('the first matching rule applies, and each earlier one says why it did not match', () => {
  assert.deepEqual(ways(1_000n, '035'), { use: ['wema'], rule: 'own bank', passedOver: [] })
  assert.deepEqual(ways(5_000_000n, '058'), {
    use: ['providus', 'easypay'],
    rule: 'large',
    passedOver: ['own bank: it goes to bank 058'],
  })
  assert.equal(ways(4_999_999n, '058')?.rule, 'split')
  assert.equal(ways(50n, '058', 'SHOP')?.rule, 'a shop')
  assert.deepEqual(ways(50n, '058')?.passedOver.slice(1), [
    'large: it is below 5000000 naira',
    'a shop: it belongs to another merchant',
    'split: it is below 100 naira',
  ])
  assert.equal(ways(50n, '058')?.rule, 'otherwise')
  assert.equal(
    partnersFor(TABLE, {
      operation: 'card/charge',
      destinationBank: null,
      amount: null,
      merchant: null,
      reference: '',
    }),
    undefined,
  )
})

test('a split depends on the reference: the same each time, and in proportion over many', () => {
  assert.deepEqual(ways(1_000n, '058', null, 'one'), ways(1_000n, '058', null, 'one'))
  const many = Array.from({ length: 2_000 }, (_, n) => ways(1_000n, '058', null, `reference-${n}`))
  const first = many.filter((one) => one?.use[0] === 'easypay').length
  assert.ok(first > 1_300 && first < 1_500, `${first} of 2000`)
})

for (const [why, table] of [
  [/transfer\/sent/, { 'transfer/sent': { otherwise: ['a'] } }],
  [/otherwise/, { 'transfer/send': {} }],
  [/otherwise/, { 'transfer/send': { otherwise: [] } }],
  [/either use or split/, { 'transfer/send': { rules: [{ name: 'x', when: {} }], otherwise: ['a'] } }],
  [/same name/, { 'card/charge': { rules: [rule('x'), rule('x')], otherwise: ['a'] } }],
  [
    /90 percent/,
    { 'debit/debit': { rules: [{ name: 'x', when: {}, split: [{ percent: 90, use: ['a'] }] }], otherwise: ['a'] } },
  ],
  [/cannot have rules/, { 'biller/vend': { rules: [rule('x')], otherwise: ['a'] } }],
  [/decimals/, { 'transfer/send': { rules: [{ ...rule('x'), when: { amountFrom: 0.001 } }], otherwise: ['a'] } }],
  [/./, { 'transfer/send': { rules: [{ ...rule('x'), when: { amount: 5 } }], otherwise: ['a'] } }],
  [/./, { 'transfer/send': { otherwise: ['Not A Code'] } }],
] as const)
  test(`${JSON.stringify(table)} is not a valid table`, () => assert.match(whyInvalidTable(table) ?? '', why))

function rule(name: string) {
  return { name, when: {}, use: ['a'] }
}

test('ten failures in twenty responses open the breaker for half a minute, and one trial closes or reopens it', () => {
  let now = new Date('2026-03-01T09:30:00Z').getTime()
  const health = openHealth({ now: () => new Date(now) })
  const isHealthy = (reference: string) => health.isHealthy('wema', 'transfer/send', reference)
  const note = (response: string, times = 1) => {
    for (let n = 0; n < times; n++) health.note('wema', 'transfer/send', response)
  }
  note('failed', 100)
  assert.ok(isHealthy('a'), 'a rejection is a response like any other')
  note('unknown', 9)
  note('succeeded', 11)
  note('not sent', 9)
  assert.ok(isHealthy('a'), 'nine of the last twenty')
  note('none')
  assert.equal(isHealthy('a'), false)
  assert.ok(health.isHealthy('wema', 'card/charge', 'a'), 'another operation')
  assert.ok(health.isHealthy('providus', 'transfer/send', 'a'), 'another partner')
  now += 30_000
  assert.deepEqual([isHealthy('b'), isHealthy('c'), isHealthy('b')], [true, false, true], 'one trial')
  note('unknown')
  assert.equal(isHealthy('b'), false)
  now += 30_000
  assert.ok(isHealthy('d'))
  now += 30_000
  assert.ok(isHealthy('e'), 'a lost trial does not block the next')
  note('succeeded')
  assert.deepEqual([isHealthy('f'), isHealthy('g')], [true, true])
})
