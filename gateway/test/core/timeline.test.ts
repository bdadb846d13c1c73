import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import pg from 'pg'
import { commandsWith, settings } from '../../../cli/test/commands.ts'
import { BehindTimeline, openTimelineFence } from '../../src/platform/postgres/timeline.ts'
import { ownFolder } from '../harness/clear-up.ts'
import { databaseProxy } from '../harness/database-proxy.ts'
import { gateway, start } from '../harness/gateway.ts'
import { long } from '../harness/long.ts'
import { freePort } from '../harness/ports.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { anAccount, aTransaction, pay } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'
import { aPrimary, queryServer } from '../harness/standby.ts'
import { until } from '../harness/until.ts'

/** A primary and a standby that will be promoted while the primary keeps running, each behind a proxy. */
async function aSplitPair(t: TestContext) {
  const { primary, follow } = await aPrimary(t)
  const standbyUrl = await follow()
  const [former, next] = [await databaseProxy(t, primary.url), await databaseProxy(t, standbyUrl)]
  const { username, password, pathname } = new URL(former.url)
  const hosts = [former.url, next.url].map((url) => new URL(url).host).join(',')
  return {
    primaryUrl: primary.url,
    former,
    next,
    url: `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`,
    promote: () => queryServer(standbyUrl, 'select pg_promote()'),
  }
}

type Sender = Pick<Awaited<ReturnType<typeof gateway>>, 'send'>
const readiness = async ({ send }: Sender) => send('GET', '/health/ready')
const init = async (shop: Awaited<ReturnType<typeof gateway>>) =>
  (await shop.send('POST', contract.initTransaction.path, { body: aTransaction(shop) })).status

long(
  'a former primary that is still writable is not used, also after a restart, until an operator accepts it',
  async (t) => {
    const { former, next, url, promote } = await aSplitPair(t)
    const env = { KOBO_DATA_DIR: ownFolder('timeline') }
    const shop = await gateway(t, { databaseUrl: url, env })
    await pay(shop, await anAccount(shop), 5_000)

    await promote()
    former.disconnect()
    await until('payments are accepted by the new primary', async () => (await init(shop)) === 200)

    // The proxy in front sends traffic back to the server that no one has stopped.
    former.reconnect()
    next.disconnect()
    await until('it is not ready', async () => (await readiness(shop)).status === 503)
    assert.equal(await init(shop), 503)
    assert.match((await readiness(shop)).text, /on timeline 1, and Kobo has already worked on timeline 2/)
    const restarted = start({ databaseUrl: former.url, env })
    await assert.rejects(restarted, (error: Error) => (error.cause ?? error) instanceof BehindTimeline)

    next.reconnect()
    await until('payments are accepted again', async () => (await init(shop)) === 200)

    // A deliberate restore: the newer server is given up.
    next.disconnect()
    const { prints } = commandsWith(settings(former.url, env))
    assert.deepEqual(await prints('database', 'accept-timeline', '--by', 'Ada'), { timeline: 1 })
    await until('the accepted server is used', async () => (await init(shop)) === 200)
    next.reconnect()
    former.disconnect()
    await until('the abandoned server is not used', async () => (await readiness(shop)).text.includes('timeline 2'))
  },
)

slow('a process that still writes to a former primary learns that from its peers, and stops', async (t) => {
  const { former, next, promote } = await aSplitPair(t)
  const port = String(await freePort())
  const alone = await gateway(t, { databaseUrl: former.url, env: { KOBO_DATA_DIR: ownFolder('alone') } })
  const env = { KOBO_DATA_DIR: ownFolder('warned'), KOBO_PEERS: `http://127.0.0.1:${port}` }
  const warned = await gateway(t, { databaseUrl: former.url, env })
  assert.equal(await init(warned), 200)
  await promote()
  await gateway(t, {
    databaseUrl: next.url,
    env: { PORT: port, KOBO_DATA_DIR: ownFolder('ahead'), KOBO_PEERS: alone.url },
  })
  await until('it is not ready', async () => (await readiness(warned)).status === 503)
  assert.equal(await init(warned), 503)
  // A node without peers cannot know that its server is outdated.
  assert.equal((await readiness(alone)).status, 200)
})

slow('a process announces a newer timeline to its peers', async (t) => {
  const { primaryUrl, former, url, promote } = await aSplitPair(t)
  const nobody = `http://127.0.0.1:${await freePort()}`
  const other = await gateway(t, {
    databaseUrl: primaryUrl,
    env: { KOBO_DATA_DIR: ownFolder('other'), KOBO_PEERS: nobody },
  })
  const first = await gateway(t, {
    databaseUrl: url,
    env: { KOBO_DATA_DIR: ownFolder('first'), KOBO_PEERS: other.url },
  })
  assert.equal(await init(other), 200)
  await promote()
  former.disconnect()
  await until('payments are accepted by the new primary', async () => (await init(first)) === 200)
  await until('the other one has learnt it', async () => (await init(other)) === 503)
})

test('a connection to a newer timeline is not used before the timeline is announced', async (t) => {
  const own = await ownDatabase()
  const client = new pg.Client(own.ownerUrl)
  t.after(() => client.end().then(own.drop))
  await client.connect()
  const fence = openTimelineFence({ isOneCluster: true })
  const { promise: announced, resolve: announce } = Promise.withResolvers<void>()
  fence.announceBy(() => announced)
  let isAdmitted = false
  const admitted = fence.admit(client).then(() => {
    isAdmitted = true
  })
  await client.query('select 1') // runs after the fence's own query
  assert.equal(isAdmitted, false)
  announce()
  await admitted
})

/** More WAL than any server has. */
const FAR_AHEAD_BYTES = 2 ** 50

/** A fence that has worked on a database of its own. */
async function aFence(t: TestContext) {
  const own = await ownDatabase()
  const clients: pg.Client[] = []
  t.after(() => Promise.all(clients.map((client) => client.end())).then(own.drop))
  const twoClients = () =>
    Promise.all(
      [1, 2].map(async () => {
        const client = new pg.Client(own.ownerUrl).on('error', () => {})
        clients.push(client)
        await client.connect()
        return client
      }),
    )
  const fence = openTimelineFence({ isOneCluster: true })
  const admitAll = (clients: readonly pg.Client[]) => Promise.all(clients.map(fence.admit))
  await admitAll(await twoClients())
  const [at] = fence.newest()
  assert.ok(at)
  return { twoClients, admitAll, acknowledge: () => fence.acknowledge({ ...at, walBytes: FAR_AHEAD_BYTES }) }
}

test('work that is acknowledged while a connection is checked does not reject the server', async (t) => {
  const { twoClients, admitAll, acknowledge } = await aFence(t)
  const admitted = admitAll(await twoClients())
  acknowledge()
  await admitted
  await assert.rejects(admitAll(await twoClients()), BehindTimeline)
})

test('a restored server is used once an operator accepts it, by all connections', async (t) => {
  const { twoClients, admitAll, acknowledge } = await aFence(t)
  acknowledge()
  const clients = await twoClients()
  await assert.rejects(admitAll(clients), BehindTimeline)
  await clients[0]?.query("insert into accepted_timeline (accepted_at, timeline, accepted_by) values (now(), 1, 'Ada')")
  await admitAll(clients)
  await admitAll(await twoClients())
})
