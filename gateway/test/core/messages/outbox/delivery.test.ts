import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { emit, type OutgoingEvent } from '../../../../src/core/messages/outbox/index.ts'
import { unitOfWork } from '../../../../src/core/unit-of-work.ts'
import type { Clock } from '../../../../src/kernel/clock.ts'
import { openLog } from '../../../../src/platform/observability/log.ts'
import { aShop, type Client, gateway, type Shop } from '../../../harness/gateway.ts'
import { anAccount, pay } from '../../../harness/samples.ts'
import { slow } from '../../../harness/slow.ts'
import { until } from '../../../harness/until.ts'
import { webhookEndpoint } from '../../../harness/webhook-endpoint.ts'

type EventRecord = Reply<typeof contract.resendEvent>

/** Seconds after the previous attempt, exactly as specified. */
const WAITS = [10, 60, 5 * 60, 30 * 60, 2 * 3_600, 6 * 3_600, 12 * 3_600, 24 * 3_600, 24 * 3_600]
const ATTEMPTS_MAX = WAITS.length + 1

const alert = (shop: Shop, description: string): OutgoingEvent => ({
  merchantId: shop.merchantId,
  eventType: 'LOW_BALANCE_ALERT',
  refs: [description],
  eventData: {
    transactionTime: '2026-03-01 10:30:00 AM',
    merchantCode: 'M',
    walletAccountNumber: '3000000003',
    walletBalance: 1,
    lowBalanceThreshold: 2,
    currency: 'NGN',
    description,
  },
})

/** Only collections are checked here: as days pass, they are settled, and that sends events too. */
const sendTo = (client: Client, url: string) =>
  client.call(contract.changeSettings, { body: { webhookUrls: { collection: url } } })
const paid = async (client: Client): Promise<void> => {
  await pay(client, await anAccount(client), 5_000)
}
const eventsOf = async (client: Client): Promise<EventRecord[]> =>
  (await client.call(contract.listEvents, { query: { eventType: 'SUCCESSFUL_TRANSACTION', size: 100 } })).content
/** The only event, once all pending attempts are done. */
async function onlyEvent(shop: Shop): Promise<EventRecord> {
  await shop.advance(1)
  const events = await eventsOf(shop)
  assert.equal(events.length, 1)
  return events[0] ?? assert.fail()
}
const secondsOf = (clock: Clock): number => Math.floor(clock.now().getTime() / 1_000)
/** Seconds from the last attempt to the next one. */
const waitOf = ({ attempts, nextAttemptOn }: EventRecord): number =>
  (Date.parse(nextAttemptOn ?? '') - Date.parse(attempts.at(-1)?.at ?? '')) / 1_000

