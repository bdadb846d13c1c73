import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import pg from 'pg'
import { sandbox } from '../../../connectors/test/connectors.ts'
import { ownFolder } from '../harness/clear-up.ts'
import { databaseProxy } from '../harness/database-proxy.ts'
import { basic, gateway } from '../harness/gateway.ts'
import { long } from '../harness/long.ts'
import { freePort } from '../harness/ports.ts'
import { asOwner, ownDatabase } from '../harness/postgres.ts'
import { command, type Program, startProgram } from '../harness/processes.ts'
import { checkFailure } from '../harness/responses.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'
import { RAILS_SECRET } from '../rails/adapter.ts'

const KEYS = {
  KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  KOBO_MASTER_KEY_NEXT: Buffer.alloc(32, 8).toString('base64'),
}
/** The insecure settings that a live gateway on one machine needs. */
const ON_ONE_MACHINE = 'plain-http,plain-public-url,no-rails,plain-rails,no-mail'
const WRONG_ENVIRONMENT =
  /^This database is (live|a sandbox), but this program was started as (live|a sandbox)\. Nothing was changed\. Set KOBO_ENVIRONMENT=(live|sandbox), or use another database\.\n$/

/** A database of the test's own with a merchant, and the settings to open it as either environment. */
async function aDatabaseOf(t: TestContext, environment: 'sandbox' | 'live') {
  const { ownerUrl: url, drop } = await ownDatabase()
  const admin = new pg.Client(url)
  await admin.connect()
  t.after(async () => {
    await admin.end()
    await drop()
  })
  const as = (opened: 'sandbox' | 'live'): NodeJS.ProcessEnv => ({
    ...KEYS,
    PORT: '0',
    DATABASE_URL: url,
    KOBO_ENVIRONMENT: opened,
    KOBO_ALLOW: ON_ONE_MACHINE,
  })
  const created = await command(as(environment), 'merchant', 'create', '--name', 'Ada', '--email', 'ada@example.com')
  assert.equal(created.code, 0, created.stderr)
  return { admin, as, credentials: JSON.parse(created.stdout) }
}

