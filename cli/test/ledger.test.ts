import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { progressBar } from '../../gateway/src/platform/formats/progress-bar.ts'
import type { Db } from '../../gateway/src/platform/postgres/db.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { gateway } from '../../gateway/test/harness/gateway.ts'
import { ownDatabase } from '../../gateway/test/harness/postgres.ts'
import { command } from '../../gateway/test/harness/processes.ts'
import { anAccount, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { aPrimary } from '../../gateway/test/harness/standby.ts'
import { tamperWith } from '../../gateway/test/harness/tamper.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aGateway } from './commands.ts'

const HOUR_SECONDS = 3_600

const verify = async (databaseUrl: string, ...options: readonly string[]) =>
  command({ DATABASE_URL: databaseUrl }, 'ledger', 'verify', ...options)

/** The JSON output of ledger verify. */
async function verdictOf(databaseUrl: string, ...options: readonly string[]) {
  const { code, stdout, stderr } = await verify(databaseUrl, '--json', ...options)
  assert.equal(stderr, '')
  return { code, ...(JSON.parse(stdout) as { clean: boolean; isWhole: boolean; journals: number }) }
}

/** Everything that a verification could write to the database. */
const tracesIn = async (db: Db): Promise<string> => {
  const [traces] = await db<{ traces: string }[]>`
    select json_build_object(
             'nodes', (select count(*) from node),
             'proofs', (select count(*) from ledger_proof),
             'clean', (select json_agg(c) from ledger_last_clean c),
             'migrations', (select count(*) from schema_migration))::text as traces`
  return traces?.traces ?? ''
}

test('ledger verify reports a correct ledger, then checks only new journals, and with --all everything', async (t) => {
  const { shop, run, prints } = await aGateway(t)
  for (let n = 0; n < 3; n++) await pay(shop, await anAccount(shop), 5_000)
  await shop.advance(HOUR_SECONDS)
  await pay(shop, await anAccount(shop), 5_000)
  const first = await run('ledger', 'verify', '--table')
  assert.deepEqual([first.code, first.stderr], [0, ''])
  assert.match(first.stdout, /^The ledger is correct: 1 merchants, .* from the beginning\.\n$/)
  assert.match((await run('ledger', 'verify', '--table')).stdout, /since the last checkpoint\.\n$/)
  const [since, whole] = [
    await prints('ledger', 'verify', '--json'),
    await prints('ledger', 'verify', '--all', '--json'),
  ]
  assert.deepEqual([since.clean, since.isWhole, whole.isWhole], [true, false, true])
  assert.ok(since.journals < whole.journals)
})

test('the time of the last clean verification is stored and measured, and does not move on errors', async (t) => {
  const { shop, run } = await aGateway(t)
  const measured = async (): Promise<readonly string[]> =>
    (await shop.send('GET', '/metrics')).text
      .split('\n')
      .filter((line) => line.startsWith('kobo_ledger_last_clean_timestamp_seconds{'))
  assert.deepEqual(await measured(), [])
  await run('ledger', 'verify')
  const whole = await measured()
  assert.equal(whole.length, 2)
  await run('ledger', 'verify')
  const since = await measured()
  assert.notEqual(since[0], whole[0])
  assert.equal(since[1], whole[1], 'the whole was not looked at')
  await tamperWith(shop.db, 'clearing/funding', 1)
  assert.equal((await run('ledger', 'verify')).code, 1)
  assert.deepEqual(await measured(), since)
})

test('ledger verify prints errors as a table with merchant and reference, exit code 1', async (t) => {
  const { shop, run } = await aGateway(t)
  await pay(shop, await anAccount(shop), 5_000)
  await tamperWith(shop.db, 'fees/collection', 7)
  const { code, stdout } = await run('ledger', 'verify', '--table')
  assert.equal(code, 1)
  const [merchant] = await shop.db<{ code: string }[]>`select code from merchant`
  const lines = stdout.split('\n')
  assert.match(lines[0] ?? '', /^MERCHANT +REFERENCE +ERROR$/)
  assert.match(
    lines[1] ?? '',
    new RegExp(`^${merchant?.code} +fees/collection +account fees/collection holds \\d+, its moves`),
  )
  assert.match(stdout, /^1 ledger error\. All balances sum to 7 kobo/m)
})

test('a database that is older than the program is not changed, and the error says why', async (t) => {
  const { url, ownerUrl, drop } = await ownDatabase()
  t.after(drop)
  const client = new pg.Client(ownerUrl)
  await client.connect()
  await client.query('delete from schema_migration where version > (select min(version) from schema_migration)')
  const { code, stdout, stderr } = await verify(url)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^The database is older than this program: it lacks \d{12}_merchants\.sql/)
  const { rows } = await client.query('select count(*)::int from schema_migration')
  assert.equal(rows[0].count, 1)
  await client.end()
})

