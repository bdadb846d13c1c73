import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { afterResponse } from '../../../src/core/orders/conclude.ts'
import type { Conclusion, OrderRow } from '../../../src/core/orders/index.ts'
import { referenceOfAttempt } from '../../../src/core/orders/order.ts'
import { newOrder } from '../../../src/core/orders/place.ts'
import { ATTEMPTS_MAX, nextQueryAt, QUERIES_MAX, QUERY_AFTER_SECONDS } from '../../../src/core/orders/schedule.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { kobo } from '../../../src/kernel/money.ts'
import { gateway } from '../../harness/gateway.ts'
import { asOwner } from '../../harness/postgres.ts'
import { transferTo } from '../../harness/samples.ts'
import { makeUnresolved } from '../../harness/unresolved.ts'

const AT = new Date('2026-03-01T09:30:00Z')
const LATER = secondsAfter(AT, 86_400)

const placed = (sentBy: 'worker' | 'caller' | 'held'): OrderRow =>
  newOrder(
    {
      merchantId: 1n,
      id: 2n,
      purpose: 'transfer',
      subjectId: 2n,
      reference: 'KFDS1',
      slot: 'transfer/058',
      amount: kobo(500_000n),
      holds: { account: 'in-flight/3000000003', amount: kobo(501_000n) },
      sentBy,
    },
    ({ slot }) => ({ partner: 'wema', routingVersion: 7, slot }),
    () => true,
    AT,
  )

for (const [sentBy, state, dueAt, tries] of [
  ['worker', 'WAITING', AT, 0],
  ['caller', 'SENT', secondsAfter(AT, QUERY_AFTER_SECONDS[0]), 1],
  ['held', 'HELD', null, 0],
] as const)
  test(`an order that is sent by ${sentBy} starts as ${state}`, () => {
    const order = placed(sentBy)
    assert.deepEqual([order.state, order.dueAt, order.tries], [state, dueAt, tries])
    assert.deepEqual([order.account, order.held], ['in-flight/3000000003', 501_000n])
  })

const sent = (changes: Partial<OrderRow> = {}): OrderRow => ({ ...placed('caller'), dueAt: AT, ...changes })

/** By its feature's conclusion: the order's next state, due time, reference and time of conclusion. */
for (const [before, conclusion, state, dueAt, reference, concludedAt] of [
  [sent(), { kind: 'concluded' }, 'CONCLUDED', null, 'KFDS1', AT],
  [sent(), { kind: 'watch', until: LATER }, 'WATCHED', LATER, 'KFDS1', AT],
  [sent({ state: 'WATCHED', concludedAt: AT }), { kind: 'concluded' }, 'CONCLUDED', null, 'KFDS1', AT],
  [sent(), { kind: 'ask', at: LATER }, 'SENT', LATER, 'KFDS1', null],
  [sent(), { kind: 'unknown' }, 'SENT', secondsAfter(AT, 30), 'KFDS1', null],
  [sent({ unknownAnswers: 6 }), { kind: 'unknown' }, 'SENT', secondsAfter(AT, 3_600), 'KFDS1', null],
  [sent({ unknownAnswers: QUERIES_MAX - 1 }), { kind: 'unknown' }, 'UNRESOLVED', null, 'KFDS1', null],
  [sent(), { kind: 'send again', at: LATER }, 'WAITING', LATER, 'KFDS1~2', null],
  [sent({ tries: 2, reference: 'KFDS1~2' }), { kind: 'send again', at: AT }, 'WAITING', AT, 'KFDS1~3', null],
  [sent({ state: 'WATCHED', concludedAt: AT }), { kind: 'send again', at: LATER }, 'WAITING', LATER, 'KFDS1~2', null],
  [sent({ tries: ATTEMPTS_MAX }), { kind: 'send again', at: AT }, 'UNRESOLVED', null, 'KFDS1', null],
  [
    sent({ tries: ATTEMPTS_MAX, state: 'WATCHED', concludedAt: AT }),
    { kind: 'send again', at: AT },
    'UNRESOLVED',
    null,
    'KFDS1',
    null,
  ],
] as const satisfies readonly (readonly [OrderRow, Conclusion, ...unknown[]])[])
  test(`an order that is ${before.state} after ${before.unknownAnswers} unknown responses and ${before.tries} attempts is ${state} after “${conclusion.kind}”`, () => {
    const after = afterResponse(before, conclusion, AT)
    assert.deepEqual(
      [after.state, after.dueAt, after.reference, after.concludedAt],
      [state, dueAt, reference, concludedAt],
    )
  })

test('status queries come less and less often, for about three days, and then need manual review', () => {
  let at = AT
  let queried = 0
  let wait = 0
  for (;;) {
    queried++
    const next = nextQueryAt(queried, at, at)
    if (next === undefined) break
    const seconds = (next.getTime() - at.getTime()) / 1_000
    assert.ok(seconds >= wait, 'the intervals never shrink')
    wait = seconds
    at = next
  }
  assert.equal(queried, QUERIES_MAX)
  const days = (at.getTime() - AT.getTime()) / 86_400_000
  assert.ok(days > 2.5 && days < 3.5, `${days} days`)
})

test('a late status query does not delay the next ones, unless they would come at once', () => {
  const late = secondsAfter(AT, 10)
  assert.deepEqual(nextQueryAt(1, AT, late), secondsAfter(AT, 30))
  const muchLater = secondsAfter(AT, 500)
  assert.deepEqual(nextQueryAt(1, AT, muchLater), secondsAfter(muchLater, 30))
  assert.deepEqual(nextQueryAt(1, LATER, AT), LATER, 'a later due time is kept')
})

test('an order grows old while we are down: missed queries count, and a contradiction needs manual review at once', () => {
  const queried = sent({ unknownAnswers: 3 })
  const unknown = { kind: 'unknown' } as const
  assert.deepEqual(afterResponse(queried, unknown, AT).unknownAnswers, 4)
  assert.equal(afterResponse(queried, unknown, secondsAfter(AT, 86_400)).state, 'SENT')
  assert.equal(afterResponse(queried, unknown, secondsAfter(AT, 4 * 86_400)).state, 'UNRESOLVED')
  assert.deepEqual(
    [afterResponse(queried, unknown, AT, true)].map(({ state, dueAt }) => [state, dueAt]),
    [['UNRESOLVED', null]],
  )
})

test('each attempt has its own reference, derived from the first', () => {
  assert.deepEqual(
    [1, 2, 3].map((tries) => referenceOfAttempt('TRFD|1', tries)),
    ['TRFD|1', 'TRFD|1~2', 'TRFD|1~3'],
  )
  assert.equal(referenceOfAttempt('TRFD|1~9', 10), 'TRFD|1~10')
})

test('an order of a kind that only a later version knows is left to that version’s nodes', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  await transferTo(shop, '002')
  const reference = await makeUnresolved(shop, 'transfer')
  await asOwner(shop.databaseUrl, 'alter table rail_order drop constraint rail_order_purpose_check')
  await shop.db`
    update rail_order set purpose = 'of a later version', state = 'SENT', due_at = ${shop.core.clock.now()}, taken = 7
     where reference = ${reference}`
  const { reference: other } = await transferTo(shop, '002', { amount: 1_234 })
  await shop.advance(300)
  const [left] = await shop.db<{ state: string; taken: number; isLeased: boolean }[]>`
    select state, taken, leased_until is not null as is_leased from rail_order where reference = ${reference}`
  assert.deepEqual({ ...left }, { state: 'SENT', taken: 7, isLeased: false })
  assert.equal((await shop.call(contract.getTransfer, { query: { reference: other } })).status, 'SUCCESS')
})
