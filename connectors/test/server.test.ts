import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wallClock } from '../../gateway/src/kernel/clock.ts'
import { hidden } from '../../gateway/src/kernel/hidden.ts'
import { isSignedResponse, signRequest } from '../../gateway/src/rails/protocol/index.ts'
import { SECRET, sandbox } from './connectors.ts'

const KEYS = { secret: hidden(SECRET) }

/** Sends the connector a signed request; a response with a body must be signed. */
async function request(url: string, operation: string, body: string, method = 'POST') {
  const { headers, nonce } = signRequest(KEYS, wallClock, { operation, body })
  const answer = await fetch(`${url}/${operation}`, { method, headers, ...(method === 'POST' ? { body } : {}) })
  const text = await answer.text()
  const { status } = answer
  const isSigned = isSignedResponse(
    KEYS,
    wallClock,
    { operation, nonce, status, body: text },
    Object.fromEntries(answer.headers),
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
