import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import type { Core } from '../../../src/core/core.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { openOrders, QUERIES_MAX, queryByOperator, selectUnresolved } from '../../../src/core/orders/index.ts'
import { openWakeups, unitOfWork } from '../../../src/core/unit-of-work.ts'
import { openPayouts } from '../../../src/features/approvals/index.ts'
import { selectDisputed } from '../../../src/features/disputes/index.ts'
import { refundFeature } from '../../../src/features/refunds/index.ts'
import { initiateRefund } from '../../../src/features/refunds/service.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { naira } from '../../../src/kernel/money.ts'
import { openFailures } from '../../../src/platform/lanes/failures.ts'
import type { Worker } from '../../../src/platform/lanes/worker.ts'
import { openMetrics } from '../../../src/platform/metrics/metrics.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import type { Rails } from '../../../src/rails/index.ts'
import { SIMULATED, simulatedBook, simulatedRails } from '../../../src/rails/simulated/index.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { onlyOrders } from '../../harness/orders.ts'
import { ownDatabase } from '../../harness/postgres.ts'
import {
  aRefund,
  balances,
  checkLedger,
  OPENING_BALANCE,
  paid,
  type Refund,
  refund,
  refundWithStatus,
} from '../../harness/refund-samples.ts'
import { routerTo } from '../../harness/routing.ts'
import { slow } from '../../harness/slow.ts'

test('50 concurrent refunds of one payment return exactly the paid amount, and the rest are rejected', async () => {
  const shop = await aShop()
  const transactionReference = await paid(shop, 5_000)
  const responses = await Promise.all(
    Array.from({ length: 50 }, () =>
      shop.send('POST', contract.initiateRefund.path, {
        body: aRefund(transactionReference, { refundAmount: '333.34' }),
      }),
    ),
  )
  const accepted = responses.filter(({ status }) => status === 200)
  assert.equal(accepted.length, 14, 'fifteen would be 5,000.10')
  assert.ok(responses.every(({ status, body }) => status === 200 || (status === 400 && body.responseCode === 'R3')))
  for (const { body } of accepted) await refundWithStatus(shop, body.responseBody as Refund, 'COMPLETED')
  await refund(shop, transactionReference, { refundAmount: '333.24' })
  const { responseCode } = await shop.rejected(400, contract.initiateRefund, { body: aRefund(transactionReference) })
  assert.equal(responseCode, 'R12')
  const { content } = await shop.call(contract.listRefunds, { query: { size: 100 } })
  for (const begun of content) await refundWithStatus(shop, begun, 'COMPLETED')
  assert.deepEqual(await balances(shop), [OPENING_BALANCE - 5_150, OPENING_BALANCE - 5_150])
  await checkLedger(shop)
})

test('50 concurrent requests with one refundReference make one refund; the others return R9, also for another payment', async () => {
  const shop = await aShop()
  const references = [await paid(shop, 5_000), await paid(shop, 5_000)]
  const refundReference = `refund-${randomUUID()}`
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      shop.send('POST', contract.initiateRefund.path, { body: aRefund(references[i % 2] ?? '', { refundReference }) }),
    ),
  )
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  assert.ok(responses.every(({ status, body }) => status === 200 || (status === 400 && body.responseCode === 'R9')))
  await refundWithStatus(shop, { refundReference }, 'COMPLETED')
  assert.deepEqual(await balances(shop), [OPENING_BALANCE - 1_010, OPENING_BALANCE - 1_010])
})

