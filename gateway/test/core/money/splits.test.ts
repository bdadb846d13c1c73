import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { spread } from '../../../src/core/money/ledger/index.ts'
import {
  change,
  divide,
  type IncomeSplit,
  income,
  type Paid,
  type Parts,
  splitFault,
} from '../../../src/core/money/splits.ts'
import { type FeeBearer, type FeeTerms, feeDue, feeOfCustomer, payableFor } from '../../../src/core/pricing/index.ts'
import { type Kobo, kobo, sum } from '../../../src/kernel/money.ts'
import { fromPercentage, shareOf, toPercentage, WHOLE } from '../../../src/kernel/percentage.ts'

for (const [wire, expected] of [
  [0, 0],
  [100, WHOLE],
  ['100.0000', WHOLE],
  [12.5, 125_000],
  [20.87, 208_700],
  [33.3333, 333_333],
  ['0.0001', 1],
  [0.1, 1_000],
  [100.0001, undefined],
  [33.33333, undefined],
  [1e-7, undefined],
  [-1, undefined],
  ['', undefined],
  ['1e1', undefined],
  [' 5', undefined],
] as const) {
  test(`${JSON.stringify(wire)} percent is ${expected === undefined ? 'rejected' : `${expected} millionths`}`, () => {
    assert.equal(fromPercentage(wire), expected)
    if (typeof wire === 'number' && expected !== undefined) assert.equal(toPercentage(expected), wire)
  })
}

const percent = (subAccountCode: string, percentage: number, fee = 0): IncomeSplit => ({
  subAccountCode,
  share: { millionths: percentage * 10_000 },
  feeMillionths: fee * 10_000,
})
const fixed = (subAccountCode: string, amount: number, fee = 0): IncomeSplit => ({
  subAccountCode,
  share: { kobo: amount },
  feeMillionths: fee * 10_000,
})
const paid = (amountPaid: bigint, fee: bigint, ofCustomer = 0n): Paid => ({
  amountPaid: kobo(amountPaid),
  fee: kobo(fee),
  feeOfCustomer: kobo(ofCustomer),
})
const shown = ({ merchant, subAccounts }: Parts): string =>
  [`M ${merchant.share}-${merchant.fee}`, ...subAccounts.map((p) => `${p.subAccountCode} ${p.share}-${p.fee}`)].join(
    ' ',
  )

for (const [what, splits, payment, expected] of [
  ['a percentage', [percent('A', 20)], paid(100_000n, 1_500n), 'M 80000-1500 A 20000-0'],
  ['a percentage that does not divide evenly', [percent('A', 33)], paid(100n, 0n), 'M 67-0 A 33-0'],
  ['two halves of an odd kobo', [percent('A', 50), percent('B', 50)], paid(1n, 0n), 'M 1-0 A 0-0 B 0-0'],
  ['a fixed amount', [fixed('A', 30_000)], paid(100_000n, 1_500n), 'M 70000-1500 A 30000-0'],
  [
    'fixed amounts in order, up to the remainder',
    [fixed('A', 60), fixed('B', 60), fixed('C', 60)],
    paid(100n, 0n),
    'M 0-0 A 60-0 B 40-0 C 0-0',
  ],
  [
    'percentages first, then fixed amounts of the remainder',
    [fixed('A', 80), percent('B', 50)],
    paid(100n, 0n),
    'M 0-0 A 50-0 B 50-0',
  ],
  ['all of the fee borne', [percent('A', 20, 100)], paid(100_000n, 1_500n), 'M 80000-0 A 20000-1500'],
  ['half of the fee borne', [percent('A', 20, 50)], paid(100_000n, 1_501n), 'M 80000-751 A 20000-750'],
  ['a fee share above the split is capped', [percent('A', 1, 100)], paid(100_000n, 1_500n), 'M 99000-500 A 1000-1000'],
  [
    'a fee that the merchant cannot cover falls on the last sub account',
    [percent('A', 50), percent('B', 50)],
    paid(100_000n, 1_500n),
    'M 0-0 A 50000-0 B 50000-1500',
  ],
  [
    'and on earlier ones, if it is more',
    [fixed('A', 99_000), fixed('B', 1_000)],
    paid(100_000n, 1_500n),
    'M 0-0 A 99000-500 B 1000-1000',
  ],
  [
    'the amount without the fee, if the customer bears it',
    [percent('A', 20, 100)],
    paid(101_500n, 1_500n, 1_500n),
    'M 81500-1500 A 20000-0',
  ],
  [
    'the amount without the customer’s fee, while the merchant bears the fee of the excess',
    [percent('A', 20), percent('B', 10, 50)],
    paid(201_500n, 3_000n, 1_500n),
    'M 141500-2250 A 40000-0 B 20000-750',
  ],
  ['a sub account that is named twice', [percent('A', 20), fixed('A', 5)], paid(100n, 0n), 'M 75-0 A 25-0'],
  ['nothing', [percent('A', 20)], paid(0n, 0n), 'M 0-0 A 0-0'],
] as const) {
  test(`${payment.amountPaid} kobo are divided into ${expected}: ${what}`, () =>
    assert.equal(shown(divide(splits, payment)), expected))
}

