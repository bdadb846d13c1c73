import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openHealth, type RoutingTable, waysOf, whyNoTable } from '../../../src/core/routing/index.ts'
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
  waysOf(TABLE, { operation: 'transfer/send', destinationBank, amount: kobo(naira * 100n), merchant, reference })

test('the first rule that holds is followed, and those before it say why they did not', () => {
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
    'a shop: it is of another merchant',
    'split: it is below 100 naira',
  ])
  assert.equal(ways(50n, '058')?.rule, 'otherwise')
  assert.equal(
    waysOf(TABLE, { operation: 'card/charge', destinationBank: null, amount: null, merchant: null, reference: '' }),
    undefined,
  )
})

test('a split is drawn from the reference: the same each time, and in its proportion over many', () => {
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
  [/one name/, { 'card/charge': { rules: [rule('x'), rule('x')], otherwise: ['a'] } }],
  [
    /90 percent/,
    { 'debit/debit': { rules: [{ name: 'x', when: {}, split: [{ percent: 90, use: ['a'] }] }], otherwise: ['a'] } },
  ],
  [/no rules/, { 'biller/vend': { rules: [rule('x')], otherwise: ['a'] } }],
  [/decimals/, { 'transfer/send': { rules: [{ ...rule('x'), when: { amountFrom: 0.001 } }], otherwise: ['a'] } }],
  [/./, { 'transfer/send': { rules: [{ ...rule('x'), when: { amount: 5 } }], otherwise: ['a'] } }],
  [/./, { 'transfer/send': { otherwise: ['Not A Code'] } }],
] as const)
  test(`${JSON.stringify(table)} is no table`, () => assert.match(whyNoTable(table) ?? '', why))

function rule(name: string) {
  return { name, when: {}, use: ['a'] }
}

test('ten bad answers of twenty open the breaker for half a minute, and one trial closes it or opens it again', () => {
  let now = new Date('2026-03-01T09:30:00Z').getTime()
  const health = openHealth({ now: () => new Date(now) })
  const isWell = (reference: string) => health.isWell('wema', 'transfer/send', reference)
  const note = (answer: string, times = 1) => {
    for (let n = 0; n < times; n++) health.note('wema', 'transfer/send', answer)
  }
  note('failed', 100)
  assert.ok(isWell('a'), 'a refusal is an answer like any other')
  note('unknown', 9)
  note('succeeded', 11)
  note('not sent', 9)
  assert.ok(isWell('a'), 'nine of the last twenty')
  note('none')
  assert.equal(isWell('a'), false)
  assert.ok(health.isWell('wema', 'card/charge', 'a'), 'another operation')
  assert.ok(health.isWell('providus', 'transfer/send', 'a'), 'another partner')
  now += 30_000
  assert.deepEqual([isWell('b'), isWell('c'), isWell('b')], [true, false, true], 'one tries')
  note('unknown')
  assert.equal(isWell('b'), false)
  now += 30_000
  assert.ok(isWell('d'))
  now += 30_000
  assert.ok(isWell('e'), 'who tried and never came back keeps nobody from it')
  note('succeeded')
  assert.deepEqual([isWell('f'), isWell('g')], [true, true])
})