test('concurrent refunds from a wallet that covers only some never overdraw it', async () => {
  const shop = await aShop()
  const poor = await shop.anotherMerchant()
  await poor.call(contract.fundWallet, { body: { amount: 5_060 } })
  const references = await Promise.all(Array.from({ length: 12 }, () => paid(poor, 5_000)))
  const responses = await Promise.all(
    references.map((reference) => poor.send('POST', contract.initiateRefund.path, { body: aRefund(reference) })),
  )
  const codes = responses.map(({ status, body }) => (status === 200 ? 'accepted' : body.responseCode)).sort()
  assert.deepEqual(codes, [...Array(7).fill('R5'), ...Array(5).fill('accepted')])
  for (const { body } of responses)
    if (body.responseBody) await refundWithStatus(poor, body.responseBody as Refund, 'COMPLETED')
  assert.deepEqual(await balances(poor), [10, 10])
  await checkLedger(shop)
})

test('a refund that was unknown when the gateway stopped is queried by the next process and sent once', async (t) => {
  const { url: databaseUrl, drop } = await ownDatabase()
  t.after(drop)
  const refundReference = `refund-${randomUUID()}`
  await t.test('before', async (before) => {
    const shop = await gateway(before, { databaseUrl })
    const transactionReference = await paid(shop, 5_000, 5_000, '0123452002')
    await refund(shop, transactionReference, { refundReference })
  })
  const shop = await gateway(t, { databaseUrl })
  await refundWithStatus(shop, { refundReference }, 'PENDING')
  await shop.advance(120)
  await refundWithStatus(shop, { refundReference }, 'COMPLETED')
  const { count } = await shop.db`select from simulated_entry where rail = 'transfer'`
  assert.equal(count, 1)
  await checkLedger(shop)
})

/** A worker, and a refund for it that is due in an hour, so that the gateway under test leaves it alone. */
async function dueLater(shop: Shop, senderAccountNumber?: string) {
  const { core, db } = shop
  const clock = { ...core.clock, now: () => secondsAfter(core.clock.now(), 3_600) }
  const rails = simulatedRails({ clock, book: simulatedBook(db) })
  const merchant = (await core.directory.byApiKey(shop.credentials.apiKey)) ?? assert.fail('there is a merchant')
  const tools = { core: { ...core, clock, wakeups: openWakeups() }, rails }
  const begun = await initiateRefund(
    { ...tools, orders: ordersOf(tools), enquiries: rails, selectDisputed },
    merchant,
    {
      transactionReference: await paid(shop, 5_000, 5_000, senderAccountNumber),
      refundReference: `refund-${randomUUID()}`,
      amount: naira(1_000),
      refundReason: 'Wrong size',
      customerNote: 'Sorry!',
      destination: null,
    },
  )
  return { begun, tools }
}

/** A process that only sends refunds. */
function openRefundWork({ core, rails }: { readonly core: Core; readonly rails: Rails }): Worker {
  const orders = ordersOf({ core, rails })
  const deps = { orders, enquiries: rails, selectDisputed, payouts: openPayouts() }
  const all = onlyOrders(refundFeature.open({ core, ...deps }).orders)
  return orders.work(all, openFailures(core.db, openLog('silent')))
}

const ordersOf = ({ core, rails }: { readonly core: Core; readonly rails: Rails }) =>
  openOrders({ core, metrics: openMetrics(), log: openLog('silent'), router: routerTo(rails, SIMULATED) })

/** A transfer rail that accepts or loses an order, and hangs until the test continues it. */
function hanging({ transfer, ...rails }: Rails, takesOrder: boolean) {
  const { promise: request, resolve: wasAsked } = Promise.withResolvers<void>()
  const { promise: goingOn, resolve: goOn } = Promise.withResolvers<void>()
  const send: Rails['transfer']['send'] = async (order) => {
    if (takesOrder) await transfer.send(order)
    wasAsked()
    await goingOn
    return transfer.send(order)
  }
  return { rails: { ...rails, transfer: { ...transfer, send } }, requests: request, goOn }
}

const leasesEnd = ({ db }: Shop) => db`update rail_order set leased_until = 'epoch'`