test('an event that is not accepted is retried on schedule and given up after the tenth attempt', async (t) => {
  const events = await webhookEndpoint(t, () => 500)
  const shop = await gateway(t)
  await sendTo(shop, events.url)
  await paid(shop)
  await events.count(1)
  for (const [nth, wait] of WAITS.entries()) {
    const event = await onlyEvent(shop)
    assert.deepEqual([event.status, event.attempts.length, waitOf(event)], ['PENDING', nth + 1, wait])
    await shop.advance(wait / 2)
    assert.equal(events.received.length, nth + 1, `too early after attempt ${nth + 1}`)
    await shop.advance(wait / 2)
    assert.equal(events.received.length, nth + 2, `too late after attempt ${nth + 1}`)
  }
  const event = await onlyEvent(shop)
  assert.deepEqual([event.status, event.attempts.length, event.nextAttemptOn], ['GIVEN_UP', ATTEMPTS_MAX, null])
  await shop.advance(30 * 86_400)
  assert.equal(events.received.length, ATTEMPTS_MAX)
  assert.equal(new Set(events.received.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size, 1)
})

slow('a clock that is moved by days makes every attempt at its time', async (t) => {
  const events = await webhookEndpoint(t, () => 500)
  const shop = await gateway(t)
  await sendTo(shop, events.url)
  await paid(shop)
  await events.count(1)
  await shop.advance(4 * 86_400)
  const { attempts, status } = await onlyEvent(shop)
  assert.deepEqual([status, attempts.length], ['GIVEN_UP', ATTEMPTS_MAX])
  for (const [nth, wait] of WAITS.entries()) {
    const waited = (Date.parse(attempts[nth + 1]?.at ?? '') - Date.parse(attempts[nth]?.at ?? '')) / 1_000
    assert.ok(waited >= wait && waited < wait + 3, `attempt ${nth + 2} came after ${waited} s, not ${wait}`)
  }
})

test('only 200 is success: any other status, a redirect or a broken connection is retried', async (t) => {
  const elsewhere = await webhookEndpoint(t)
  const responses = [
    201,
    202,
    204,
    { status: 302, headers: { location: elsewhere.url } },
    { status: 307, headers: { location: elsewhere.url } },
    404,
  ]
  const events = await webhookEndpoint(t, (nth) => responses[nth - 1] ?? 200)
  const shop = await gateway(t)
  await sendTo(shop, 'http://127.0.0.1:1/nobody-listens')
  await paid(shop)
  const unreached = await onlyEvent(shop)
  assert.deepEqual(
    [unreached.status, unreached.attempts[0]?.status, unreached.attempts[0]?.error],
    ['PENDING', null, 'ECONNREFUSED'],
  )
  await sendTo(shop, events.url)
  await shop.advance(86_400)
  const { attempts, status } = await onlyEvent(shop)
  assert.equal(status, 'DELIVERED')
  assert.deepEqual(
    attempts.map((attempt) => attempt.status),
    [null, 201, 202, 204, 302, 307, 404, 200],
  )
  assert.equal(elsewhere.received.length, 0)
})

test('Retry-After of a 429 or 503 is honoured up to the next step, and ignored for other statuses', async (t) => {
  const answering = (status: number, seconds: number) => () => ({ status, headers: { 'retry-after': String(seconds) } })
  const shop = await aShop()
  for (const [status, request, wait] of [
    [503, 30, 30],
    [429, 45, 45],
    [429, 3_600, 60],
    [503, 3, 10],
    [500, 30, 10],
  ] as const) {
    const events = await webhookEndpoint(t, answering(status, request))
    await sendTo(shop, events.url)
    await paid(shop)
    await events.count(1)
    await shop.advance(1)
    const [event] = await eventsOf(shop)
    assert.equal(event && waitOf(event), wait, `${status} with Retry-After ${request} s`)
  }
})

test('410 pauses the endpoint at once; setting its URL again lifts the pause and sends the waiting events', async (t) => {
  const events = await webhookEndpoint(t, () => 410)
  const shop = await gateway(t)
  await sendTo(shop, events.url)
  await paid(shop)
  await events.count(1)
  await shop.advance(86_400)
  await paid(shop)
  await shop.advance(86_400)
  assert.equal(events.received.length, 1)
  assert.deepEqual(
    (await eventsOf(shop)).map(({ status }) => status),
    ['PENDING', 'PENDING'],
  )
  events.respond = () => 200
  await sendTo(shop, events.url)
  await events.count(3)
  await shop.advance(1)
  assert.deepEqual(
    (await eventsOf(shop)).map(({ status }) => status),
    ['DELIVERED', 'DELIVERED'],
  )
})

slow('an endpoint that fails its hundredth event in a row is paused; an accepted event resets the count', async (t) => {
  const events = await webhookEndpoint(t, () => 500)
  const shop = await gateway(t)
  await sendTo(shop, events.url)
  const tally = async () => (await shop.db`select given_up_in_a_row as given_up, paused_at from webhook_endpoint`)[0]
  await paid(shop)
  await shop.advance(4 * 86_400)
  assert.deepEqual(await tally(), { givenUp: 1, pausedAt: null })
  events.respond = () => 200
  await paid(shop)
  await events.count(ATTEMPTS_MAX + 1)
  await shop.advance(1)
  assert.deepEqual(await tally(), { givenUp: 0, pausedAt: null })
  await shop.db`update webhook_endpoint set given_up_in_a_row = 99`
  events.respond = () => 500
  await paid(shop)
  await shop.advance(4 * 86_400)
  assert.notEqual((await tally())?.['pausedAt'], null)
})

test('without a URL an event is stored as NOT_SENT, and can be sent once there is one', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await gateway(t)
  await paid(shop)
  const stored = await onlyEvent(shop)
  assert.deepEqual([stored.status, stored.url, stored.attempts, stored.nextAttemptOn], ['NOT_SENT', null, [], null])
  await sendTo(shop, events.url)
  await shop.advance(86_400)
  assert.equal(events.received.length, 0)
  await shop.call(contract.resendEvent, { params: stored })
  const [received] = await events.count(1)
  assert.equal(received?.body, stored.body)
  const sent = await onlyEvent(shop)
  assert.deepEqual(
    [sent.status, sent.url, sent.attempts.map(({ resent }) => resent)],
    ['DELIVERED', events.url, [true]],
  )
})

