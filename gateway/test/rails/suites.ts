import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { kobo } from '../../src/kernel/money.ts'
import type { DebitOrder } from '../../src/rails/debit.ts'
import type { IdentityRail } from '../../src/rails/identity.ts'
import type { PartnerRails } from '../../src/rails/not-sent.ts'
import type { TransferOrder } from '../../src/rails/transfer.ts'

/** A transfer rail to be tested, with accounts that it knows. */
export interface TransferRailUnderTest {
  readonly rail: PartnerRails['transfer']
  /** An account that accepts money, and one that rejects it. */
  readonly good: string
  readonly bad: string
  /** Whether it reports the amount sent: then a response with another amount is not believed. */
  readonly tellsAmounts?: boolean
}

/** An order with a unique reference. */
export const anOrder = (accountNumber: string, changes: Partial<TransferOrder> = {}): TransferOrder => ({
  reference: `transfer-${randomUUID()}`,
  amount: kobo(500_000n),
  destination: { bankCode: '058', accountNumber, accountName: 'ADA OBI' },
  narration: 'Rent',
  sender: { name: 'Demo Shop', accountNumber: '3000000003', bankCode: '50515', bvn: null },
  ...changes,
})

/** The promises of every transfer rail. */
export function transferRailSuite(name: string, open: (t: TestContext) => Promise<TransferRailUnderTest>): void {
  test(`${name}: an order that is queried before it is sent is not found, and never runs afterwards`, async (t) => {
    const { rail, good } = await open(t)
    const order = anOrder(good)
    assert.deepEqual(await rail.find(order.reference), { kind: 'not found' })
    for (let n = 0; n < 2; n++) assert.equal((await rail.send(order)).kind, 'failed')
    assert.deepEqual(await rail.find(order.reference), { kind: 'not found' })
  })

  test(`${name}: if an order is sent and queried at once, both responses stay true`, async (t) => {
    const { rail, good } = await open(t)
    for (let n = 0; n < 10; n++) {
      const order = anOrder(good)
      const [sent, found] = await Promise.all([rail.send(order), rail.find(order.reference)])
      assert.equal(sent.kind, found.kind === 'not found' ? 'failed' : 'succeeded')
      assert.deepEqual(await rail.find(order.reference), found)
    }
  })

  test(`${name}: an order that was sent is found with the same outcome, under a session id of 30 digits`, async (t) => {
    const { rail, good, bad } = await open(t)
    const sent = anOrder(good)
    const outcome = await rail.send(sent)
    assert.ok(outcome.kind === 'succeeded')
    assert.match(outcome.sessionId, /^\d{30}$/)
    assert.deepEqual(await rail.find(sent.reference), outcome)
    const rejected = anOrder(bad)
    const refusal = await rail.send(rejected)
    assert.ok(refusal.kind === 'failed' && refusal.reason !== '')
    assert.deepEqual(await rail.find(rejected.reference), refusal)
  })

  test(`${name}: one reference is one order, however often and at once it is sent`, async (t) => {
    const { rail, good, tellsAmounts = false } = await open(t)
    const order = anOrder(good)
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => rail.send(order)))
    assert.equal(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size, 1)
    const again = await rail.send({ ...order, amount: kobo(1n) })
    assert.deepEqual(tellsAmounts ? again.kind : again, tellsAmounts ? 'unknown' : outcomes[0])
  })

  test(`${name}: the name of an account stays the same`, async (t) => {
    const { rail, good } = await open(t)
    const account = { bankCode: '058', accountNumber: good }
    const response = await rail.nameEnquiry(account)
    assert.ok(response.kind === 'found' && response.accountName !== '')
    assert.deepEqual(await rail.nameEnquiry(account), response)
  })
}

