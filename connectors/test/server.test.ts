import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { wallClock } from '../../gateway/src/kernel/clock.ts'
import { hidden } from '../../gateway/src/kernel/hidden.ts'
import { openLog } from '../../gateway/src/platform/observability/log.ts'
import { isSignedResponse, signRequest } from '../../gateway/src/rails/protocol/index.ts'
import { ownCertificate } from '../../gateway/test/harness/certificates.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { readSettings } from '../src/settings.ts'
import { startConnectors } from '../src/start.ts'
import { SECRET, sandbox } from './connectors.ts'

const KEYS = { secret: hidden(SECRET) }

/** Sends the connector a signed request; a response with a body must be signed. */
async function request(url: string, operation: string, body: string, method = 'POST') {
  const { headers, nonce } = signRequest(KEYS, wallClock, { operation, body })
  const response = await fetch(`${url}/${operation}`, { method, headers, ...(method === 'POST' ? { body } : {}) })
  const text = await response.text()
  const { status } = response
  const isSigned = isSignedResponse(
    KEYS,
    wallClock,
    { operation, nonce, status, body: text },
    Object.fromEntries(response.headers),
  )
  return { status, text, isSigned }
}

test('a malformed request is rejected with the field’s name, signed, before it is processed', async (t) => {
  const { url, control } = await sandbox(t)
  const order = { reference: 'r-1', amount: 100, destination: {}, narration: '', sender: {} }
  for (const [operation, body, reason] of [
    ['transfer/send', '{"reference"', /not valid JSON/],
    ['transfer/send', JSON.stringify(order), /destination\.bankCode is required/],
    ['transfer/send', JSON.stringify({ ...order, amount: 0.5 }), /amount/],
    ['transfer/find', '{"reference":"a\\u0000b"}', /not valid JSON/],
    ['transfer/find', `{"reference":"r","more":[${'1,'.repeat(2_000)}1]}`, /not valid JSON/],
    ['control/advance', '{"seconds":-1}', /seconds/],
    ['control/advance', '{}', /seconds is required/],
    ['control/fault', '{"fault":"no such fault"}', /fault/],
  ] as const) {
    const { status, text, isSigned } = await request(url, operation, body)
    assert.deepEqual([status, isSigned], [400, true], text)
    assert.match(text, reason)
  }
  assert.deepEqual(await control('effects'), { kind: 'effects', effects: [] })
})

test('a body that is too long is not read to its end, and other methods and paths are not served', async (t) => {
  const { url } = await sandbox(t)
  assert.equal((await request(url, 'transfer/find', ' '.repeat(70_000))).status, 413)
  assert.equal((await request(url, 'transfer/find', '', 'GET')).status, 405)
  assert.equal((await request(url, 'manifest', '')).status, 405)
  assert.equal((await request(`${url}/../nobody`, 'transfer/find', '{}')).status, 404)
  assert.deepEqual(await request(url, 'transfer/no-such-thing', '{}'), {
    status: 200,
    text: '{"kind":"unsupported"}',
    isSigned: true,
  })
})

/** Starts a process with the sandbox's connector, which the caller drains. */
async function started(t: TestContext, env: NodeJS.ProcessEnv = {}) {
  const settings = readSettings({ PORT: '0', KOBO_RAILS_SECRET: SECRET, ...env })
  const rails = await startConnectors(settings, openLog('silent'))
  t.after(rails.close)
  return rails
}

test('health and metrics respond, and a draining process serves on but is not ready', async (t) => {
  const { url, drain } = await started(t)
  const statusOf = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status
  assert.deepEqual([await statusOf('/health/live'), await statusOf('/health/ready')], [200, 200])
  assert.equal((await request(`${url}/sandbox`, 'transfer/find', '{"reference":"r-1"}')).status, 200)
  assert.equal((await request(`${url}/sandbox`, 'transfer/find', '{}')).status, 400)
  assert.equal((await fetch(`${url}/callbacks/nobody/x`, { method: 'POST' })).status, 404)
  const text = await (await fetch(`${url}/metrics`)).text()
  for (const line of [
    'kobo_connector_request_seconds_count{connector="sandbox",operation="transfer/find",answer="not found"} 1',
    'kobo_connector_request_seconds_count{connector="sandbox",operation="transfer/find",answer="400"} 1',
    'kobo_connector_callbacks_total{connector="unknown",status="404"} 1',
  ])
    assert.ok(text.includes(`${line}\n`), line)
  await drain(0)
  assert.deepEqual([await statusOf('/health/live'), await statusOf('/health/ready')], [200, 503])
  const served = await fetch(`${url}/sandbox/manifest`)
  assert.deepEqual([served.status, served.headers.get('connection')], [401, 'close'])
})

test('with a certificate the process speaks HTTPS only, and settings that name no file are rejected', async (t) => {
  const { certificate, key } = ownCertificate()
  const tls = { KOBO_TLS_CERTIFICATE: certificate, KOBO_TLS_KEY: key }
  assert.throws(() => readSettings({ KOBO_RAILS_SECRET: SECRET, KOBO_TLS_KEY: key }), /KOBO_TLS_KEY must both be set/)
  assert.throws(
    () => readSettings({ KOBO_RAILS_SECRET: SECRET, ...tls, KOBO_TLS_KEY: `${key}.none` }),
    /cannot be read/,
  )
  const { url } = await started(t, tls)
  assert.match(url, /^https:/)
  const { headers } = signRequest(KEYS, wallClock, { operation: 'manifest', body: '' })
  const [response] = (await once(
    requestSecurely(`${url}/sandbox/manifest`, { headers, ca: readFileSync(certificate), agent: false }).end(),
    'response',
  )) as [IncomingMessage]
  response.resume()
  assert.equal(response.statusCode, 200)
  await assert.rejects(fetch(`${url}/health/live`), 'an unknown authority')
  await assert.rejects(fetch(`${url.replace('https:', 'http:')}/health/live`))
})

test('a sandbox connector with a book in a file remembers what it did after a restart', async (t) => {
  const env = { KOBO_CONNECTORS: `sandbox?book=${join(ownFolder('book'), 'book.jsonl')}` }
  const destination = { bankCode: '058', accountNumber: '0123456789', accountName: 'ADA OBI' }
  const sender = { name: 'Shop', accountNumber: null, bankCode: null, bvn: null }
  const order = { reference: 'r-1', amount: 10_000, destination, narration: 'Rent', sender }
  const before = await sandbox(t, { env })
  const sent = await request(before.url, 'transfer/send', JSON.stringify(order))
  assert.match(sent.text, /"kind":"succeeded"/)

  const after = await sandbox(t, { env })
  const found = await request(after.url, 'transfer/find', '{"reference":"r-1"}')
  assert.equal(JSON.parse(found.text).sessionId, JSON.parse(sent.text).sessionId)
  await request(after.url, 'transfer/send', JSON.stringify(order))
  const { effects } = (await after.control('effects')) as { effects: unknown[] }
  assert.equal(effects.length, 1)
})