/** Every trace that a program could leave in a database: its tables, and the writes to each. */
async function writesIn(admin: pg.Client): Promise<unknown> {
  const { rows } = await admin.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`,
  )
  const counts: Record<string, unknown> = {}
  for (const { name } of rows) counts[name] = (await admin.query(`select t::text from ${name} t order by 1`)).rows
  return counts
}

/** Waits for a program to end, or for the line that it has started after all. */
async function failsToStart(program: Program): Promise<Program> {
  let code: number | NodeJS.Signals | undefined
  void program.ended.then((ended) => (code = ended))
  await until('it ends', () => code !== undefined || /is ready/.test(program.stdout()))
  assert.equal(code, 1, program.stdout())
  return program
}

const COMMANDS: readonly (readonly string[])[] = [
  ['credentials'],
  ['listen'],
  ['merchant', 'list'],
  ['merchant', 'create', '--name', 'Eve', '--email', 'eve@example.com'],
  ['merchant', 'rotate-secret', '--merchant', 'ABCDEFGHIJKL'],
  ['orders', 'list'],
  ['price', 'list'],
  ['price', 'set', 'refund', '--flat', '0'],
  ['keys', 'rotate'],
  ['ledger', 'verify'],
]

for (const [is, opened] of [
  ['live', 'sandbox'],
  ['sandbox', 'live'],
] as const) {
  const either = is === 'live' ? long : slow
  either(
    `a ${is} database opens for no program that was started as ${opened}, and nothing in it changes`,
    async (t) => {
      const { admin, as, credentials } = await aDatabaseOf(t, is)
      const before = await writesIn(admin)
      const served = await failsToStart(startProgram(t, 'gateway/src/main.ts', [], as(opened)))
      assert.doesNotMatch(served.stdout(), /MK_|[Ss]ecret/)
      assert.match(served.stderr(), WRONG_ENVIRONMENT)
      const measured = await failsToStart(startProgram(t, 'bench/src/gateway.ts', [], as(opened)))
      assert.match(measured.stderr(), /This database is /)
      for (const words of COMMANDS) {
        const { code, stdout, stderr } = await command(as(opened), ...words)
        assert.deepEqual([code, stdout], [1, ''], words.join(' '))
        assert.match(stderr, WRONG_ENVIRONMENT)
        assert.ok(!stderr.includes(credentials.secretKey))
      }
      assert.deepEqual(await writesIn(admin), before)
    },
  )
}

test('in live mode, migrating and verifying the ledger need no master key and no settings of the gateway; others do', async (t) => {
  const { as } = await aDatabaseOf(t, 'live')
  const env = { KOBO_ENVIRONMENT: 'live', DATABASE_URL: as('live')['DATABASE_URL'] }
  for (const words of [['migrate'], ['ledger', 'verify'], ['ledger', 'safeguarding']]) {
    const { code, stderr } = await command(env, ...words)
    assert.equal(code, 0, stderr)
  }
  const folder = ownFolder('keyless')
  const { code, stderr } = await command({ ...env, KOBO_DATA_DIR: folder }, 'merchant', 'list')
  assert.deepEqual([code, stderr.includes('KOBO_MASTER_KEY is required in live mode')], [1, true], stderr)
})

slow('a live gateway that starts while the database is away is alive, and serves once it is back', async (t) => {
  const { as } = await aDatabaseOf(t, 'live')
  const database = await databaseProxy(t, as('live')['DATABASE_URL'] ?? '')
  database.disconnect()
  const env = { ...as('live'), DATABASE_URL: database.url, PORT: String(await freePort()) }
  const statusOf = async (path: string): Promise<number | undefined> =>
    (await fetch(`http://127.0.0.1:${env.PORT}${path}`).catch(() => undefined))?.status

  const program = startProgram(t, 'gateway/src/main.ts', [], env)
  await until('it is alive', async () => (await statusOf('/health/live')) === 200)
  assert.deepEqual(await Promise.all(['/health/ready', '/api/v1/banks'].map(statusOf)), [503, 503])
  assert.match(program.stdout(), /"reason":"The database is unavailable: .*database unavailable; start waits for it/)
  database.reconnect()
  await until('it is ready', async () => (await statusOf('/health/ready')) === 200)

  database.disconnect()
  const stopped = startProgram(t, 'gateway/src/main.ts', [], { ...env, PORT: '0' })
  await until('it waits', () => stopped.stdout().includes('waits for it'))
  stopped.child.kill('SIGTERM')
  assert.equal(await stopped.ended, 0, stopped.stderr())
})

test('a database’s environment is set once, and a merchant of the other one cannot be written into it', async (t) => {
  const { admin, credentials } = await aDatabaseOf(t, 'live')
  await assert.rejects(admin.query(`update environment set name = 'sandbox'`), /said once/)
  await assert.rejects(admin.query('delete from environment'), /said once/)
  await assert.rejects(admin.query('truncate environment'), /said once/)
  await assert.rejects(admin.query(`insert into environment (name) values ('sandbox')`), /environment_pkey/)
  const asPlay = `update merchant set api_key = 'MK_TEST_ABCDEFGHIJ' where api_key = '${credentials.apiKey}'`
  await assert.rejects(admin.query(asPlay), /the database is for the other environment than the API key MK_TEST_/)
})

test('a key of the other environment opens nothing, though it was in the database before', async (t) => {
  const live = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
  const { credentials } = await live.anotherMerchant()
  const logIn = async (apiKey: string) =>
    live.send('POST', contract.login.path, {
      headers: { authorization: basic({ apiKey, secretKey: credentials.secretKey }) },
    })
  assert.equal((await logIn(credentials.apiKey)).status, 200)

  const played = credentials.apiKey.replace('PROD', 'TEST')
  await asOwner(live.databaseUrl, 'alter table merchant disable trigger merchant_of_this_environment')
  await live.db`update merchant set api_key = ${played} where api_key = ${credentials.apiKey}`
  const rejected = await logIn(played)
  assert.equal(rejected.status, 401)
  checkFailure(rejected)
})

