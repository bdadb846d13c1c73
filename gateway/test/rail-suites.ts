import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { kobo } from '../src/kernel/money.ts'
import type { TransferOrder, TransferRail } from '../src/rails/transfer.ts'

/** A transfer rail to be tested, and accounts that it knows. */
export interface TransferRailUnderTest {
  readonly rail: TransferRail
  /** An account that takes money, and one that refuses it. */
  readonly good: string
  readonly bad: string
}

/** An order with a reference of its own. */
export const anOrder = (accountNumber: string, changes: Partial<TransferOrder> = {}): TransferOrder => ({
  reference: `transfer-${randomUUID()}`,
  amount: kobo(500_000n),
  destination: { bankCode: '058', accountNumber, accountName: 'ADA OBI' },
  narration: 'Rent',
  sender: { name: 'Demo Shop', accountNumber: '3000000003', bankCode: '50515', bvn: null },
  ...changes,
})

/** What every transfer rail promises, whoever stands behind it. */
export function transferRailSuite(name: string, open: (t: TestContext) => Promise<TransferRailUnderTest>): void {
  test(`${name}: an order that was never sent is not found`, async (t) => {
    const { rail } = await open(t)
    assert.deepEqual(await rail.find(`never-${randomUUID()}`), { kind: 'not found' })
  })

  test(`${name}: an order that was sent is found as it was answered, under a session id of 30 digits`, async (t) => {
    const { rail, good, bad } = await open(t)
    const sent = anOrder(good)
    const outcome = await rail.send(sent)
    assert.ok(outcome.kind === 'succeeded')
    assert.match(outcome.sessionId, /^\d{30}$/)
    assert.deepEqual(await rail.find(sent.reference), outcome)
    const refused = anOrder(bad)
    const refusal = await rail.send(refused)
    assert.ok(refusal.kind === 'failed' && refusal.reason !== '')
    assert.deepEqual(await rail.find(refused.reference), refusal)
  })

  test(`${name}: one reference is one order, however often and at once it is sent`, async (t) => {
    const { rail, good } = await open(t)
    const order = anOrder(good)
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => rail.send(order)))
    const again = await rail.send({ ...order, amount: kobo(1n) })
    assert.equal(new Set([...outcomes, again].map((outcome) => JSON.stringify(outcome))).size, 1)
  })

  test(`${name}: whose an account is stays the same`, async (t) => {
    const { rail, good } = await open(t)
    const account = { bankCode: '058', accountNumber: good }
    const answer = await rail.nameEnquiry(account)
    assert.ok(answer.kind === 'found' && answer.accountName !== '')
    assert.deepEqual(await rail.nameEnquiry(account), answer)
  })
}
