import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import {
  events as eventTable,
  type LeaseRequest,
  leaseEvents,
} from '../../../../src/core/messages/outbox/repository.ts'
import { isDistributed } from '../../../../src/core/shards/distribute.ts'
import { secondsAfter } from '../../../../src/kernel/clock.ts'
import { type Db, inTransaction, openDatabase } from '../../../../src/platform/postgres/db.ts'
import { type Run, sqlTag } from '../../../../src/platform/postgres/sql.ts'
import { type Client, gateway, type Shop } from '../../../harness/gateway.ts'
import { ownDatabase } from '../../../harness/postgres.ts'
import { anAccount, pay } from '../../../harness/samples.ts'
import { slow } from '../../../harness/slow.ts'
import { until } from '../../../harness/until.ts'
import { webhookEndpoint } from '../../../harness/webhook-endpoint.ts'

const FEW = 20
const MANY = 20_000

interface Explained {
  readonly 'QUERY PLAN': readonly [
    { readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number } },
  ]
}

/** Database blocks touched by one query for due events. */
async function blocksOfALook({ core, db }: Shop): Promise<number> {
  const request: LeaseRequest = {
    at: core.clock.now(),
    leaseSeconds: 20,
    perEndpointMax: 16,
    limit: 1_024,
    rooms: [],
  }
  const explain: Run = (text, parameters) => db.run(`explain (analyze, buffers, format json) ${text}`, parameters)
  const [explained] = (await leaseEvents(
    sqlTag(explain) as Db,
    { merchants: undefined },
    request,
  )) as unknown as readonly Explained[]
  const plan = explained?.['QUERY PLAN'][0].Plan ?? assert.fail('there is a plan')
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

/** Merchants whose endpoints are dead: half have an event waiting for its next attempt, the others are paused. */
async function addDead({ db, core }: Shop, from: number, to: number): Promise<void> {
  const at = core.clock.now()
  await db`
    insert into merchant
    select (json_populate_record(m, json_build_object(
              'id', n, 'code', 'DEAD' || lpad(n::text, 8, '0'), 'api_key', 'MK_TEST_' || lpad(n::text, 10, '0'),
              'wallet_account_number', lpad(n::text, 10, '0')))).*
      from generate_series(${from}::bigint, ${to}::bigint) n
     cross join (select merchant from merchant limit 1) one (m)`
  await db`
    insert into webhook_endpoint (merchant_id, kind, url, paused_at)
    select n, 'default', 'http://127.0.0.1:1/nobody-listens', case when n % 2 = 0 then ${at}::timestamptz end
      from generate_series(${from}::bigint, ${to}::bigint) n`
  await db`
    insert into event (merchant_id, id, kind, event_type, refs, body, status, created_at, next_attempt_at)
    select n, n, 'collection', 'SUCCESSFUL_TRANSACTION', array['dead'], '{}',
           case when n % 2 = 0 then 'PENDING' else 'WAITING' end, ${at}, ${secondsAfter(at, 86_400)}
      from generate_series(${from}::bigint, ${to}::bigint) n`
  await analyze(db)
  await until('events of paused endpoints are set aside', async () => {
    const left = await db`select from event where status = 'PENDING' and merchant_id between ${from} and ${to} limit 1`
    return left.count === 0
  })
  await analyze(db)
}

/** As PostgreSQL does on its own from time to time. */
async function analyze(db: Db): Promise<void> {
  await db`vacuum analyze event`
  await db`vacuum analyze webhook_endpoint`
}

slow('finding due events reads no more of the database with 20,000 dead endpoints than with 20', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: events.url } } })
  await addDead(shop, 1, FEW)
  const few = await blocksOfALook(shop)
  await addDead(shop, FEW + 1, MANY)
  const many = await blocksOfALook(shop)
  t.diagnostic(`${few} blocks with ${FEW}, ${many} with ${MANY}`)
  assert.ok(many <= few + MANY / 100, `${few} blocks with ${FEW} dead endpoints, ${many} with ${MANY}`)
  await paid(shop)
  await events.count(1)
})

const IN_LINE = 256
/** About the size of a payment's event. */
const BODY = JSON.stringify({ text: 'x'.repeat(900) })

