import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { secondsAfter, wallClock } from '../../src/kernel/clock.ts'
import { testWall } from '../harness/clock.ts'
import { gateway } from '../harness/gateway.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { startProgram } from '../harness/processes.ts'
import { checkFailure } from '../harness/responses.ts'
import { anAccount, aTransaction, pay, statusOf } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'
import { webhookEndpoint } from '../harness/webhook-endpoint.ts'

const DAY_SECONDS = 86_400
/** Sweeps run every second, so in this time they would have run often. */
const CHANCE_MILLISECONDS = 4_000

async function aDatabase(t: TestContext): Promise<string> {
  const { url, drop } = await ownDatabase()
  t.after(drop)
  return url
}

for (const [file, ...args] of [['gateway/src/main.ts'], ['cli/src/main.ts', 'merchant', 'list']] as const)
  test(`on a machine with a wrong clock ${file} does nothing and logs the reason`, async (t) => {
    const skewed = new URL('../harness/skewed-clock.ts', import.meta.url).href // As a URL, because a folder name may have a space.
    const { ended, stdout, stderr } = startProgram(t, file, args, {
      DATABASE_URL: await aDatabase(t),
      KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      PORT: '0',
      NODE_OPTIONS: `--import=${skewed}`,
      KOBO_TEST_CLOCK_AHEAD_SECONDS: String(-DAY_SECONDS),
    })
    assert.notEqual(await ended, 0)
    assert.equal(stdout(), '')
    assert.match(stderr(), /^This machine’s clock is 86400\.\d s behind the database’s; .*2 s.*NTP.*\n$/)
  })

slow(
  'a node whose clock jumps neither serves nor sweeps until it is right again, and the other node continues',
  async (t) => {
    const databaseUrl = await aDatabase(t)
    const here = await gateway(t, { databaseUrl })
    let ahead = 0
    const clock = { now: () => new Date(wallClock.now().getTime() + ahead * 1_000) }
    const there = await gateway(t, { databaseUrl, wall: clock, machine: clock })
    const get = async (path: string) => there.send('GET', path)
    const skew = async (): Promise<number> =>
      Number(/^kobo_clock_skew_seconds\{of="database"\} (\S+)$/m.exec((await get('/metrics')).text)?.[1])

    ahead = 1 // as real clocks are
    const account = await anAccount(there)
    assert.equal(Math.round(await skew()), 1)
    assert.equal((await get('/health/ready')).status, 200)

    ahead = DAY_SECONDS
    const response = await there.send('POST', contract.initTransaction.path, { body: aTransaction(there) })
    assert.deepEqual([response.status, checkFailure(response).code], [503, 'NOT_READY'])
    assert.equal(response.headers.get('retry-after'), '5')
    assert.equal((await there.rejected(503, contract.getWalletBalance, {})).code, 'NOT_READY')
    const ready = await get('/health/ready')
    assert.equal(ready.status, 503)
    assert.match(ready.text, /clock is 86400\.\d s ahead of the database’s/)
    assert.equal((await get('/health/live')).status, 200)
    assert.ok((await skew()) > DAY_SECONDS - 1)

    const chance = performance.now() + CHANCE_MILLISECONDS
    await until('its sweeps would have run by now', async () => {
      assert.equal((await statusOf(here, account.transactionReference)).paymentStatus, 'PENDING')
      return performance.now() > chance
    })
    assert.throws(() => there.core.ids.id(), /clock is 86400\.\d s ahead/)
    assert.equal((await pay(here, account, 5_000)).status, 'ACCEPTED')

    ahead = 0
    assert.equal((await get('/health/ready')).status, 200)
    assert.equal((await statusOf(there, account.transactionReference)).paymentStatus, 'PAID')
  },
)

slow('a node’s lease holds until the database’s clock ends it, whatever another node’s clock says', async (t) => {
  const first = Promise.withResolvers<number>()
  t.after(() => first.resolve(200))
  const databaseUrl = await aDatabase(t)
  const here = await gateway(t, { databaseUrl })
  const events = await webhookEndpoint(t, (nth) => (nth === 1 ? first.promise : 200))
  await here.call(contract.changeSettings, { body: { webhookUrls: { collection: events.url } } })
  await pay(here, await anAccount(here), 5_000)
  await events.count(1)

  const hourAhead = { now: () => secondsAfter(testWall.now(), 3_600) }
  const there = await gateway(t, { databaseUrl, wall: hourAhead })
  await there.advance(1)
  const isOver = (await here.db`select from event_attempt where status is null`).count > 0 // possible on a slow machine
  assert.ok(events.received.length === 1 || isOver, 'nothing is sent during another attempt')

  await here.db`update event set leased_until = now() - interval '1 second' where leased_until is not null`
  await there.advance(1)
  assert.equal((await events.count(2)).length, 2)
})
