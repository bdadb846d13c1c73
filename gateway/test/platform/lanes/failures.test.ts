import assert from 'node:assert/strict'
import { openLog } from '../../../src/platform/observability/log.ts'
import { databaseProxy } from '../../harness/database-proxy.ts'
import { gateway } from '../../harness/gateway.ts'
import { ownDatabase } from '../../harness/postgres.ts'
import { anAccount, pay } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'

/** Enough connection attempts that every loop of the gateway has made one. */
const REFUSED_MIN = 100

slow('a database outage is logged once, and so is its end; /metrics reports it meanwhile', async (t) => {
  const { url, drop } = await ownDatabase()
  const between = await databaseProxy(t, url)
  const lines: { readonly level: string; readonly msg: string }[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const shop = await gateway(t, { databaseUrl: between.url, log })
  t.after(drop)
  const measured = async (start: string): Promise<string | undefined> =>
    (await shop.send('GET', '/metrics')).text.split('\n').find((line) => line.startsWith(start))
  const countOf = (part: string): number => lines.filter(({ msg }) => msg.includes(part)).length
  await pay(shop, await anAccount(shop), 5_000)
  assert.equal(await measured('kobo_database_up{role="program"}'), 'kobo_database_up{role="program"} 1')
  assert.match((await measured('kobo_event_overdue_seconds')) ?? '', / \d/)

  between.disconnect()
  await until('all loops have tried', () => between.rejectedAt.length > REFUSED_MIN)
  assert.deepEqual([countOf('database unavailable'), countOf('restored'), countOf('failed')], [1, 0, 0])
  assert.equal(await measured('kobo_database_up{role="program"}'), 'kobo_database_up{role="program"} 0')
  assert.equal(await measured('kobo_orders{'), undefined, 'unknown values are omitted')
  assert.match((await measured('kobo_payments_total')) ?? '', /method="ACCOUNT_TRANSFER",status="PAID"\} 1$/)

  between.reconnect()
  await until('the recovery is logged', () => countOf('database connection restored') > 0)
  await pay(shop, await anAccount(shop), 5_000)
  assert.deepEqual([countOf('database unavailable'), countOf('database connection restored')], [1, 1])
})