test('a lease updates each event in place, without any index entry', async (t) => {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 1)
  t.after(async () => {
    await db.end()
    await drop()
  })
  if (await isDistributed(db)) return t.skip('its rows are counted on other servers')
  const at = new Date()
  const event = {
    merchantId: 1n,
    kind: 'collection',
    eventType: 'SUCCESSFUL_TRANSACTION',
    body: BODY,
    status: 'PENDING',
    attempts: 0,
    resent: false,
    createdAt: at,
    nextAttemptAt: at,
    leasedUntil: null,
  } as const
  const request: LeaseRequest = { at, leaseSeconds: 20, perEndpointMax: IN_LINE, limit: IN_LINE, rooms: [] }
  // In one transaction, whose writes PostgreSQL counts as they are made.
  const [written] = await inTransaction(db, async (tx) => {
    const ids = Array.from({ length: IN_LINE }, (_, index) => BigInt(index + 1))
    eventTable.insert(
      tx,
      ids.map((id) => ({ ...event, id, refs: [`KOBO|01|20260101000000|${id}`, `order-${id}`] })),
    )
    const leased = await leaseEvents(tx as unknown as Db, { merchants: undefined }, request)
    assert.equal(leased.length, IN_LINE)
    return tx`select n_tup_upd, n_tup_hot_upd from pg_stat_xact_user_tables where relname = 'event'`
  })
  assert.deepEqual(written, { nTupUpd: BigInt(IN_LINE), nTupHotUpd: BigInt(IN_LINE) })
})

const paid = async (client: Client): Promise<void> => {
  await pay(client, await anAccount(client), 5_000)
}
const statuses = async (client: Client): Promise<string[]> => {
  const query = { eventType: 'SUCCESSFUL_TRANSACTION', size: 100 } as const
  return (await client.call(contract.listEvents, { query })).content.map(({ status }) => status)
}

/** A shop whose default endpoint is paused, with two events set aside for it. */
async function aPausedShop(t: Parameters<typeof gateway>[0]) {
  const events = await webhookEndpoint(t, () => 410)
  const shop = await gateway(t)
  const change = (body: contract.Input<typeof contract.changeSettings>['body']) =>
    shop.call(contract.changeSettings, { body })
  await change({ webhookUrl: events.url })
  for (let n = 0; n < 2; n++) {
    await paid(shop)
    await events.count(1)
    await shop.advance(60)
  }
  const stored = async () => {
    const rows = await shop.db<{ status: string }[]>`
      select status from event where event_type = 'SUCCESSFUL_TRANSACTION' order by status`
    return rows.map(({ status }) => status)
  }
  await until('both are set aside', async () => (await stored()).join() === 'PAUSED,PAUSED')
  assert.deepEqual(await statuses(shop), ['PENDING', 'PENDING'])
  assert.equal(events.received.length, 1)
  return { shop, change }
}

test('events that were set aside are sent when their type gets its own URL', async (t) => {
  const { shop, change } = await aPausedShop(t)
  const own = await webhookEndpoint(t)
  await change({ webhookUrls: { collection: own.url } })
  await own.count(2)
  await until('both are delivered', async () => (await statuses(shop)).join() === 'DELIVERED,DELIVERED')
})

test('events that were set aside are not sent without a URL, and are sent once there is one again', async (t) => {
  const { shop, change } = await aPausedShop(t)
  await change({ webhookUrl: null })
  assert.deepEqual(await statuses(shop), ['NOT_SENT', 'NOT_SENT'])
  const again = await webhookEndpoint(t)
  await change({ webhookUrl: again.url })
  await again.count(2)
})

test('events that were set aside for the URL of their type go to the default one when that is cleared', async (t) => {
  const gone = await webhookEndpoint(t, () => 410)
  const others = await webhookEndpoint(t)
  const shop = await gateway(t)
  const change = (body: contract.Input<typeof contract.changeSettings>['body']) =>
    shop.call(contract.changeSettings, { body })
  await change({ webhookUrl: others.url, webhookUrls: { collection: gone.url } })
  await paid(shop)
  await gone.count(1)
  await shop.advance(60)
  await until('it is set aside', async () => (await shop.db`select from event where status = 'PAUSED'`).count === 1)
  await change({ webhookUrls: { collection: null } })
  await until('it is delivered', async () => (await statuses(shop)).join() === 'DELIVERED')
})

test('an endpoint that the previous version resumed gets the events that were set aside', async (t) => {
  const { shop } = await aPausedShop(t)
  const events = await webhookEndpoint(t)
  await shop.db`update webhook_endpoint set url = ${events.url}, paused_at = null where merchant_id = ${shop.merchantId}`
  await events.count(2)
})
