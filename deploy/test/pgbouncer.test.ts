import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import pg from 'pg'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { gateway } from '../../gateway/test/harness/gateway.ts'
import { ownDatabase } from '../../gateway/test/harness/postgres.ts'
import { anAccount, aTransaction, pay, statusOf } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { aPrimary, queryServer } from '../../gateway/test/harness/standby.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { freePorts, startTool, without } from './tools.ts'

/** Fewer connections than the gateway opens, so that they are shared. */
const SERVER_CONNECTIONS = 2

/** Starts PgBouncer in transaction mode for users of a server; `moveTo` connects it to another server. */
async function startPgBouncer(t: TestContext, url: string, users: readonly string[]) {
  const [port = 0] = await freePorts(1)
  const folder = ownFolder('pgbouncer')
  chmodSync(folder, 0o755) // PgBouncer drops root privileges
  const [config, userList] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
  const named = users.map((user) => new URL(user))
  writeFileSync(userList, named.map(({ username, password }) => `"${username}" "${password}"\n`).join(''))
  const lead = (to: string): void =>
    writeFileSync(
      config,
      `[databases]
* = host=${new URL(to).hostname} port=${new URL(to).port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${userList}
admin_users = ${named[0]?.username}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
`,
    )
  lead(url)
  const output = startTool(t, 'pgbouncer', ...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), config)
  await until('it listens', () => /process up/.test(output()))
  const admin = new URL(url)
  admin.host = `127.0.0.1:${port}`
  admin.pathname = '/pgbouncer'
  return {
    port,
    moveTo: async (to: string): Promise<void> => {
      lead(to)
      const client = new pg.Client(admin.href)
      await client.connect()
      await client.query('reload')
      await client.query('reconnect')
      await client.end()
    },
  }
}

slow(
  'payments and change notifications work behind PgBouncer in transaction mode',
  {
    skip: without('pgbouncer'),
  },
  async (t) => {
    const { url, urls, drop } = await ownDatabase()
    t.after(drop)
    const { port } = await startPgBouncer(t, url, [urls.program, urls.vault])
    const pooled = new URL(url)
    pooled.host = `127.0.0.1:${port}`
    const env = { KOBO_SESSION_DATABASE_URL: url, KOBO_DATABASE_CONNECTIONS: '5' }
    const shop = await gateway(t, { databaseUrl: pooled.href, env })
    assert.deepEqual(
      await shop.db`select current_setting('lock_timeout') as lock, current_setting('timezone') as zone`.then(
        ([row]) => row,
      ),
      { lock: '3s', zone: 'UTC' },
    )

    const accounts = await Promise.all(Array.from({ length: 8 }, () => anAccount(shop)))
    await Promise.all(accounts.map((account) => pay(shop, account, 5_000)))
    for (const { transactionReference } of accounts)
      assert.equal((await statusOf(shop, transactionReference)).paymentStatus, 'PAID')
    const headers = { 'idempotency-key': 'once' }
    const body = aTransaction(shop)
    const [first, again] = [
      await shop.send('POST', contract.initTransaction.path, { headers, body }),
      await shop.send('POST', contract.initTransaction.path, { headers, body }),
    ]
    assert.deepEqual([first.status, again.text], [200, first.text])

    // Another node, without the pooler, changes a value that this one caches.
    const other = await gateway(t, { databaseUrl: url })
    await other.call(contract.changeSettings, { body: { ipWhitelist: ['203.0.113.1'] } })
    await until(
      'it is heard of',
      async () => (await shop.send('POST', contract.initTransaction.path, { body })).status === 403,
    )
  },
)

slow('a former primary is not used when PgBouncer leads back to it', { skip: without('pgbouncer') }, async (t) => {
  const { primary, follow } = await aPrimary(t)
  const standbyUrl = await follow()
  const { port, moveTo } = await startPgBouncer(t, primary.url, [primary.url])
  const [direct, pooled] = [new URL(primary.url), new URL(primary.url)]
  pooled.host = `127.0.0.1:${port}`
  const hosts = [primary.url, standbyUrl].map((url) => new URL(url).host).join()
  const env = {
    KOBO_SESSION_DATABASE_URL: direct.href.replace(direct.host, hosts),
    KOBO_DATABASE_CONNECTIONS: '3',
    KOBO_DATA_DIR: ownFolder('timeline'),
  }
  const shop = await gateway(t, { databaseUrl: pooled.href, env })
  const init = async () => (await shop.send('POST', contract.initTransaction.path, { body: aTransaction(shop) })).status
  assert.equal(await init(), 200)

  await queryServer(standbyUrl, 'select pg_promote()')
  await moveTo(standbyUrl)
  // A check of readiness opens a connection, so the gateway learns the timeline.
  await until('the new primary is used', async () => {
    const { status } = await shop.send('GET', '/health/ready')
    return status === 200 && (await init()) === 200
  })

  await moveTo(primary.url)
  // One after the other, on a connection that was opened before.
  for (let count = 0; count < 5; count++) assert.equal(await init(), 503)
  await moveTo(standbyUrl)
  await until('the new primary is used again', async () => (await init()) === 200)
})
