import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { gateway } from '../../gateway/test/harness/gateway.ts'
import { ownDatabase } from '../../gateway/test/harness/postgres.ts'
import { anAccount, aTransaction, pay, statusOf } from '../../gateway/test/harness/samples.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { freePorts, startTool, without } from './tools.ts'

/** Fewer connections than the gateway opens, so that they are shared. */
const SERVER_CONNECTIONS = 2

test('payments and change notifications work behind PgBouncer in transaction mode', {
  skip: without('pgbouncer'),
}, async (t) => {
  const { url, urls, drop } = await ownDatabase()
  t.after(drop)
  const [port = 0] = await freePorts(1)
  const folder = ownFolder('pgbouncer')
  chmodSync(folder, 0o755) // PgBouncer drops root privileges
  const { hostname, port: serverPort } = new URL(url)
  const users = [urls.program, urls.vault].map((way) => new URL(way))
  const [config, userList] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
  writeFileSync(userList, users.map(({ username, password }) => `"${username}" "${password}"\n`).join(''))
  writeFileSync(
    config,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${userList}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
`,
  )
  const output = startTool(t, 'pgbouncer', ...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), config)
  await until('it listens', () => /process up/.test(output()))
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
})
