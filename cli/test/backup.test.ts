import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFileSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { freePorts, installedPostgres, postgresAccount, runTool, startTool } from '../../deploy/test/tools.ts'
import { connectionOf } from '../../gateway/src/platform/postgres/tools.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { gateway, type Shop, start } from '../../gateway/test/harness/gateway.ts'
import { command } from '../../gateway/test/harness/processes.ts'
import { anAccount, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'

const TOOLS = installedPostgres()
const skip = TOOLS === undefined && 'PostgreSQL’s own programs are not installed (Debian: postgresql)'
const tools = TOOLS ?? ''
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

/** Starts a PostgreSQL of the test's own on an existing data folder. */
async function serverOn(t: TestContext, cluster: string): Promise<{ readonly url: string; readonly port: number }> {
  const [port = 0] = await freePorts(1)
  const output = startTool(
    t,
    join(tools, 'postgres'),
    ...['-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-D', cluster],
  )
  const url = `postgres://owner@127.0.0.1:${port}/postgres`
  await until(
    `PostgreSQL answers: ${output()}`,
    async () => (await queryRows(url, 'select 1').catch(() => [])).length > 0,
  )
  return { url, port }
}

async function queryRows(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(statement)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

const countOf = async (url: string, table: string): Promise<number> =>
  Number((await queryRows(url, `select count(*) from ${table}`))[0]?.['count'])

function run(folder: string, tool: string, ...args: readonly string[]): void {
  const { code, output } = runTool(folder, join(tools, tool), ...args)
  assert.equal(code, 0, output)
}

/** Creates folders owned by PostgreSQL's account. */
function places(): Readonly<Record<'home' | 'cluster' | 'base' | 'archive', string>> {
  const home = ownFolder('backup')
  const [cluster, base, archive] = ['cluster', 'base', 'archive'].map((name) => join(home, name))
  const all = { home, cluster: cluster ?? '', base: base ?? '', archive: archive ?? '' }
  for (const folder of [all.cluster, all.archive]) mkdirSync(folder, { mode: 0o700 })
  if (process.getuid?.() === 0)
    for (const folder of Object.values(all).filter((path) => path !== all.base))
      chownSync(folder, postgresAccount().uid, postgresAccount().gid)
  return all
}

const pays = async (shop: Shop, times: number): Promise<void> => {
  for (let nth = 0; nth < times; nth++) await pay(shop, await anAccount(shop), 5_000)
}

const settingsOf = (url: string) => ({ DATABASE_URL: url, KOBO_MASTER_KEY: MASTER_KEY })

async function proven(url: string): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await command(settingsOf(url), 'ledger', 'verify', '--all')
  assert.equal(code, 0, stdout + stderr)
  return JSON.parse(stdout)
}

slow(
  'a backup made during payments restores to a verified ledger; WAL archiving restores any point in time',
  {
    skip,
  },
  async (t) => {
    const { home, cluster, base, archive } = places()
    run(home, 'initdb', '--username=owner', '--auth=trust', '--no-sync', '-D', cluster)
    appendFileSync(
      join(cluster, 'postgresql.conf'),
      `archive_mode = on\narchive_command = 'cp %p ${archive}/%f'\nfsync = off\n`,
    )
    const first = await serverOn(t, cluster)
    await queryRows(first.url, 'create database kobo')
    const url = first.url.replace('/postgres', '/kobo')
    const shop = await gateway(t, { databaseUrl: url })
    await pays(shop, 3)

    // During payments: a backup, and a base backup for point-in-time recovery.
    const folder = join(ownFolder('backups'), 'monday')
    const more = pays(shop, 5)
    const { code, stdout, stderr } = await command(settingsOf(url), 'backup', folder, '--tools', tools)
    assert.equal(code, 0, stderr)
    const nowhere = await command(settingsOf(url), 'backup', join(folder, 'absent', 'monday'), '--tools', tools)
    assert.match(nowhere.stderr, /absent does not exist: create it first\.\n$/)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    assert.ok(JSON.parse(stdout).tables > 50)
    await more
    run(
      home,
      'pg_basebackup',
      '-h',
      '127.0.0.1',
      '-p',
      String(first.port),
      '-U',
      'owner',
      '--checkpoint=fast',
      '-D',
      base,
    )

    await pays(shop, 2)
    const paid = await countOf(url, 'payment')
    assert.equal(paid, 10)
    const [moment] = await queryRows(url, `select clock_timestamp()::text as at`)
    await pays(shop, 4) // lost by going back in time
    const [wal] = await queryRows(url, 'select pg_walfile_name(pg_switch_wal()) as file')
    await until('the archive has it', () => readdirSync(archive).includes(String(wal?.['file'])))

    // Point-in-time recovery.
    appendFileSync(
      join(base, 'postgresql.conf'),
      `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${moment?.['at']}'\nrecovery_target_action = promote\narchive_mode = off\n`,
    )
    writeFileSync(join(base, 'recovery.signal'), '')
    const second = await serverOn(t, base)
    const brought = second.url.replace('/postgres', '/kobo')
    await until('the backup has progressed', async () =>
      (await queryRows(brought, 'select pg_is_in_recovery() as is')).every((row) => row['is'] === false),
    )
    assert.equal(await countOf(brought, 'payment'), paid, 'all that was paid before the moment, and nothing after it')
    assert.equal((await proven(brought))['clean'], true)

    // Restore the backup into an empty database.
    await queryRows(second.url, 'create database restored')
    const restored = second.url.replace('/postgres', '/restored')
    const again = await command(settingsOf(restored), 'restore', folder, '--tools', tools)
    assert.equal(again.code, 0, again.stderr)
    const reported = JSON.parse(again.stdout)
    assert.deepEqual([reported.clean, reported.books.wrong, reported.audit.wrong], [true, 0, []])
    const payments = await countOf(restored, 'payment')
    assert.ok(payments >= 3 && payments <= 8, `${payments} were paid when it was made`)
    const running = await start({ databaseUrl: restored })
    await running.close()

    const rejected = await command(settingsOf(restored), 'restore', folder, '--tools', tools)
    assert.equal(rejected.code, 1)
    assert.match(rejected.stderr, /^The database is not empty\. Nothing was restored/)
    await rejectsDamaged(second.url, folder)
  },
)

/** Expects a changed backup, or one of the other environment, to be rejected with the database left empty. */
async function rejectsDamaged(server: string, folder: string): Promise<void> {
  await queryRows(server, 'create database untouched')
  const url = server.replace('/postgres', '/untouched')
  const live = { ...settingsOf(url), KOBO_ENVIRONMENT: 'live', KOBO_ALLOW: 'plain-database' }
  const other = await command(live, 'restore', folder, '--tools', tools)
  assert.match(other.stderr, /^This is a sandbox backup: set KOBO_ENVIRONMENT=sandbox/)
  const noRole = { ...settingsOf(url.replace('//owner', '//absent')), KOBO_MIGRATION_DATABASE_URL: url }
  assert.match((await command(noRole, 'restore', folder, '--tools', tools)).stderr, /absent/)
  const [some = ''] = readdirSync(folder).filter((name) => name.endsWith('.gz'))
  appendFileSync(join(folder, some), 'x')
  const damaged = await command(settingsOf(url), 'restore', folder, '--tools', tools)
  assert.equal(damaged.code, 1)
  assert.match(damaged.stderr, new RegExp(`^${some} in .* has changed since the backup\\. Nothing was restored\\.`))
  // A new hash in the manifest does not hide it: the manifest is signed.
  const path = join(folder, 'manifest.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { files: Record<string, string> }
  manifest.files[some] = createHash('sha256')
    .update(readFileSync(join(folder, some)))
    .digest('hex')
  writeFileSync(path, JSON.stringify(manifest))
  const forged = await command(settingsOf(url), 'restore', folder, '--tools', tools)
  assert.equal(forged.code, 1)
  assert.match(forged.stderr, /^The signature in .*manifest\.json is wrong: .* Nothing was restored\.\n$/)
  assert.equal(
    Number((await queryRows(url, `select count(*) from pg_tables where schemaname = 'public'`))[0]?.['count']),
    0,
  )
}

test('backup reports a missing folder, missing PostgreSQL programs, or programs that are too old', async (t) => {
  const shop = await gateway(t)
  const env = settingsOf(shop.databaseUrl)
  const folder = join(ownFolder('backups'), 'never')
  assert.equal((await command(env, 'backup')).code, 2)
  const taken = await command(env, 'backup', ownFolder('taken'))
  assert.match(taken.stderr, /already exists: choose a new folder\.\n$/)
  const none = await command(env, 'backup', folder, '--tools', ownFolder('no-tools'))
  assert.match(
    none.stderr,
    /^pg_dump was not found\. Install the client tools of PostgreSQL \d+ .* or pass their folder with --tools\.\n$/,
  )
  const old = ownFolder('old-tools')
  writeFileSync(join(old, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 9.6.24"\n', { mode: 0o755 })
  assert.match(
    (await command(env, 'backup', folder, '--tools', old)).stderr,
    /^pg_dump is from PostgreSQL 9, but the server is \d+: too old\./,
  )
})

test('PostgreSQL’s programs get the database URL and TLS settings as environment variables', () => {
  assert.deepEqual(connectionOf('postgres://o%40k:p%2Fw@[::1]:5433/kobo?sslmode=verify-full&sslrootcert=/ca.pem'), {
    PGHOST: '::1',
    PGPORT: '5433',
    PGUSER: 'o@k',
    PGPASSWORD: 'p/w',
    PGDATABASE: 'kobo',
    PGSSLMODE: 'verify-full',
    PGSSLROOTCERT: '/ca.pem',
  })
})