for (const [fault, splits, amount] of [
  [undefined, [percent('A', 50), percent('B', 50)], 100n],
  ['more than 100 % is split', [percent('A', 50), percent('B', 50.0001)], 100n],
  ['more than 100 % is split', [percent('A', 100), percent('B', 1)], undefined],
  ['more than 100 % of the fee is borne', [percent('A', 1, 100), percent('B', 1, 1)], 100n],
  ['more than the payment', [fixed('A', 60), fixed('B', 41)], 100n],
  ['more than the payment', [fixed('A', 51), percent('B', 50)], 100n],
  [undefined, [fixed('A', 50), percent('B', 50)], 100n],
  [undefined, [fixed('A', 60), fixed('B', 41)], undefined],
] as const) {
  test(`${splits.length} splits of ${amount ?? 'an unknown amount'} are ${fault ?? 'valid'}`, () =>
    assert.equal(splitFault(splits, amount === undefined ? undefined : kobo(amount)), fault))
}

const CODES = ['A', 'B', 'C', 'D'] as const
/** Shares that never exceed the whole. */
const someShares = (max: number) =>
  fc.array(fc.integer({ min: 0, max: WHOLE }), { minLength: 1, maxLength: max }).map((list) => {
    const total = list.reduce((a, b) => a + b, 0)
    return total <= WHOLE ? list : list.map((n) => Math.floor((n * WHOLE) / total))
  })
const someSplits: fc.Arbitrary<readonly IncomeSplit[]> = fc
  .tuple(
    someShares(4),
    someShares(4),
    fc.array(fc.option(fc.integer({ min: 1, max: 5_000_000 })), { minLength: 4, maxLength: 4 }),
    fc.array(fc.constantFrom(...CODES), { minLength: 4, maxLength: 4 }),
  )
  .map(([shares, fees, amounts, codes]) =>
    shares.map((millionths, index) => {
      const amount = amounts[index] ?? null
      return {
        subAccountCode: codes[index] ?? 'A',
        share: amount === null ? { millionths } : { kobo: amount },
        feeMillionths: fees[index] ?? 0,
      }
    }),
  )
const someKobo = (max: bigint) => fc.bigInt({ min: 1n, max }).map(kobo)
const anyTerms: fc.Arbitrary<FeeTerms> = fc.record({
  feeBasisPoints: fc.integer({ min: 0, max: 10_000 }),
  feeFlat: fc.bigInt({ min: 0n, max: 20_000n }).map(kobo),
  feeCap: fc.option(fc.bigInt({ min: 0n, max: 500_000n }).map(kobo)),
  feeBearer: fc.constantFrom<FeeBearer>('MERCHANT', 'CUSTOMER'),
  feeSteps: fc.constant(null),
})

/** A payment, as its transaction divides it. */
function priced(amount: Kobo, amountPaid: Kobo, terms: FeeTerms): Paid {
  const fee = feeDue(amount, amountPaid, terms)
  return { amountPaid, fee, feeOfCustomer: feeOfCustomer(amount, fee, terms) }
}

