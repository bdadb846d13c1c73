import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import pg from 'pg'
import { queryNow } from '../../../src/core/orders/repository.ts'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { hidden } from '../../../src/kernel/hidden.ts'
import { signedHeaders } from '../../../src/rails/http/index.ts'
import { isSignedResponse, signRequest } from '../../../src/rails/protocol/index.ts'
import { isWaitingForLock } from '../../harness/citus.ts'
import { gateway, type TestGateway } from '../../harness/gateway.ts'
import { ownerOf } from '../../harness/postgres.ts'
import { balancesOf, transferTo } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'

const DAY_SECONDS = 86_400
const SECRET = 'a-secret-between-gateway-and-adapter'
const KEYS = { secret: hidden(SECRET) }

/** A sandbox with its own partners that accepts notifications. */
async function opened(t: TestContext, env: Record<string, string> = {}): Promise<TestGateway> {
  const shop = await gateway(t, { env: { KOBO_RAILS_SECRET: SECRET, ...env } })
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  return shop
}

interface Notification {
  readonly headers: Record<string, string>
  readonly nonce: string
}

const post = (shop: TestGateway, operation: string, body: string, headers: Record<string, string>): Promise<Response> =>
  fetch(`${shop.url}/rails/${operation}`, { method: 'POST', body, headers })

const signed = (shop: TestGateway, operation: string, body: string): Notification =>
  signRequest(KEYS, shop.core.wall, { operation, body })

/** Reports an outcome; checks that the response is signed over this exact request. */
async function notify(shop: TestGateway, notice: object, operation = 'outcomes'): Promise<object> {
  const body = JSON.stringify(notice)
  const { headers, nonce } = signed(shop, operation, body)
  const response = await post(shop, operation, body, headers)
  const text = await response.text()
  assert.equal(response.status, 200, text)
  const isTrue = isSignedResponse(
    KEYS,
    shop.core.wall,
    { operation, nonce, status: 200, body: text },
    Object.fromEntries(response.headers),
  )
  assert.ok(isTrue, 'the response is signed')
  return JSON.parse(text)
}

const statusOf = async (shop: TestGateway, reference: string): Promise<string> =>
  (await shop.call(contract.getTransfer, { query: { reference } })).status

const orderOf = async (shop: TestGateway, state: string): Promise<string> => {
  const [row] = await shop.db<{ reference: string }[]>`select reference from rail_order where state = ${state}`
  return row?.reference ?? assert.fail(`there is an order that is ${state}`)
}

/** Keeps the gateway from querying orders on its own. */
const putOff = async ({ core, db }: TestGateway): Promise<void> => {
  await db`update rail_order set due_at = ${secondsAfter(core.clock.now(), 2 * DAY_SECONDS)} where due_at is not null`
}

test('an order in a notification is queried at once, and not only at its scheduled time', async (t) => {
  const shop = await opened(t)
  const { reference } = await transferTo(shop, '002')
  assert.equal(await statusOf(shop, reference), 'PENDING')
  const order = await orderOf(shop, 'SENT')
  await shop.db`update simulated_entry set at = at - interval '61 seconds'`
  await putOff(shop)
  assert.deepEqual(await notify(shop, { reference: order }), { kind: 'asking' })
  await until('the transfer has succeeded', async () => (await statusOf(shop, reference)) === 'SUCCESS')
  assert.deepEqual(await notify(shop, { reference: order }), { kind: 'not open' }, 'it is closed')
  assert.deepEqual(await notify(shop, { reference: 'nobody-sent-this' }), { kind: 'not open' })
})

test('a reversal in a notification is queried before its scheduled time, and the money is back', async (t) => {
  const shop = await opened(t)
  const before = await balancesOf(shop)
  const { reference } = await transferTo(shop, '003')
  assert.equal(await statusOf(shop, reference), 'SUCCESS')
  await shop.db`update simulated_entry set at = at - interval '301 seconds'`
  await putOff(shop)
  assert.deepEqual(await notify(shop, { reference: await orderOf(shop, 'WATCHED') }), { kind: 'asking' })
  await until('the transfer is reversed', async () => (await statusOf(shop, reference)) === 'REVERSED')
  assert.deepEqual((await balancesOf(shop)).availableBalance, before.availableBalance)
})

test('only the reference in a notification counts: the partner is queried for the rest', async (t) => {
  const shop = await opened(t)
  const { reference } = await transferTo(shop, '002')
  const order = await orderOf(shop, 'SENT')
  const queryCount = async (): Promise<number> => {
    const [row] = await shop.db<{ unknownAnswers: number; taken: number }[]>`
      select unknown_answers, taken from rail_order where reference = ${order}`
    return row?.taken ?? 0
  }
  await putOff(shop)
  const before = await queryCount()
  assert.deepEqual(await notify(shop, { reference: order, kind: 'failed', reason: 'so says the notice' }), {
    kind: 'asking',
  })
  await until('the partner was queried', async () => (await queryCount()) > before)
  assert.equal(await statusOf(shop, reference), 'PENDING')
})

