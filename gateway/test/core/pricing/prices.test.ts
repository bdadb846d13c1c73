import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  collectionTerms,
  type Price,
  type PriceStep,
  type Prices,
  priceFault,
  priceOf,
  priceOn,
  type Service,
} from '../../../src/core/pricing/index.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { kobo, naira, toNaira } from '../../../src/kernel/money.ts'
import { aShop } from '../../harness/gateway.ts'

const NOW = new Date('2026-03-01T09:30:00Z')
const LATER = secondsAfter(NOW, 60)

const step = (changes: Partial<PriceStep> = {}): PriceStep => ({
  upTo: null,
  basisPoints: 0,
  flat: kobo(0n),
  cap: null,
  ...changes,
})
const flat = (amount: bigint, upTo: bigint | null = null): PriceStep =>
  step({ flat: kobo(amount), upTo: upTo === null ? null : kobo(upTo) })

let ids = 0n
const price = (service: Service, steps: readonly PriceStep[] | null, changes: Partial<Price> = {}): Price => ({
  id: ++ids,
  merchantId: null,
  contractCode: null,
  service,
  steps,
  validFrom: NOW,
  madeAt: NOW,
  madeBy: 'test',
  ...changes,
})

test('a merchant pays the default price from the first day', async () => {
  const { core, merchantId } = await aShop()
  const merchant = await core.directory.byId(merchantId)
  assert.ok(merchant !== undefined)
  const { prices } = merchant
  const at = core.clock.now()
  for (const [amount, fee] of [
    ['0.01', 10],
    ['9999.99', 10],
    ['10000', 20],
    ['50000', 20],
    ['50000.01', 40],
    ['9999999999999', 40],
  ] as const)
    assert.equal(toNaira(priceOn(prices, 'transfer', naira(amount), at)), fee, `a transfer of ${amount}`)
  for (const [service, fee] of [
    ['verification/bvn-details', 10],
    ['verification/bvn-account', 10],
    ['verification/nin-details', 60],
    ['mandate-token', 50],
  ] as const)
    assert.equal(toNaira(priceOf(prices, service, at)), fee, service)
  assert.equal(toNaira(priceOn(prices, 'refund', naira(9_000), at)), 10)
  assert.equal(toNaira(priceOn(prices, 'paycode', naira(9_000), at)), 50)
  const [contract] = merchant.contracts.values()
  assert.ok(contract !== undefined)
  const terms = { feeFlat: 0n, feeBearer: 'MERCHANT', feeSteps: null }
  assert.deepEqual(collectionTerms(prices, 'collection', contract, naira(9_000), at), {
    ...terms,
    feeBasisPoints: 150,
    feeCap: 200_000n,
  })
  assert.deepEqual(collectionTerms(prices, 'cash-collection', contract, naira(9_000), at), {
    ...terms,
    feeBasisPoints: 100,
    feeCap: 100_000n,
  })
})

const CONTRACT = { code: '100000000001', feeBearer: 'MERCHANT' } as const

/** The prices besides the default price of 1,000 kobo, and the price of a collection now and later. */
const ORDER: readonly [what: string, own: readonly Partial<Price>[], now: bigint, later: bigint][] = [
  ['the default if there is no other', [], 1_000n, 1_000n],
  ['the merchant’s over the default', [{ steps: [flat(2_000n)] }], 2_000n, 2_000n],
  [
    'the contract’s over the merchant’s',
    [{ steps: [flat(2_000n)] }, { steps: [flat(3_000n)], contractCode: CONTRACT.code }],
    3_000n,
    3_000n,
  ],
  ['never another contract’s', [{ steps: [flat(3_000n)], contractCode: '100000000002' }], 1_000n, 1_000n],
  ['a future one not yet', [{ steps: [flat(2_000n)], validFrom: LATER }], 1_000n, 2_000n],
  [
    'the default again once the merchant’s has ended',
    [{ steps: null, validFrom: LATER }, { steps: [flat(2_000n)] }],
    2_000n,
    1_000n,
  ],
  [
    'the merchant’s once the contract’s has ended',
    [{ steps: null, contractCode: CONTRACT.code }, { steps: [flat(2_000n)] }],
    2_000n,
    2_000n,
  ],
]

for (const [what, own, now, later] of ORDER)
  test(`price precedence: ${what}`, () => {
    const prices: Prices = {
      own: own.map((one) => price('collection', [], { merchantId: 1n, ...one })),
      standard: [price('refund', [flat(7n)]), price('collection', [flat(1_000n)])],
    }
    const cost = (at: Date) => collectionTerms(prices, 'collection', CONTRACT, kobo(5_000n), at).feeFlat
    assert.deepEqual([cost(NOW), cost(LATER)], [now, later])
  })

test('a step applies up to and including its amount', () => {
  const standard = [price('transfer', [flat(1n, 100n), step({ upTo: kobo(200n), basisPoints: 1_000 }), flat(3n)])]
  const cost = (amount: bigint) => priceOn({ own: [], standard }, 'transfer', kobo(amount), NOW)
  assert.deepEqual([1n, 100n, 101n, 200n, 201n].map(cost), [1n, 1n, 10n, 20n, 3n])
})

const GOOD: readonly [Service, readonly PriceStep[]][] = [
  ['collection', [step({ basisPoints: 150, cap: kobo(200_000n) })]],
  ['transfer', [flat(10n, 100n), flat(20n, 200n), flat(0n)]],
  ['verification/nin-details', [flat(0n)]],
  ['mandate-token', [flat(1n)]],
]
for (const [service, steps] of GOOD)
  test(`a valid price of ${service} is accepted`, () => assert.equal(priceFault(service, steps), undefined))

const BAD: readonly [RegExp, Service, readonly PriceStep[]][] = [
  [/^step must be given 1 to 20 times/, 'transfer', []],
  [
    /^step must be given 1 to 20 times/,
    'transfer',
    [...Array(20).keys()].map((n) => flat(1n, BigInt(n + 1))).concat(flat(1n)),
  ],
  [/^percent must be 0 to 100/, 'transfer', [step({ basisPoints: 10_001 })]],
  [/^percent must be 0 to 100/, 'transfer', [step({ basisPoints: 1.5 })]],
  [/^up-to must be left out of the last/, 'transfer', [flat(1n, 100n)]],
  [/^up-to must rise/, 'transfer', [flat(1n, 200n), flat(1n, 200n), flat(1n)]],
  [/^up-to must rise/, 'transfer', [flat(1n), flat(1n, 200n), flat(1n)]],
  [/^up-to must rise/, 'transfer', [flat(1n, 0n), flat(1n)]],
  [/can only be flat/, 'verification/nin-details', [step({ basisPoints: 1 })]],
  [/can only be flat/, 'mandate-token', [flat(1n, 5n), flat(2n)]],
  [/can only be flat/, 'verification/bvn-details', [step({ cap: kobo(1n) })]],
  [/^flat must be above zero/, 'mandate-token', [flat(0n)]],
]
for (const [reason, service, steps] of BAD)
  test(`a price of ${service} is rejected: ${reason.source.slice(1)}, of ${steps.length} steps`, () =>
    assert.match(priceFault(service, steps) ?? '', reason))
