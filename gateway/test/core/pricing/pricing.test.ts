import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type FeeBearer, type FeeTerms, feeDue, feeOn, payableFor } from '../../../src/core/pricing/index.ts'
import { type Decision, decide, type Received } from '../../../src/features/transactions/collection.ts'
import type { TransactionRow } from '../../../src/features/transactions/repository.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { add, type Kobo, kobo, sum, ZERO } from '../../../src/kernel/money.ts'

const terms = (
  feeBasisPoints: number,
  feeCap: bigint | null = null,
  feeFlat = 0n,
  feeBearer: FeeBearer = 'MERCHANT',
): FeeTerms => ({
  feeBasisPoints,
  feeFlat: kobo(feeFlat),
  feeCap: feeCap === null ? null : kobo(feeCap),
  feeBearer,
  feeSteps: null,
})
const STANDARD = terms(150, 200_000n)

for (const [what, amount, priced, expected] of [
  ['1.5 %', 1_000_000n, STANDARD, 15_000n],
  ['1.5 % just below the cap', 13_333_300n, STANDARD, 200_000n],
  ['1.5 % above the cap', 100_000_000n, STANDARD, 200_000n],
  ['1.5 % of so little that it rounds to zero', 33n, STANDARD, 0n],
  ['1.5 % of so little that it rounds up', 34n, STANDARD, 1n],
  ['nothing if nothing is paid', 0n, STANDARD, 0n],
  ['only a flat part', 1_000_000n, terms(0, null, 5_000n), 5_000n],
  ['1.5 % and a flat part', 1_000_000n, terms(150, null, 5_000n), 20_000n],
  ['the cap of both together', 100_000_000n, terms(150, 200_000n, 5_000n), 200_000n],
  ['no more than the amount paid', 3_000n, terms(150, null, 5_000n), 3_000n],
  ['no cap', 100_000_000n, terms(150), 1_500_000n],
  ['a cap of nothing', 1_000_000n, terms(150, 0n), 0n],
] as const) {
  test(`the fee on ${amount} kobo is ${expected}: ${what}`, () => assert.equal(feeOn(kobo(amount), priced), expected))
}

for (const [bearer, paid, payable, due] of [
  ['MERCHANT', 0n, 1_000_000n, 0n],
  ['MERCHANT', 400_000n, 1_000_000n, 6_000n],
  ['MERCHANT', 1_000_000n, 1_000_000n, 15_000n],
  ['MERCHANT', 2_000_000n, 1_000_000n, 30_000n],
  ['MERCHANT', 99_000_000n, 1_000_000n, 200_000n],
  ['CUSTOMER', 0n, 1_015_000n, 0n],
  ['CUSTOMER', 400_000n, 1_015_000n, 6_000n],
  ['CUSTOMER', 1_015_000n, 1_015_000n, 15_000n],
  ['CUSTOMER', 1_014_999n, 1_015_000n, 15_000n],
  ['CUSTOMER', 2_015_000n, 1_015_000n, 30_000n],
  ['CUSTOMER', 99_000_000n, 1_015_000n, 200_000n],
] as const) {
  test(`of 1000000 kobo the ${bearer} bears the fee: ${payable} are requested, and ${due} are due once ${paid} are paid`, () => {
    const priced = { ...STANDARD, feeBearer: bearer }
    assert.equal(payableFor(kobo(1_000_000n), priced), payable)
    assert.equal(feeDue(kobo(1_000_000n), kobo(paid), priced), due)
  })
}

const someKobo = (max: bigint) => fc.bigInt({ min: 1n, max }).map(kobo)
const anyTerms: fc.Arbitrary<FeeTerms> = fc.record({
  feeBasisPoints: fc.integer({ min: 0, max: 10_000 }),
  feeFlat: fc.bigInt({ min: 0n, max: 20_000n }).map(kobo),
  feeCap: fc.option(fc.bigInt({ min: 0n, max: 500_000n }).map(kobo)),
  feeBearer: fc.constantFrom<FeeBearer>('MERCHANT', 'CUSTOMER'),
  feeSteps: fc.constant(null),
})

test('a fee is never negative, above the cap or above the amount paid, and never falls as more is paid', () => {
  fc.assert(
    fc.property(
      someKobo(10_000_000n),
      someKobo(10_000_000n),
      someKobo(10_000_000n),
      anyTerms,
      (amount, paid, more, priced) => {
        const due = feeDue(amount, paid, priced)
        assert.ok(due >= 0n && due <= paid && (priced.feeCap === null || due <= priced.feeCap))
        const later = feeDue(amount, add(paid, more), priced)
        assert.ok(later >= due && later - due <= more, `${due} then ${later}`)
      },
    ),
  )
})