test('a resent event has the same bytes and id, is marked as resent, and starts the schedule over', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await aShop()
  await sendTo(shop, events.url)
  await paid(shop)
  await events.count(1)
  const delivered = await onlyEvent(shop)
  events.respond = () => 500
  const requeued = await shop.call(contract.resendEvent, { params: delivered })
  assert.equal(requeued.body, delivered.body)
  await events.count(2)
  const failed = await onlyEvent(shop)
  assert.deepEqual([failed.status, waitOf(failed)], ['PENDING', 10])
  events.respond = () => 200
  await shop.advance(10)
  const again = await onlyEvent(shop)
  assert.deepEqual(
    again.attempts.map(({ status, resent }) => [status, resent]),
    [
      [200, false],
      [500, true],
      [200, true],
    ],
  )
  assert.equal(new Set(events.received.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size, 1)
  for (const id of ['1', '9223372036854775807', '9223372036854775808', '9'.repeat(19)])
    await shop.rejected(404, contract.resendEvent, { params: { id } })
  for (const id of ['x', '-1', '9'.repeat(20)]) await shop.rejected(400, contract.resendEvent, { params: { id } })
})

test('all events since a time are resent, and none from before', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await aShop()
  await sendTo(shop, events.url)
  for (let n = 1; n <= 3; n++) {
    await paid(shop)
    await events.count(n)
    await shop.advance(60)
  }
  const [, second] = await eventsOf(shop)
  const since = Date.parse(second?.createdOn ?? '')
  assert.deepEqual(await shop.call(contract.resendEvents, { body: { since } }), { count: 2 })
  const bodies = (await events.count(5)).map(({ body }) => body)
  assert.deepEqual(bodies.slice(3).sort(), bodies.slice(1, 3).sort())
  await shop.advance(1)
  assert.deepEqual(
    (await eventsOf(shop)).map(({ attempts }) => attempts.map(({ resent }) => resent)),
    [[false, true], [false, true], [false]],
  )
  assert.deepEqual(await shop.call(contract.resendEvents, { body: { since: new Date(since + 1).toISOString() } }), {
    count: 1,
  })
  for (const wrong of [undefined, null, 'soon', {}, true])
    assert.match((await shop.rejected(400, contract.resendEvents, { body: { since: wrong } })).message, /^since /)
})

test('an event is sent once its transaction has committed, and never if it is rolled back', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { webhookUrl: events.url } })
  const refused = unitOfWork(shop.core, async (unit) => {
    emit(unit, [alert(shop, 'rolled back')])
    await unit.tx`select`
    throw new Error('rolled back')
  })
  await assert.rejects(refused, /rolled back/)
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const { promise: written, resolve: noteWritten } = Promise.withResolvers<void>()
  const slow = unitOfWork(shop.core, async (unit) => {
    emit(unit, [alert(shop, 'slow')])
    await unit.tx`select` // the event is written by now
    noteWritten()
    await mayCommit
  })
  await written
  await unitOfWork(shop.core, async (unit) => emit(unit, [alert(shop, 'quick')]))
  await events.count(1)
  commit()
  await slow
  await events.count(2)
  await shop.advance(1)
  assert.deepEqual(
    events.received.map(({ event }) => event.eventData['description']),
    ['quick', 'slow'],
  )
})