/** Why a division is wrong; undefined if it is right. */
function injustice(parts: Parts, { amountPaid, fee }: Paid): string | undefined {
  const all = [parts.merchant, ...parts.subAccounts]
  if (sum(all.map(({ share }) => share)) !== amountPaid) return 'shares do not add up to the amount paid'
  if (sum(all.map((part) => part.fee)) !== fee) return 'parts of the fee do not add up to the fee'
  if (all.some((part) => part.share < 0n || part.fee < 0n || income(part) < 0n)) return 'a part is negative'
  return undefined
}

test('for any split and payment, the parts add up to the amount paid, none is negative, and the merchant gets the remainder', () => {
  fc.assert(
    fc.property(
      someSplits,
      anyTerms,
      someKobo(10_000_000n),
      someKobo(20_000_000n),
      (splits, terms, amount, amountPaid) => {
        const payment = priced(amount, amountPaid, terms)
        assert.equal(injustice(divide(splits, payment), payment), undefined)
      },
    ),
  )
})

test('a percentage is of the whole amount paid, rounded down, whatever the other splits are', () => {
  fc.assert(
    fc.property(someSplits, someKobo(20_000_000n), (splits, amountPaid) => {
      const unique = splits.map((split, index) => ({ ...split, subAccountCode: CODES[index] ?? 'A' }))
      const parts = divide(unique, paid(amountPaid, 0n))
      unique.forEach(({ share }, index) => {
        const given = parts.subAccounts[index]?.share ?? 0n
        if ('millionths' in share) assert.equal(given, shareOf(amountPaid, share.millionths))
        else assert.ok(given <= share.kobo)
      })
    }),
  )
})

test('a customer who bears the fee and pays the amount due leaves the whole amount to be split', () => {
  fc.assert(
    fc.property(someSplits, anyTerms, someKobo(10_000_000n), (splits, terms, amount) => {
      const borne = { ...terms, feeBearer: 'CUSTOMER' as const }
      const payable = payableFor(amount, borne)
      const fee = feeDue(amount, payable, borne)
      const parts = divide(splits, priced(amount, payable, borne))
      assert.deepEqual(parts.subAccounts, divide(splits, paid(amount, 0n)).subAccounts)
      assert.equal(parts.merchant.fee, fee)
    }),
  )
})

test('for any sequence of credits, the parts posted with each add up to the split of the sum', () => {
  fc.assert(
    fc.property(
      someSplits,
      anyTerms,
      someKobo(10_000_000n),
      fc.array(someKobo(3_000_000n), { minLength: 1, maxLength: 8 }),
      (splits, terms, amount, credits) => {
        const balances = new Map<string, bigint>()
        const book = (account: string, by: bigint): void =>
          void balances.set(account, (balances.get(account) ?? 0n) + by)
        let amountPaid = kobo(0n)
        let parts = divide(splits, paid(0n, 0n))
        for (const credit of credits) {
          amountPaid = kobo(amountPaid + credit)
          const after = divide(splits, priced(amount, amountPaid, terms))
          const more = change(parts, after)
          parts = after
          const owed = [
            { to: 'payable', amount: income(more.merchant) },
            ...more.subAccounts.map((part) => ({ to: part.subAccountCode, amount: income(part) })),
            { to: 'fees', amount: sum([more.merchant, ...more.subAccounts].map(({ fee }): Kobo => fee)) },
          ]
          for (const move of spread('clearing', credit, owed)) {
            assert.ok(move.amount > 0n && move.from !== move.to)
            book(move.from, -move.amount)
            book(move.to, move.amount)
          }
          for (const [account, balance] of balances) assert.ok(balance >= 0n || account === 'clearing', account)
        }
        assert.equal(balances.get('clearing'), -amountPaid)
        assert.equal(balances.get('payable') ?? 0n, income(parts.merchant))
        for (const part of parts.subAccounts) assert.equal(balances.get(part.subAccountCode) ?? 0n, income(part))
      },
    ),
  )
})