test('a customer who bears the fee and pays the amount due leaves the merchant the whole amount', () => {
  fc.assert(
    fc.property(someKobo(10_000_000n), anyTerms, (amount, priced) => {
      const borne = { ...priced, feeBearer: 'CUSTOMER' as const }
      const payable = payableFor(amount, borne)
      assert.equal(payable - feeDue(amount, payable, borne), amount)
    }),
  )
})

const STEPPED: FeeTerms = {
  ...terms(0, null, 10_000n),
  feeSteps: [
    { upTo: 1_000_000, basisPoints: 0, flat: 10_000, cap: null },
    { upTo: 2_000_000, basisPoints: 200, flat: 0, cap: null },
    { upTo: null, basisPoints: 0, flat: 1_000, cap: null },
  ],
}

test('a stepped price is that of the amount paid, and no credit bears more than itself or less than nothing', () => {
  const after = (...credits: readonly bigint[]) => {
    const { accepted, end } = payAll(aTransaction(kobo(1_000_000n), STEPPED), credits.map(kobo))
    return [end.fee, accepted.map(({ payment }) => payment.fee)]
  }
  assert.deepEqual(after(1_500_000n), [30_000n, [30_000n]])
  assert.deepEqual(after(900_000n, 200_000n), [22_000n, [10_000n, 12_000n]])
  assert.deepEqual(after(990_000n, 20_000n), [20_200n, [10_000n, 10_200n]])
  assert.deepEqual(after(999_999n, 5_000n), [15_000n, [10_000n, 5_000n]])
  assert.deepEqual(after(900_000n, 2_000_000n), [10_000n, [10_000n, 0n]])
})

const CREATED_AT = new Date('2026-03-01T09:30:00Z')
const EXPIRES_AT = secondsAfter(CREATED_AT, 2_400)

const aTransaction = (
  amount: Kobo,
  priced: FeeTerms,
  underpayment: 'ACCEPT' | 'REJECT' = 'ACCEPT',
): TransactionRow => ({
  ...priced,
  merchantId: 1n,
  id: 2n,
  transactionReference: 'KOBO|00|20260301093000|000000',
  paymentReference: 'order-1',
  contractCode: '123456789012',
  status: 'PENDING',
  amount,
  payable: payableFor(amount, priced),
  currencyCode: 'NGN',
  paymentDescription: null,
  customerName: null,
  customerEmail: 'ada@example.com',
  redirectUrl: null,
  paymentMethods: ['ACCOUNT_TRANSFER'],
  incomeSplitConfig: null,
  metaData: {},
  productType: 'API_NOTIFICATION',
  productReference: 'order-1',
  underpayment,
  createdAt: CREATED_AT,
  expiresAt: EXPIRES_AT,
  completedAt: null,
  amountPaid: ZERO,
  fee: ZERO,
  paymentMethod: null,
  paidAt: null,
  invoiceReference: null,
  settlementCycle: '22:00',
  settlesAt: null,
  reservedAccountId: null,
})

const aCredit = (amount: Kobo, nth = 1, receivedAt = secondsAfter(CREATED_AT, nth)): Received => ({
  id: BigInt(nth),
  partner: '',
  railReference: `rail-${nth}`,
  method: 'ACCOUNT_TRANSFER',
  amount,
  payerName: null,
  payerAccountNumber: null,
  payerBankCode: null,
  bankCode: '035',
  accountNumber: '0000014579',
  card: null,
  receivedAt,
})

type Accepted = Extract<Decision, { kind: 'accepted' }>

/** Pays credits into a transaction one after the other. */
function payAll(
  transaction: TransactionRow,
  credits: readonly Kobo[],
): { readonly accepted: readonly Accepted[]; readonly rejected: readonly string[]; readonly end: TransactionRow } {
  const accepted: Accepted[] = []
  const rejected: string[] = []
  let end = transaction
  for (const [index, amount] of credits.entries()) {
    const decision = decide(end, aCredit(amount, index + 1))
    if (decision.kind === 'rejected') rejected.push(decision.reason)
    else {
      accepted.push(decision)
      end = decision.transaction
    }
  }
  return { accepted, rejected, end }
}

const someCredits = fc.array(someKobo(3_000_000n), { minLength: 1, maxLength: 12 })