/** The promises of every identity register, with the sandbox's numbers. */
export function identityRailSuite(name: string, open: (t: TestContext) => Promise<IdentityRail>): void {
  test(`${name}: a register returns the owner of a number, the same each time, or that it is unknown`, async (t) => {
    const identity = await open(t)
    const found = await identity.findNin('22222222226')
    assert.ok(found.kind === 'found')
    assert.match(found.person.dateOfBirth, /^\d{4}-\d{2}-\d{2}$/)
    assert.match(found.person.mobileNumber, /^234\d{10}$/)
    assert.deepEqual(await identity.findNin('22222222226'), found)
    assert.deepEqual(await identity.findBvn('22222222226'), found)
    assert.deepEqual(await identity.findBvn('22222222000'), { kind: 'unknown number' })
    assert.deepEqual(await identity.findNin('22222222000'), { kind: 'unknown number' })
  })

  test(`${name}: a register returns the name on an account and that of the BVN`, async (t) => {
    const identity = await open(t)
    const account = { bankCode: '058', accountNumber: '0123456789' }
    const same = await identity.findAccount({ ...account, bvn: '22222222226' })
    assert.ok(same.kind === 'found')
    assert.equal(same.holderName, same.accountName)
    const other = await identity.findAccount({ ...account, bvn: '22222222001' })
    assert.ok(other.kind === 'found')
    assert.equal(other.accountName, same.accountName)
    assert.notEqual(other.holderName, other.accountName)
    assert.deepEqual(await identity.findAccount({ ...account, bvn: '22222222000' }), { kind: 'unknown number' })
    assert.deepEqual(await identity.findAccount({ ...account, accountNumber: '0123456006', bvn: '22222222226' }), {
      kind: 'unavailable',
    })
  })
}

const aVend = (reference: string, customerId: string) => ({
  reference,
  productCode: 'IKEDC-PREPAID',
  customerId,
  amount: kobo(500_000n),
  validationReference: null,
  emailAddress: null,
  phoneNumber: '08142223149',
})

/** A biller rail to be tested, with a way to let its time pass. */
export interface BillerRailUnderTest {
  readonly rail: PartnerRails['biller']
  readonly advance: (seconds: number) => void
}

/** The promises of every biller rail, with the sandbox's products and customers. */
export function billerRailSuite(name: string, open: (t: TestContext) => Promise<BillerRailUnderTest>): void {
  test(`${name}: the catalogue has a category and a biller for every product, and a price or limits`, async (t) => {
    const response = await (await open(t)).rail.catalogue()
    assert.ok(response.kind === 'catalogue')
    const { categories, billers, products } = response.catalogue
    assert.ok(products.length > 0)
    assert.equal(new Set(products.map(({ code }) => code)).size, products.length)
    for (const product of products) {
      assert.ok(
        categories.some(({ code }) => code === product.categoryCode),
        product.code,
      )
      assert.ok(
        billers.some(({ code }) => code === product.billerCode),
        product.code,
      )
      assert.ok(product.price === null || (product.minAmount === null && product.maxAmount === null), product.code)
    }
  })

  test(`${name}: a biller knows its customers, and says why it does not know one`, async (t) => {
    const { rail } = await open(t)
    const known = { reference: 'validation-1', productCode: 'IKEDC-PREPAID', customerId: '62418234034' }
    const response = await rail.validateCustomer(known)
    assert.ok(response.kind === 'valid' && response.customerName !== null)
    const unknown = await rail.validateCustomer({ ...known, customerId: 'nobody' })
    assert.ok(unknown.kind === 'invalid' && unknown.reason !== '')
  })

  test(`${name}: a reference is vended once, and its outcome does not change`, async (t) => {
    const { rail } = await open(t)
    const first = await rail.vend(aVend('vend-1', '62418234034'))
    assert.ok(first.kind === 'vended')
    assert.match(first.metadata['token'] ?? '', /^\d{4}(-\d{4}){4}$/)
    assert.deepEqual(await rail.vend(aVend('vend-1', '62418234034')), first)
    assert.deepEqual(await rail.findVend('vend-1'), first)
  })

  test(`${name}: a vend may fail at once, or be pending and then succeed or fail`, async (t) => {
    const { rail, advance } = await open(t)
    assert.equal((await rail.vend(aVend('fails', '62418234001'))).kind, 'failed')
    for (const [reference, customerId, end] of [
      ['succeeds-later', '62418234002', 'vended'],
      ['fails-later', '62418234003', 'failed'],
    ] as const) {
      assert.deepEqual(await rail.vend(aVend(reference, customerId)), { kind: 'pending' })
      assert.deepEqual(await rail.findVend(reference), { kind: 'pending' })
      advance(60)
      assert.equal((await rail.findVend(reference)).kind, end)
    }
  })

  test(`${name}: a vend that is queried before it is sent is not found, and never runs afterwards`, async (t) => {
    const { rail } = await open(t)
    assert.deepEqual(await rail.findVend('never-seen'), { kind: 'not found' })
    assert.equal((await rail.vend(aVend('never-seen', '62418234034'))).kind, 'failed')
    assert.deepEqual(await rail.findVend('never-seen'), { kind: 'not found' })
  })
}