test('an event whose sender died is sent again when its lease ends', async (t) => {
  const events = await webhookEndpoint(t, () => 0)
  const shop = await gateway(t)
  await sendTo(shop, events.url)
  await paid(shop)
  await events.count(1)
  const [row] = await shop.db<{ isLeased: boolean }[]>`select leased_until > now() as is_leased from event`
  assert.equal(row?.isLeased, true, 'no other process sends it meanwhile')
  events.respond = () => 200
  await shop.db`update event set leased_until = now() - interval '1 second'` // as after its death
  await events.count(2)
  const isDelivered = async (): Promise<boolean> => (await eventsOf(shop)).some(({ status }) => status === 'DELIVERED')
  await until('it is delivered', isDelivered)
})

test('an endpoint that never responds delays no other', async (t) => {
  const [dead, alive] = [await webhookEndpoint(t, () => 0), await webhookEndpoint(t)]
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  await sendTo(shop, dead.url)
  await sendTo(other, alive.url)
  await Promise.all(Array.from({ length: 40 }, () => paid(shop)))
  await dead.count(1)
  // An attempt on the dead endpoint times out after ten seconds; a busy machine may need more than one round.
  await until('an event arrives while attempts on the dead endpoint are running', async () => {
    const { aborted: givenUp } = dead
    const before = alive.received.length
    await paid(other)
    await alive.count(before + 1)
    assert.ok(dead.received.length - dead.aborted <= 16, 'a dead endpoint holds only a share of the running attempts')
    return dead.aborted === givenUp && dead.received.length > givenUp
  })
})

test('an event type with its own URL goes there, all others to the default; the URL is read at each attempt', async (t) => {
  const [own, fallback] = [await webhookEndpoint(t, () => 500), await webhookEndpoint(t)]
  const shop = await aShop()
  await shop.call(contract.changeSettings, {
    body: { webhookUrl: fallback.url, webhookUrls: { collection: own.url, wallet: 'http://127.0.0.1:1/' } },
  })
  await paid(shop)
  await own.count(1)
  await shop.advance(1)
  assert.equal(fallback.received.length, 0)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: null } } })
  await shop.advance(10)
  assert.equal((await fallback.count(1))[0]?.body, own.received[0]?.body)
})

test('an event carries the signature under every configured name, and verifies as a Standard Webhook', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await gateway(t, { env: { KOBO_SIGNATURE_HEADERS: 'X-Shop-Signature, other-signature' } })
  await sendTo(shop, events.url)
  await shop.advance(86_400)
  const before = secondsOf(shop.core.wall)
  await paid(shop)
  const [event] = await events.count(1)
  assert.ok(event !== undefined)
  const { headers, body } = event
  const { secretKey } = shop.credentials
  const signature = createHmac('sha512', secretKey).update(body).digest('hex')
  for (const name of ['service-signature', 'x-shop-signature', 'other-signature'])
    assert.equal(headers[name], signature, name)
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', secretKey).update(signed).digest('base64')}`)
  const sentAt = Number(headers['webhook-timestamp'])
  assert.ok(sentAt >= before && sentAt <= secondsOf(shop.core.wall), 'real time, not business time')
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(JSON.stringify(JSON.parse(body)), body)
  const [logged] = await eventsOf(shop)
  assert.equal(logged?.body, body)
})

test('each failed delivery is logged with only the host of its URL, and an endpoint that is down warns once a minute', async (t) => {
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  const down = await webhookEndpoint(t, () => 503)
  const shop = await gateway(t, { log })
  await sendTo(shop, `${down.url}?key=confidential`)
  for (let n = 0; n < 3; n++) await paid(shop)
  await down.count(3)
  await until('all attempts are stored', async () =>
    (await eventsOf(shop)).every(({ attempts }) => attempts.length > 0),
  )
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'webhook delivery failed')
  const levels = logged.map(({ level }) => level)
  assert.deepEqual(levels, ['warn', 'info', 'info'], 'the others are within the same minute')
  const [{ merchantId, kind, receiver: host, status, attempt, alsoFailed }] = logged
  assert.deepEqual(
    { merchantId, kind, host, status, attempt, alsoFailed },
    {
      merchantId: String(shop.merchantId),
      kind: 'collection',
      host: new URL(down.url).host,
      status: 503,
      attempt: 1,
      alsoFailed: 0,
    },
  )
  assert.ok(!lines.join('').includes('confidential'))
})
