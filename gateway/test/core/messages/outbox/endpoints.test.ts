import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as aMoment } from 'node:timers/promises'
import * as contract from '@kobo/contract'
import pg from 'pg'
import { openEndpoints } from '../../../../src/core/messages/outbox/endpoints.ts'
import { tallyEndpoints } from '../../../../src/core/messages/outbox/repository.ts'
import { unitOfWork } from '../../../../src/core/unit-of-work.ts'
import { isWaitingForLock } from '../../../harness/citus.ts'
import { gateway } from '../../../harness/gateway.ts'
import { ownerOf } from '../../../harness/postgres.ts'
import { anAccount, pay } from '../../../harness/samples.ts'
import { slow } from '../../../harness/slow.ts'
import { until } from '../../../harness/until.ts'
import { webhookEndpoint } from '../../../harness/webhook-endpoint.ts'

const [RETRY_SECONDS = 0] = contract.EVENT_RETRY_AFTER_SECONDS
const EVENT = { merchantId: 1n, kind: 'collection' } as const

test('a fast endpoint gets more events leased ahead, in batches; a slow one only as many as are sent at once', () => {
  const { enter, rooms } = openEndpoints()
  const room = (): number | undefined => rooms()[0]?.room
  const endpoint = enter(EVENT)
  assert.equal(room(), 15)
  endpoint.answered(true, 10)
  assert.equal(room(), 255)
  for (let n = 2; n <= 129; n++) enter(EVENT)
  assert.equal(room(), 0, 'enough are leased already')
  endpoint.leave()
  assert.equal(room(), 128)
  endpoint.answered(true, 900)
  assert.equal(room(), 128, 'one slower response does not make an endpoint slow')
  endpoint.answered(false, 10)
  assert.equal(room(), 0)
  for (let n = 1; n <= 128; n++) endpoint.leave()
  assert.deepEqual(rooms(), [])
})

test('new events are sent from memory while there is room, and none overtakes the events that wait in the table', () => {
  const { choose, enter, rooms, leased } = openEndpoints()
  const chosen = (count: number): number => choose(Array.from({ length: count }, () => EVENT)).filter(Boolean).length
  assert.equal(chosen(20), 16, 'an unknown endpoint gets as many as are sent at once')
  const endpoint = enter(EVENT)
  assert.equal(chosen(20), 15)
  assert.ok(endpoint.hasBacklog())
  assert.equal(chosen(1), 0, 'older events wait in the table')
  leased(rooms(), Array(15).fill(EVENT))
  assert.equal(chosen(1), 0, 'more may wait there')
  leased(rooms(), [EVENT])
  assert.equal(chosen(1), 1)
  endpoint.answered(true, 10)
  assert.equal(chosen(300), 255, 'a fast endpoint gets more')
})

slow(
  'at most 16 events are sent at once, however many were leased; an endpoint that refuses gets no more',
  async (t) => {
    const COUNT = 100
    const TAKEN = 40
    let open = 0
    let most = 0
    let left = 0
    const events = await webhookEndpoint(t, async () => {
      most = Math.max(most, ++open)
      await aMoment()
      open--
      return left-- > 0 ? 200 : 410
    })
    const shop = await gateway(t)
    const take = async (count: number): Promise<void> => {
      left = count
      await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: events.url } } })
    }
    const isPaused = async (): Promise<boolean> =>
      (await shop.db`select from webhook_endpoint where paused_at is not null`).count > 0
    await take(0)
    for (let n = 0; n < COUNT; n++) await pay(shop, await anAccount(shop), 5_000)
    await until('the endpoint is paused', isPaused)
    const before = events.received.length

    await take(TAKEN)
    await until('the endpoint is paused again', isPaused)
    await shop.advance(1)
    const sent = events.received.length - before
    assert.ok(sent >= TAKEN && sent < TAKEN + 2 * 16, `${sent} were sent, though it accepted ${TAKEN} and then failed`)

    await take(COUNT)
    await shop.advance(RETRY_SECONDS) // the rejected ones wait for their next attempt
    const delivered = async (): Promise<number> => (await shop.db`select from event where status = 'DELIVERED'`).count
    await until('all events have arrived', async () => (await delivered()) === COUNT)
    assert.ok(most <= 16, `${most} at once`)
  },
)

test('abandoned events are counted per endpoint, even if another node counts at the same time', async (t) => {
  const shop = await gateway(t)
  const kinds = ['collection', 'disbursement', 'settlement']
  const endpoints = await shop.db<{ merchantId: bigint; kind: string }[]>`
    insert into webhook_endpoint (merchant_id, kind, url)
    select m.id, k.kind, 'http://127.0.0.1:9/' from merchant m cross join unnest(${kinds}::text[]) k (kind)
    returning merchant_id, kind`
  assert.equal(endpoints.length, kinds.length)
  const tallies = endpoints.map((endpoint) => ({ ...endpoint, delivered: false, gaveUp: 1, pause: false }))
  const holder = new pg.Client(shop.databaseUrl)
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query(
      `update webhook_endpoint set given_up_in_a_row = given_up_in_a_row + 98
        where merchant_id = ${shop.merchantId} and kind = 'collection'`,
    )
    const counted = unitOfWork(shop.core, ({ tx, at }) => tallyEndpoints(tx, at, tallies, 100))
    await until('it waits for the first transaction', () => isWaitingForLock(ownerOf(shop.databaseUrl)))
    await shop.db`
      update webhook_endpoint set given_up_in_a_row = given_up_in_a_row + 99
       where merchant_id = ${shop.merchantId} and kind <> 'collection'`
    await holder.query('commit')
    assert.deepEqual((await counted).map(({ kind }) => kind).sort(), ['disbursement', 'settlement'])
    const rows = await shop.db`select kind, given_up_in_a_row as given_up, paused_at is not null as paused
                                 from webhook_endpoint order by kind`
    assert.deepEqual(
      [...rows],
      [
        { kind: 'collection', givenUp: 99, paused: false },
        { kind: 'disbursement', givenUp: 100, paused: true },
        { kind: 'settlement', givenUp: 100, paused: true },
      ],
    )
  } finally {
    await holder.end()
  }
})