for (const [when, takesOrder] of [
  ['before its bank received the order', false],
  ['after its bank received the order but did not respond', true],
] as const)
  for (const [sender, status] of [
    ['0123452190', 'COMPLETED'],
    ['0123452001', 'FAILED'],
  ] as const)
    test(`a refund that ends ${status} ends once, even if a process stopped ${when} and resumed`, async (t) => {
      const shop = await gateway(t)
      const { begun, tools } = await dueLater(shop, sender)
      const bank = hanging(tools.rails, takesOrder)
      const stopped = openRefundWork({ ...tools, rails: bank.rails })
      const stoppedWork = stopped.workDue()
      await bank.requests
      const next = openRefundWork(tools)
      assert.equal(await next.workDue(), 0, 'no other process takes it during the lease')
      await leasesEnd(shop)
      assert.equal(await next.workDue(), takesOrder ? 1 : 2, 'it is queried, and sent if it never arrived')
      await refundWithStatus(shop, begun, status)
      bank.goOn()
      await stoppedWork

      await refundWithStatus(shop, begun, status)
      const eventType = status === 'COMPLETED' ? 'SUCCESSFUL_REFUND' : 'FAILED_REFUND'
      assert.equal((await shop.call(contract.listEvents, { query: { eventType } })).totalElements, 1)
      assert.equal((await shop.db`select from simulated_entry where facts ->> 'accountNumber' = ${sender}`).count, 1)
      const left = status === 'COMPLETED' ? OPENING_BALANCE - 1_010 : OPENING_BALANCE
      assert.deepEqual(await balances(shop), [left, left])
      await checkLedger(shop)
    })

test('a refund sent before its process died is not resent: its bank is queried', async (t) => {
  const shop = await gateway(t)
  const { begun, tools } = await dueLater(shop)
  const bank = hanging(tools.rails, true)
  const dead = openRefundWork({ ...tools, rails: bank.rails })
  void dead.workDue()
  await bank.requests
  await leasesEnd(shop)
  const send = (): never => assert.fail('it was sent twice')
  const next = openRefundWork({ ...tools, rails: { ...tools.rails, transfer: { ...tools.rails.transfer, send } } })
  assert.equal(await next.workDue(), 1)
  await refundWithStatus(shop, begun, 'COMPLETED')
  bank.goOn()
  await dead.stop()
})

slow('a refund that stays unknown for days needs manual review and delays no other refund', async (t) => {
  const shop = await gateway(t)
  const { begun, tools } = await dueLater(shop)
  const { transfer } = tools.rails
  const silent: Rails = {
    ...tools.rails,
    transfer: { ...transfer, send: async () => ({ kind: 'unknown' }), find: async () => ({ kind: 'unknown' }) },
  }
  let now = tools.core.clock.now()
  const core = { ...tools.core, clock: { ...tools.core.clock, now: () => now } }
  const work = openRefundWork({ core, rails: silent })
  const due = async () =>
    (await shop.db<{ due: Date | null }[]>`select min(due_at) as due from rail_order where due_at is not null`)[0]?.due
  for (let next = await due(); next; next = await due()) {
    if (next > now) now = next
    assert.equal(await work.workDue(), 1)
  }
  const [order] = await shop.db<
    { state: string; unknownAnswers: number }[]
  >`select state, unknown_answers from rail_order`
  assert.deepEqual({ ...order }, { state: 'UNRESOLVED', unknownAnswers: QUERIES_MAX })
  await refundWithStatus(shop, begun, 'PENDING')
  assert.equal((await selectUnresolved(shop.db, new Date(0)))[0]?.reference, begun.reference)
  assert.ok(isClean(await verifyLedger(shop.db)), 'what it holds is in flight')

  const other = await refund(shop, await paid(shop, 5_000))
  await refundWithStatus(shop, other, 'COMPLETED')
  await unitOfWork(shop.core, (unit) => queryByOperator(unit, begun.reference, { actor: 'command line' }))
  await openRefundWork(tools).workDue()
  await refundWithStatus(shop, begun, 'COMPLETED')
  await checkLedger(shop)
})
