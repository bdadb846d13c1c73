import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import pg from 'pg'
import { countOutside, keepingPartitions } from '../../src/core/partitions.ts'
import { secondsAfter, wallClock } from '../../src/kernel/clock.ts'
import { type Db, inTransaction, openDatabase } from '../../src/platform/postgres/db.ts'
import { gateway, type TestGateway } from '../harness/gateway.ts'
import { asOwner, ownDatabase, urlsOf } from '../harness/postgres.ts'
import { anAccount, pay } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'
import { webhookEndpoint } from '../harness/webhook-endpoint.ts'

const DAY_SECONDS = 86_400

const partitionsOf = async (db: Db, table: string): Promise<readonly string[]> => {
  const rows = await db<{ name: string }[]>`
    select partition::text as name from partitions_of(${table}) order by catches_all, upper_id`
  return rows.map(({ name }) => name)
}

/** A partition that is locked is dropped by the next run. */
const isDropped = ({ db }: TestGateway, table: string, partition: string): Promise<void> =>
  until(`${partition} is dropped`, async () => !(await partitionsOf(db, table)).includes(partition))

/** Sends a request with this id; returns the partition that has it. */
async function partitionOfRequest(shop: TestGateway, requestId: string): Promise<string> {
  await shop.send('GET', contract.listBanks.path, { headers: { 'x-request-id': requestId } })
  const found = () => shop.db<{ name: string }[]>`
    select tableoid::regclass::text as name from request_log where request_id = ${requestId}`
  await until('the request is logged', async () => (await found()).length === 1)
  return (await found())[0]?.name ?? ''
}

slow('growing tables are partitioned by time: partitions are created ahead, and retention drops them', async (t) => {
  const shop = await gateway(t, { env: { KOBO_KEEP_DAYS: 'events=0,attempts=10,requests=3' } })
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: events.url } } })
  await pay(shop, await anAccount(shop), 5_000)
  await events.count(1)
  const paid = async () => {
    const { content } = await shop.call(contract.listEvents, {
      query: { eventType: 'SUCCESSFUL_TRANSACTION', size: 50 },
    })
    return content.at(-1) ?? assert.fail('the event is still stored')
  }
  await until('the attempt is stored', async () => (await paid()).attempts.length === 1)
  const first = await partitionOfRequest(shop, 'first')
  const [oldest = ''] = await partitionsOf(shop.db, 'event_attempt')

  for (const day of [1, 2, 3]) {
    await shop.advance(DAY_SECONDS)
    const made = shop.core.clock.now().toISOString().slice(0, 10).replaceAll('-', '')
    assert.equal(await partitionOfRequest(shop, `day-${day}`), `partitions.request_log_${made}`)
  }
  const before = await partitionsOf(shop.db, 'request_log')
  assert.ok(before.includes(first))
  await shop.advance(2 * DAY_SECONDS)
  await isDropped(shop, 'request_log', first)
  assert.deepEqual([...(await shop.db`select from request_log where request_id = 'first'`)], [])
  assert.equal(
    (await shop.db`select from request_log where request_id = 'day-3'`).count,
    1,
    'nothing is dropped too early',
  )
  assert.equal((await paid()).attempts.length, 1)

  // Longer than the attempts are kept, and past the partitions that were created ahead.
  await shop.advance(45 * DAY_SECONDS)
  await isDropped(shop, 'event_attempt', oldest)
  const { attempts, status, id } = await paid()
  assert.deepEqual([attempts, status], [[], 'DELIVERED'], 'its outcome is kept')

  // The partition for this event's attempts is gone, but a new attempt is stored all the same, and dropped with the
  // next partition.
  await shop.call(contract.resendEvent, { params: { id } })
  await until('it was resent', async () => (await paid()).attempts.length === 1)
  await shop.advance(2 * DAY_SECONDS)
  assert.deepEqual((await paid()).attempts, [])
})

