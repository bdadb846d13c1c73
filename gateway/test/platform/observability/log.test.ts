import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as contract from '@kobo/contract'
import { openLog } from '../../../src/platform/observability/log.ts'
import { ownFolder } from '../../harness/clear-up.ts'
import { basic, gateway } from '../../harness/gateway.ts'
import { freePort } from '../../harness/ports.ts'
import { ownDatabase } from '../../harness/postgres.ts'
import { startProgram } from '../../harness/processes.ts'
import { anAccount, aTransaction, pay } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'

/** A log that records its lines. */
function keptLog(level = 'trace') {
  const lines: string[] = []
  return { log: openLog(level, { write: (line: string) => void lines.push(line) }), text: () => lines.join('') }
}

test('a value under the name of a secret is never logged, at the depths that we log', () => {
  const { log, text } = keptLog()
  for (const name of ['authorization', 'secretKey', 'accessToken', 'pan', 'cvv', 'pin', 'otp', 'password', 'bvn'])
    log.info({ [name]: 'TOP-SECRET', card: { [name]: 'TOP-SECRET' }, a: { b: { [name]: 'TOP-SECRET' } } }, 'told')
  assert.ok(!text().includes('TOP-SECRET'))
  assert.ok(text().includes('[secret]'))
})

test('an error is logged with its reason and without the row data of the database', () => {
  const { log, text } = keptLog()
  const error = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.com) exists',
  })
  log.error({ error }, 'failed')
  assert.match(text(), /duplicate key.*23505/)
  assert.ok(!text().includes('ada@example.com'))
})

test('whatever a merchant does, the log at its most verbose level contains no key and no token', async (t) => {
  const { log, text } = keptLog()
  const shop = await gateway(t, { log })
  await pay(shop, await anAccount(shop), 5_000)
  await shop.send('POST', contract.login.path, {
    headers: { authorization: basic({ ...shop.credentials, apiKey: 'MK_TEST_UNKNOWN000' }) },
  })
  await shop.send('POST', contract.initTransaction.path, { body: '{"amount": ' })
  await shop.send('GET', `/nowhere/${shop.credentials.secretKey}?secret=${shop.credentials.secretKey}`)
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  await shop.send('POST', contract.initTransaction.path, {
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, 'x-request-id': 'asked-for-less-than-nothing' },
    body: { ...aTransaction(shop), amount: -1 },
  })

  const { secretKey } = shop.credentials
  assert.ok(text().includes('"msg":"request served"') && text().includes('"msg":"request rejected"'), 'it is talkative')
  for (const secret of [secretKey, shop.token, Buffer.from(secretKey).toString('base64').slice(0, -4)])
    assert.ok(!text().includes(secret), 'a secret was logged')
  const lines = text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const { merchantId } = shop
  const ofRequest = lines.filter(({ requestId }) => requestId === 'asked-for-less-than-nothing')
  assert.deepEqual(
    ofRequest.map((line) => [line.msg, line.traceId, line.merchantId, line.status]),
    [
      ['request rejected', traceId, String(merchantId), 400],
      ['request served', traceId, String(merchantId), 400],
    ],
  )
})

slow(
  'a full disk under standard output stops neither the start nor the responses',
  {
    skip: existsSync('/dev/full') ? false : 'there is no /dev/full',
  },
  async (t) => {
    const { url, drop } = await ownDatabase()
    t.after(drop)
    const port = await freePort()
    const output = openSync('/dev/full', 'w')
    t.after(() => closeSync(output))
    const { ended } = startProgram(
      t,
      'gateway/src/main.ts',
      [],
      { PORT: String(port), DATABASE_URL: url, KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') },
      output,
    )
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    const statusOf = (path: string): Promise<number | undefined> =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        ({ status }) => status,
        () => undefined,
      )
    await until('it serves', async () => isOver || (await statusOf('/health/live')) === 200)
    // Each of these is logged.
    for (let time = 0; time < 20; time++) assert.equal(await statusOf(contract.listBanks.path), 401)
    assert.equal(await statusOf('/health/live'), 200)
  },
)

test('dropped lines are counted in the log once it can be written again', async () => {
  // In a separate program: the standard output of this one is the report.
  const script = `
    import { closeSync, openSync, writeSync } from 'node:fs'
    import { openLog } from './gateway/src/platform/observability/log.ts'
    const log = openLog('info')
    const after = process.env.OUTPUT
    closeSync(1); openSync('/dev/full', 'w')
    log.info('lost'); log.info('lost, too')
    closeSync(1); openSync(after, 'a')
    log.info('kept')`
  const after = join(ownFolder('log'), 'output')
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
    env: { ...process.env, OUTPUT: after },
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  const [, ...lines] = readFileSync(after, 'utf8').trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => [JSON.parse(line).msg, JSON.parse(line).dropped]),
    [
      ['log lines dropped; standard output was not writable', 2],
      ['kept', undefined],
    ],
  )
})