slow(
  'a live gateway lists all insecure settings at once, touches nothing, and starts with those allowed by name, each with a warning',
  async (t) => {
    const { url, drop } = await ownDatabase()
    t.after(drop)
    const folder = join(ownFolder('careless'), 'never-made')
    const careless = {
      PORT: '0',
      HOST: '127.0.0.1',
      KOBO_DATA_DIR: folder,
      KOBO_ENVIRONMENT: 'live',
      KOBO_RAILS_URL: 'http://127.0.0.1:9/rails',
      KOBO_RAILS_SECRET: RAILS_SECRET,
      SMTP_URL: 'smtp://127.0.0.1:9',
      KOBO_RATE_LIMIT: '0',
    }
    const rejected = await failsToStart(startProgram(t, 'gateway/src/main.ts', [], careless))
    assert.equal(rejected.stdout(), '')
    const lines = rejected.stderr().trim().split('\n')
    assert.deepEqual(
      lines.slice(1).map((line) => /KOBO_ALLOW=([\w-]+)/.exec(line)?.[1] ?? line.trim().split(' ')[0]),
      [
        'KOBO_MASTER_KEY',
        'embedded-database',
        'plain-http',
        'plain-public-url',
        'plain-rails',
        'plain-mail',
        'no-rate-limit',
      ],
    )
    await assert.rejects(stat(folder), { code: 'ENOENT' })

    const allowed = ['plain-http', 'plain-public-url', 'plain-rails', 'plain-mail', 'plain-receivers', 'no-rate-limit']
    const env = { ...careless, ...KEYS, DATABASE_URL: url, KOBO_ALLOW: allowed.join(',') }
    for (const time of ['first', 'second']) {
      const started = startProgram(t, 'gateway/src/main.ts', [], env)
      await started.says(/^Kobo is ready at (\S+)/m)
      const warned = [...started.stdout().matchAll(/"level":"warn".*"allowed":"([\w-]+)"/g)].map(([, name]) => name)
      assert.deepEqual(warned, allowed, `at the ${time} start`)
      started.child.kill('SIGTERM')
      assert.equal(await started.ended, 0, started.stderr())
    }
  },
)

slow(
  'a live gateway does not start with an adapter that only simulates payments, unless that is allowed',
  async (t) => {
    const adapter = await sandbox(t)
    const { as } = await aDatabaseOf(t, 'live')
    const env = { ...as('live'), HOST: '127.0.0.1', KOBO_RAILS_URL: adapter.url, KOBO_RAILS_SECRET: RAILS_SECRET }
    const rejected = await failsToStart(startProgram(t, 'gateway/src/main.ts', [], env))
    assert.match(
      rejected.stderr(),
      /^KOBO_RAILS_URL has an adapter that only simulates payments: .* \(KOBO_ALLOW=simulated-rails allows it\)\n$/,
    )
    const allowing = { ...env, KOBO_ALLOW: `${ON_ONE_MACHINE},simulated-rails` }
    const started = startProgram(t, 'gateway/src/main.ts', [], allowing)
    await started.says(/^Kobo is ready at (\S+)/m)
    assert.match(started.stdout(), /"level":"warn".*"allowed":"simulated-rails"/)
  },
)

slow('live sends events to https URLs only, and warns at every start of a plain one that was set before', async (t) => {
  const { admin, as } = await aDatabaseOf(t, 'live')
  const [{ code }] = JSON.parse((await command(as('live'), 'merchant', 'list')).stdout)
  const set = (env: NodeJS.ProcessEnv, url: string) =>
    command(env, 'merchant', 'webhook', '--merchant', code, '--url', url)
  const rejected = await set(as('live'), 'http://shop.example.com/events')
  assert.equal(rejected.code, 2)
  assert.match(rejected.stderr, /^webhookUrl must be an https URL in live mode/)
  assert.deepEqual((await admin.query('select url from webhook_endpoint')).rows, [])
  assert.equal((await set(as('live'), 'https://shop.example.com/events')).code, 0)

  const lenient = { ...as('live'), KOBO_ALLOW: `${ON_ONE_MACHINE},plain-receivers`, KOBO_RECEIVER_PORTS: '80,443' }
  assert.equal((await set(lenient, 'http://shop.example.com/events')).code, 0)
  const started = startProgram(t, 'gateway/src/main.ts', [], { ...as('live'), HOST: '127.0.0.1' })
  await started.says(/^Kobo is ready at (\S+)/m)
  assert.match(started.stdout(), new RegExp(`"level":"warn".*"merchants":\\["${code}"\\].*http://`))
})
