import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { openLog } from '../../../src/platform/observability/log.ts'
import { basic, gateway } from '../../harness/gateway.ts'
import { anAccount, aTransaction, pay } from '../../harness/samples.ts'

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
  assert.ok(text().includes('"msg":"answered"') && text().includes('"msg":"refused"'), 'it is talkative')
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
      ['refused', traceId, String(merchantId), 400],
      ['answered', traceId, String(merchantId), 400],
    ],
  )
})
