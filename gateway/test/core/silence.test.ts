import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { openChannels } from '../../src/platform/channels.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { testWall } from '../harness/clock.ts'
import { type Door, door } from '../harness/door.ts'
import { basic, type Client, client, gateway, type TestGateway } from '../harness/gateway.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { commandAt } from '../harness/processes.ts'
import { anAccount, aTransaction, pay, statusOf } from '../harness/samples.ts'
import { until } from '../harness/wait.ts'

/** Two nodes over one database: one beside it, one that reaches it through a door. */
async function nodes(t: TestContext): Promise<{ here: TestGateway; there: TestGateway; between: Door }> {
  const { url, drop } = await ownDatabase()
  const here = await gateway(t, { databaseUrl: url })
  const between = await door(t, url)
  const there = await gateway(t, { databaseUrl: between.url })
  t.after(drop)
  return { here, there, between }
}

test('a withdrawn secret and a changed fee hold on a node that is told nothing: its channel has fallen silent', async (t) => {
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

  assert.equal(between.silence('listen '), 1)
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
  await until('the withdrawn secret opens nothing', async () => (await logIn()).status === 401)
  const renewed = await client(there.url, { ...credentials, secretKey: JSON.parse(printed).secretKey })
  await until('the new fee is charged', async () => (await feeAt(renewed)) === 300)
})

test('a node on which all connections fall silent answers whoever waits, opens others, and goes on', async (t) => {
  const { there, between } = await nodes(t)
  assert.ok(between.silence() > 1)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => there.send('POST', contract.initTransaction.path, { body: aTransaction(there) })),
  )
  // What became of a statement that nobody answered is not guessed at.
  for (const { status, text } of answers) assert.ok(status === 200 || status === 503, text)
  assert.ok(
    answers.some(({ status }) => status === 503),
    'somebody had waited',
  )
  await until('it serves as before', async () => {
    const { status } = await there.send('POST', contract.initTransaction.path, { body: aTransaction(there) })
    return status === 200
  })
})

test('a statement that takes long is not taken for silence', async (t) => {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, 1)
  t.after(async () => {
    await db.end()
    await drop()
  })
  await db`select pg_sleep(8)`
})

test('a channel that falls silent is opened anew, and all that may have been missed is told', async (t) => {
  const { url, drop } = await ownDatabase()
  const between = await door(t, url)
  const db = openDatabase(between.url, 1)
  const channels = await openChannels(db)
  t.after(async () => {
    await Promise.all([channels.close(), db.end()])
    await drop()
  })
  const heard: string[] = []
  let isTold = false
  await channels.hear('one', {
    onWord: (word) => heard.push(word),
    onMissed: () => {
      // What cannot be read again at once is read again later.
      if (!isTold) {
        isTold = true
        throw new Error('not now')
      }
      heard.push('missed')
    },
  })
  between.silence()
  const direct = openDatabase(url, 1)
  t.after(() => direct.end())
  await direct`select pg_notify('one', 'into the silence')`
  await until('it knows', () => heard.length > 0)
  await direct`select pg_notify('one', 'afterwards')`
  await until('it hears again', () => heard.includes('afterwards'))
  assert.ok(!heard.includes('into the silence'))
})