/** A debit rail to be tested, with accounts that it knows. */
export interface DebitRailUnderTest {
  readonly rail: PartnerRails['debit']
  /** An account that pays, and one that declines. */
  readonly good: string
  readonly bad: string
}

/** An order to debit, with a unique reference. */
export const aDebitOrder = (accountNumber: string, changes: Partial<DebitOrder> = {}): DebitOrder => ({
  reference: `debit-${randomUUID()}`,
  mandateCode: 'MTDD|01JNA1B2C3D4E5F6G7H8J9KMNP',
  accountNumber,
  bankCode: '058',
  amount: kobo(500_000n),
  narration: 'Rent',
  ...changes,
})

/** The promises of every debit rail. */
export function debitRailSuite(name: string, open: (t: TestContext) => Promise<DebitRailUnderTest>): void {
  test(`${name}: a debit that is queried before it is sent is not found, and never runs afterwards`, async (t) => {
    const { rail, good } = await open(t)
    const order = aDebitOrder(good)
    assert.deepEqual(await rail.findDebit(order.reference), { kind: 'not found' })
    assert.equal((await rail.debit(order)).kind, 'declined')
    assert.deepEqual(await rail.findDebit(order.reference), { kind: 'not found' })
  })

  test(`${name}: if a debit is sent and queried at once, both responses stay true`, async (t) => {
    const { rail, good } = await open(t)
    for (let n = 0; n < 10; n++) {
      const order = aDebitOrder(good)
      const [sent, found] = await Promise.all([rail.debit(order), rail.findDebit(order.reference)])
      assert.equal(sent.kind, found.kind === 'not found' ? 'declined' : 'paid')
      assert.deepEqual(await rail.findDebit(order.reference), found)
    }
  })

  test(`${name}: a debit that was sent is found with the same outcome, under a session id of 30 digits`, async (t) => {
    const { rail, good, bad } = await open(t)
    const order = aDebitOrder(good)
    const outcome = await rail.debit(order)
    assert.ok(outcome.kind === 'paid')
    assert.match(outcome.sessionId, /^\d{30}$/)
    assert.deepEqual(await rail.findDebit(order.reference), outcome)
    const rejected = aDebitOrder(bad)
    const refusal = await rail.debit(rejected)
    assert.ok(refusal.kind === 'declined' && refusal.reason !== '')
    assert.deepEqual(await rail.findDebit(rejected.reference), refusal)
  })

  test(`${name}: one reference is one debit, however often and at once it is sent`, async (t) => {
    const { rail, good } = await open(t)
    const order = aDebitOrder(good)
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => rail.debit(order)))
    const again = await rail.debit({ ...order, amount: kobo(1n) })
    assert.equal(new Set([...outcomes, again].map((outcome) => JSON.stringify(outcome))).size, 1)
  })
}
