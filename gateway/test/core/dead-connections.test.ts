import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import { openChannels } from '../../src/platform/postgres/channels.ts'
import { openDatabase } from '../../src/platform/postgres/db.ts'
import { testWall } from '../harness/clock.ts'
import { type DatabaseProxy, databaseProxy } from '../harness/database-proxy.ts'
import { basic, type Client, client, gateway, type TestGateway } from '../harness/gateway.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { commandAt } from '../harness/processes.ts'
import { anAccount, aTransaction, pay, statusOf } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'

/** Two nodes on one database: one connected directly, one through a proxy. */
async function nodes(t: TestContext): Promise<{ here: TestGateway; there: TestGateway; between: DatabaseProxy }> {
  const { url, drop } = await ownDatabase()
  const here = await gateway(t, { databaseUrl: url })
  const between = await databaseProxy(t, url)
  const there = await gateway(t, { databaseUrl: between.url })
  t.after(drop)
  return { here, there, between }
}

slow('a revoked secret and a changed fee take effect on a node whose notification channel is dead', async (t) => {
  const { here, there, between } = await nodes(t)
  const { credentials, databaseUrl } = here
  const authorization = basic(credentials)
  const logIn = () => there.send('POST', contract.login.path, { headers: { authorization } })
  const feeAt = async (node: Client): Promise<number> => {
    const account = await anAccount(node, { amount: 10_000 })
    await pay(node, account, 10_000)
    const { amountPaid, settlementAmount } = await statusOf(node, account.transactionReference)
    return Number(amountPaid) - Number(settlementAmount)
  }
  assert.equal((await logIn()).status, 200)
  assert.equal(await feeAt(there), 150)

  assert.equal(between.freeze('listen '), 1)
  const env = { DATABASE_URL: databaseUrl, KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const changes = [
    ['price', 'set', 'collection', '--percent', '3'],
    [
      'merchant',
      'rotate-secret',
      '--merchant',
      here.core.directory.known(here.merchantId)?.code ?? '',
      '--overlap',
      '0',
    ],
  ]
  let printed = ''
  for (const args of changes) {
    const { code, stdout, stderr } = await commandAt(testWall, env, ...args)
    assert.equal(code, 0, stderr)
    printed = stdout
  }
  await until('the revoked secret opens nothing', async () => (await logIn()).status === 401)
  const renewed = await client(there.url, { ...credentials, secretKey: JSON.parse(printed).secretKey })
  await until('the new fee is charged', async () => (await feeAt(renewed)) === 300)
})

slow('a node whose connections are all dead responds to its callers, reconnects and continues', async (t) => {
  const { there, between } = await nodes(t)
  assert.ok(between.freeze() > 1)
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => there.send('POST', contract.initTransaction.path, { body: aTransaction(there) })),
  )
  // The outcome of an unanswered query is never guessed.
  for (const { status, text } of responses) assert.ok(status === 200 || status === 503, text)
  assert.ok(
    responses.some(({ status }) => status === 503),
    'some callers had waited',
  )
  await until('it serves normally again', async () => {
    const { status } = await there.send('POST', contract.initTransaction.path, { body: aTransaction(there) })
    return status === 200
  })
})

slow('a slow query is not taken for a dead connection', async (t) => {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 1)
  t.after(async () => {
    await db.end()
    await drop()
  })
  await db`select pg_sleep(8)`
})

slow('a dead channel is reopened, and everything that may have been missed is reloaded', async (t) => {
  const { url, drop } = await ownDatabase()
  const between = await databaseProxy(t, url)
  const db = openDatabase(between.url, 1)
  const channels = await openChannels(db)
  t.after(async () => {
    await Promise.all([channels.close(), db.end()])
    await drop()
  })
  const received: string[] = []
  let isReported = false
  await channels.subscribe('one', {
    onMessage: (word) => received.push(word),
    onMissed: () => {
      // A reload that fails is retried later.
      if (!isReported) {
        isReported = true
        throw new Error('not now')
      }
      received.push('missed')
    },
  })
  between.freeze()
  const direct = openDatabase(url, 1)
  t.after(() => direct.end())
  await direct`select pg_notify('one', 'into the silence')`
  await until('it learns that it missed something', () => received.length > 0)
  await direct`select pg_notify('one', 'afterwards')`
  await until('it receives again', () => received.includes('afterwards'))
  assert.ok(!received.includes('into the silence'))
})
