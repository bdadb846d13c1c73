import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../../src/platform/log.ts'
import { door } from '../harness/door.ts'
import { gateway } from '../harness/gateway.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { anAccount, pay } from '../harness/samples.ts'
import { until } from '../harness/wait.ts'

/** So often somebody has tried to reach a database that is away that every loop of the gateway has. */
const REFUSED_MIN = 100

test('that the database is away is told once, and once that it is back; /metrics says so meanwhile', async (t) => {
  const { url, drop } = await ownDatabase()
  const between = await door(t, url)
  const lines: { readonly level: string; readonly msg: string }[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const shop = await gateway(t, { databaseUrl: between.url, log })
  t.after(drop)
  const measured = async (start: string): Promise<string | undefined> =>
    (await shop.send('GET', '/metrics')).text.split('\n').find((line) => line.startsWith(start))
  const told = (part: string): number => lines.filter(({ msg }) => msg.includes(part)).length
  await pay(shop, await anAccount(shop), 5_000)
  assert.equal(await measured('kobo_database_up{role="program"}'), 'kobo_database_up{role="program"} 1')
  assert.match((await measured('kobo_event_overdue_seconds')) ?? '', / \d/)

  between.shut()
  await until('all have tried', () => between.refusedAt.length > REFUSED_MIN)
  assert.deepEqual([told('the database is away'), told('is back'), told('failed')], [1, 0, 0])
  assert.equal(await measured('kobo_database_up{role="program"}'), 'kobo_database_up{role="program"} 0')
  assert.equal(await measured('kobo_orders{'), undefined, 'what nobody knows is left out')
  assert.match((await measured('kobo_payments_total')) ?? '', /method="ACCOUNT_TRANSFER",status="PAID"\} 1$/)

  between.open()
  await until('it is back', () => told('the database is back') > 0)
  await pay(shop, await anAccount(shop), 5_000)
  assert.deepEqual([told('the database is away'), told('the database is back')], [1, 1])
})