test('an order under manual review is queried again when the partner sends a notification', async (t) => {
  const shop = await opened(t)
  const { reference } = await transferTo(shop, '002')
  await shop.db`update rail_order set state = 'UNRESOLVED', due_at = null, unknown_answers = 75 where state = 'SENT'`
  await shop.db`update simulated_entry set at = at - interval '61 seconds'`
  assert.deepEqual(await notify(shop, { reference: await orderOf(shop, 'UNRESOLVED') }), { kind: 'asking' })
  await until('the transfer has succeeded', async () => (await statusOf(shop, reference)) === 'SUCCESS')
})

test('many parallel notifications, of many orders and of one, each get their own response', async (t) => {
  const shop = await opened(t)
  await Promise.all([1_000, 2_000, 3_000].map((amount) => transferTo(shop, '002', { amount })))
  const open = await shop.db<{ reference: string }[]>`select reference from rail_order where state = 'SENT'`
  assert.equal(open.length, 3)
  const references = [...open.map(({ reference }) => reference), 'unknown', open[0]?.reference ?? '', 'unknown']
  const responses = await Promise.all(references.map((reference) => notify(shop, { reference })))
  assert.deepEqual(
    responses.map((response) => (response as { kind: string }).kind),
    ['asking', 'asking', 'asking', 'not open', 'asking', 'not open'],
  )
})

test('an order that changes while a notification waits for another is still found', async (t) => {
  const shop = await opened(t)
  await Promise.all([1_000, 2_000, 3_000].map((amount) => transferTo(shop, '002', { amount })))
  const open = await shop.db<{ id: bigint; reference: string }[]>`select id, reference from rail_order order by id`
  const [first, ...others] = open
  const ids = others.map(({ id }) => String(id))
  const holder = new pg.Client(shop.databaseUrl)
  await holder.connect()
  try {
    await holder.query('begin')
    const take = 'update rail_order set taken = taken + 1 where merchant_id = $1 and id = $2'
    await holder.query(take, [String(shop.merchantId), String(first?.id)])
    const references = open.map(({ reference }) => reference)
    const queryCount = unitOfWork(shop.core, ({ tx, at }) =>
      queryNow(tx, { merchants: [String(shop.merchantId)] }, references, at),
    )
    await until('it waits for the first', () => isWaitingForLock(ownerOf(shop.databaseUrl)))
    await shop.db`update rail_order set taken = taken + 1 where merchant_id = ${shop.merchantId} and id = any(${ids}::bigint[])`
    await holder.query('commit')
    assert.deepEqual([...(await queryCount)].sort(), references.sort())
  } finally {
    await holder.end()
  }
})

test('a notification is accepted once, and only if signed in the second version', async (t) => {
  const shop = await opened(t)
  const body = '{"reference":"x"}'
  const { headers } = signed(shop, 'outcomes', body)
  assert.equal((await post(shop, 'outcomes', body, headers)).status, 200)
  for (const [what, response] of [
    ['heard before', post(shop, 'outcomes', body, headers)],
    ['altered', post(shop, 'outcomes', '{"reference":"y"}', signed(shop, 'outcomes', body).headers)],
    ['of something else', post(shop, 'outcomes', body, signed(shop, 'credits', body).headers)],
    ['in the first version', post(shop, 'outcomes', body, signedHeaders(SECRET, shop.core.wall, 'outcomes', body))],
    ['unsigned', post(shop, 'outcomes', body, {})],
  ] as const)
    assert.equal((await response).status, 401, what)
  const malformed = '{"reference":5}'
  assert.equal((await post(shop, 'outcomes', malformed, signed(shop, 'outcomes', malformed).headers)).status, 400)
})

/** A credit to a merchant's wallet. */
const aCredit = (shop: TestGateway, railReference: string) => ({
  railReference,
  bankCode: '50515',
  accountNumber: shop.credentials.walletAccountNumber,
  amount: 10_000,
})

test('credits are accepted in either version, until the partner uses the second or it is required; its responses are signed', async (t) => {
  const first = async (shop: TestGateway): Promise<number> => {
    const body = JSON.stringify(aCredit(shop, 'first-version'))
    return (await post(shop, 'credits', body, signedHeaders(SECRET, shop.core.wall, 'credits', body))).status
  }
  const either = await opened(t)
  assert.equal(await first(either), 200)
  assert.deepEqual(await notify(either, aCredit(either, 'second-version'), 'credits'), { kind: 'accepted' })
  assert.equal(await first(either), 401)
  const strict = await opened(t, { KOBO_RAILS_PROTOCOL: '2' })
  assert.deepEqual(await notify(strict, aCredit(strict, 'second-version'), 'credits'), { kind: 'accepted' })
  assert.equal(await first(strict), 401)
})