slow('rows that arrive before their partition are moved into it, and reported until then', async (t) => {
  const shop = await gateway(t)
  await inTransaction(shop.db, async (tx) => {
    await tx`
      insert into request_log (merchant_id, id, at, method, route, status, outcome, microseconds, request_id, address)
      select ${shop.merchantId}, first_id_at(${shop.core.clock.now()}::timestamptz + interval '20 days') + n, now(), 'GET', '/', 200, 'SUCCEEDED', 1, 'early', '::1'
        from generate_series(1, 3) n`
  })
  const where = () => shop.db<{ name: string; count: number }[]>`
    select tableoid::regclass::text as name, count(*)::int as count from request_log where request_id = 'early' group by 1`
  assert.deepEqual([...(await where())], [{ name: 'partitions.request_log_rest', count: 3 }])
  const outside = async () => new Map(await countOutside(shop.db)).get('request_log')
  await until('PostgreSQL has counted them', async () => (await outside()) === 3)
  await shop.advance(20 * DAY_SECONDS)
  const day = shop.core.clock.now().toISOString().slice(0, 10).replaceAll('-', '')
  await until('they are in their partition', async () => (await where())[0]?.name === `partitions.request_log_${day}`)
  assert.deepEqual([...(await where())], [{ name: `partitions.request_log_${day}`, count: 3 }])
})

test('the program creates and drops partitions of these tables only, and in live mode no recent ones', async (t) => {
  const own = await ownDatabase()
  const [program, vault] = [openDatabase(own.url, 1), openDatabase(urlsOf(own.url).vault, 1)]
  t.after(async () => {
    await Promise.all([program.end(), vault.end()])
    await own.drop()
  })
  const rejected = (result: Promise<unknown>, why: RegExp) => assert.rejects(result, why)
  const made = await partitionsOf(program, 'request_log')
  assert.ok(made.length >= 3)
  for (const table of ['journal', 'audit', 'event', 'nothing']) {
    await rejected(program`select make_partitions(${table}, now(), 1)`, /no partitions are made of/)
    await rejected(program`select drop_partitions(${table}, now(), 10)`, /no partitions are dropped of/)
  }
  await rejected(program`select make_partitions('request_log', now(), 11)`, /for 11 periods/)
  await rejected(program`drop table partitions.request_log`, /permission denied/)
  await rejected(program`select from partitions.request_log`, /permission denied/)
  await rejected(program`alter table request_log detach partition partitions.request_log`, /must be owner|permission/)
  await rejected(vault`select drop_partitions('request_log', now(), 10)`, /permission denied/)

  await asOwner(own.url, `insert into environment (name) values ('live')`)
  await rejected(program`select drop_partitions('request_log', now(), 10)`, /within a day stays/)
  await program`select drop_partitions('request_log', now() - interval '25 hours', 10)`
  assert.deepEqual(await partitionsOf(program, 'request_log'), made)
})

test('a locked partition waits for the next run, and a clock somewhat ahead of the database’s fails nothing', async (t) => {
  const own = await ownDatabase()
  const [program, holder] = [openDatabase(own.url, 1), new pg.Client(own.ownerUrl)]
  await holder.connect()
  t.after(async () => {
    await Promise.all([program.end(), holder.end()])
    await own.drop()
  })
  const ahead = secondsAfter(wallClock.now(), 1)
  await keepingPartitions(program, { request_log: 1, event_attempt: 1 }).run(ahead, 1)

  const made = await partitionsOf(program, 'request_log')
  const keeping = keepingPartitions(program, { request_log: 7, event_attempt: 0 })
  const tomorrow = secondsAfter(ahead, DAY_SECONDS)
  await holder.query('begin')
  await holder.query('lock table partitions.request_log_rest in access share mode')
  await keeping.run(tomorrow, 1)
  assert.deepEqual(await partitionsOf(program, 'request_log'), made)
  await holder.query('rollback')
  await keeping.run(tomorrow, 1)
  assert.equal((await partitionsOf(program, 'request_log')).length, made.length + 1)
})