test('for any sequence of credits, every kobo kept is posted once, and the fees add up to the fee of the sum', () => {
  fc.assert(
    fc.property(someKobo(10_000_000n), anyTerms, someCredits, (amount, priced, credits) => {
      const { accepted, end } = payAll(aTransaction(amount, priced), credits)
      const stored = sum(accepted.map(({ payment }) => payment.amount))
      assert.equal(end.amountPaid, stored)
      assert.equal(end.fee, feeDue(amount, stored, priced))
      assert.equal(sum(accepted.map(({ payment }) => payment.fee)), end.fee)
      for (const { payment, journal } of accepted) {
        assert.ok(journal.moves.every((move) => move.amount > 0n && move.from === 'clearing/bank-transfer'))
        assert.equal(sum(journal.moves.map((move) => move.amount)), payment.amount)
        assert.equal(
          sum(journal.moves.filter(({ to }) => to === 'fees/collection').map((move) => move.amount)),
          payment.fee,
        )
      }
      assert.equal(new Set(accepted.map(({ journal }) => journal.key)).size, accepted.length)
    }),
  )
})

test('for any sequence of credits, the status compares the sum with the amount due', () => {
  fc.assert(
    fc.property(someKobo(10_000_000n), anyTerms, someCredits, (amount, priced, credits) => {
      const { accepted, rejected, end } = payAll(aTransaction(amount, priced), credits)
      const compared =
        end.amountPaid === end.payable ? 'PAID' : end.amountPaid < end.payable ? 'PARTIALLY_PAID' : 'OVERPAID'
      assert.equal(end.status, compared)
      assert.equal(end.completedAt !== null, compared !== 'PARTIALLY_PAID')
      assert.equal(accepted.length + rejected.length, credits.length)
      assert.ok(rejected.every((reason) => reason === 'ALREADY_PAID'))
      assert.ok(rejected.length === 0 || compared !== 'PARTIALLY_PAID', 'money is returned only once enough was paid')
    }),
  )
})

test('if underpayment is rejected, nothing below the amount due is kept, and the first sufficient credit completes it', () => {
  fc.assert(
    fc.property(someKobo(3_000_000n), anyTerms, someCredits, (amount, priced, credits) => {
      const transaction = aTransaction(amount, priced, 'REJECT')
      const enough = credits.findIndex((credit) => credit >= transaction.payable)
      const { accepted, rejected, end } = payAll(transaction, credits)
      assert.deepEqual(
        accepted.map(({ payment }) => payment.amount),
        enough === -1 ? [] : [credits[enough]],
      )
      assert.deepEqual(
        rejected,
        credits.flatMap((_, index) =>
          index === enough ? [] : enough === -1 || index < enough ? 'UNDER_PAYMENT' : 'ALREADY_PAID',
        ),
      )
      if (enough === -1) assert.deepEqual(end, transaction)
    }),
  )
})

const enough = kobo(1_000_000n)
const request = aTransaction(enough, STANDARD)

for (const [state, changes, receivedAt, reason] of [
  ['just in time', {}, secondsAfter(EXPIRES_AT, -0.001), undefined],
  ['at the moment of its expiry', {}, EXPIRES_AT, 'ACCOUNT_EXPIRED'],
  ['declined by card before', { status: 'FAILED' }, CREATED_AT, undefined],
  ['paid', { status: 'PAID', completedAt: CREATED_AT }, CREATED_AT, 'ALREADY_PAID'],
  ['paid and expired', { status: 'PAID', completedAt: CREATED_AT }, secondsAfter(EXPIRES_AT, 1), 'ALREADY_PAID'],
  ['overpaid', { status: 'OVERPAID', completedAt: CREATED_AT }, CREATED_AT, 'ALREADY_PAID'],
  ['expired', { status: 'EXPIRED', completedAt: EXPIRES_AT }, secondsAfter(EXPIRES_AT, 1), 'ACCOUNT_EXPIRED'],
  ['cancelled', { status: 'CANCELLED', completedAt: CREATED_AT }, CREATED_AT, 'ACCOUNT_EXPIRED'],
  [
    'partially paid and expired',
    { status: 'PARTIALLY_PAID', amountPaid: kobo(1n), completedAt: EXPIRES_AT },
    EXPIRES_AT,
    'ACCOUNT_EXPIRED',
  ],
] as const) {
  test(`money for a transaction that is ${state} ${reason === undefined ? 'is kept' : `is returned as ${reason}, and none of it is kept`}`, () => {
    const decision = decide({ ...request, ...changes }, aCredit(enough, 1, receivedAt))
    if (reason === undefined) assert.equal(decision.kind, 'accepted')
    else assert.deepEqual(decision, { kind: 'rejected', reason })
  })
}

test('a payment that is all fee is posted only as fee, and one without fee only as payable', () => {
  const ends = (priced: FeeTerms): readonly string[] => {
    const decision = decide(aTransaction(enough, priced), aCredit(kobo(100n)))
    return decision.kind === 'accepted' ? decision.journal.moves.map(({ to }) => to) : []
  }
  assert.deepEqual(ends(terms(0, null, 5_000n)), ['fees/collection'])
  assert.deepEqual(ends(terms(0)), ['payable'])
  assert.deepEqual(ends(STANDARD), ['payable', 'fees/collection'])
})