test('a read-only session is enough: no migration, no node number, and the checkpoint is in a file', async (t) => {
  const shop = await gateway(t)
  await pay(shop, await anAccount(shop), 5_000)
  await shop.advance(HOUR_SECONDS)
  await pay(shop, await anAccount(shop), 5_000)
  const url = new URL(shop.databaseUrl)
  url.searchParams.set('options', '-c timezone=UTC -c default_transaction_read_only=on')
  const before = await tracesIn(shop.db)
  await leavesNoTrace(url.href)
  assert.equal(await tracesIn(shop.db), before)
  await tamperWith(shop.db, 'payable', 1)
  assert.equal((await verify(url.href)).code, 1)
})

/** Verifies two hours of journals with a read-only session: all, all again, then from the checkpoint file. */
async function leavesNoTrace(url: string): Promise<void> {
  const whole = await verdictOf(url)
  assert.deepEqual([whole.code, whole.clean, whole.isWhole], [0, true, true])
  assert.equal((await verdictOf(url)).isWhole, true, 'nothing was kept')
  const file = join(ownFolder('proof'), 'checkpoint')
  assert.equal((await verdictOf(url, '--checkpoint', file)).isWhole, true)
  assert.ok(existsSync(file))
  const since = await verdictOf(url, '--checkpoint', file)
  assert.deepEqual([since.code, since.isWhole], [0, false])
  assert.ok(since.journals < whole.journals)
  assert.equal((await verdictOf(url, '--checkpoint', file, '--all')).isWhole, true)
}

slow('ledger verify works on a standby while the primary takes payments', async (t) => {
  const { primary, follow } = await aPrimary(t)
  const shop = await gateway(t, { databaseUrl: primary.url })
  await pay(shop, await anAccount(shop), 5_000)
  await shop.advance(HOUR_SECONDS)
  await pay(shop, await anAccount(shop), 5_000)
  const standbyUrl = await follow()
  await leavesNoTrace(standbyUrl)

  for (let n = 0; n < 5; n++) {
    const [{ code }] = await Promise.all([verdictOf(standbyUrl), pay(shop, await anAccount(shop), 100)])
    assert.equal(code, 0)
  }
  await tamperWith(shop.db, 'payable', 1)
  await until(
    'the damage has reached the standby and is found there',
    async () => (await verify(standbyUrl)).code === 1,
  )
})

test('a progress bar is shown in a terminal', () => {
  const written: string[] = []
  const bar = progressBar((text) => void written.push(text), 'Proving', 'merchants')
  bar.show(0, 2)
  bar.show(1, 2)
  bar.show(1, 2)
  bar.show(2, 2, ', all')
  bar.clear()
  assert.deepEqual(written, [
    `\rProving [${' '.repeat(30)}]   0 %  0 of 2 merchants`,
    `\rProving [${'█'.repeat(15)}${' '.repeat(15)}]  50 %  1 of 2 merchants`,
    `\rProving [${'█'.repeat(30)}] 100 %  2 of 2 merchants, all`,
    `\r${' '.repeat(`Proving [${'█'.repeat(30)}] 100 %  2 of 2 merchants, all`.length)}\r`,
  ])
})

test('ledger partners sums over all merchants, and all balances together are zero', async (t) => {
  const { shop, prints } = await aGateway(t)
  await pay(shop, await anAccount(shop, { amount: 9_000 }), 9_000)
  const [simulated, unnamed] = await prints('ledger', 'partners')
  const none = { suspense: '0.00', costs: '0.00' }
  assert.deepEqual(simulated, {
    partner: 'simulated',
    held: '9000.00',
    byRail: { 'bank-transfer': '9000.00' },
    ...none,
  })
  assert.deepEqual(unnamed, { partner: null, held: '10000000.00', byRail: { funding: '10000000.00' }, ...none })
})
