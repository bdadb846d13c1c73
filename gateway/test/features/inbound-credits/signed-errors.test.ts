import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hidden } from '../../../src/kernel/hidden.ts'
import { isSignedResponse, signRequest } from '../../../src/rails/protocol/index.ts'
import { gatewayOf } from '../../harness/test-banks.ts'

test('errors for a signed notification are signed like its other responses; a stranger gets a plain 401', async (t) => {
  const shop = await gatewayOf(t, ['wema'])
  const keys = { secret: hidden('a-secret-of-wema'.padEnd(32, '.')) }
  const operation = 'credits'
  const credit = { railReference: 'R-1', bankCode: '035', accountNumber: '0000000000', amount: 100 }
  for (const [body, requested] of [
    [JSON.stringify(credit), 200],
    [JSON.stringify({ ...credit, amount: 0.5 }), 400],
    ['{"railReference"', 400],
  ] as const) {
    const { headers, nonce } = signRequest(keys, shop.core.wall, { operation, body })
    const response = await fetch(`${shop.url}/rails/credits`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
    const [status, text] = [response.status, await response.text()]
    assert.equal(status, requested, text)
    const reportCredit = { operation, nonce, status, body: text }
    assert.ok(isSignedResponse(keys, shop.core.wall, reportCredit, Object.fromEntries(response.headers)), text)
  }
  const stranger = await fetch(`${shop.url}/rails/credits`, { method: 'POST', body: JSON.stringify(credit) })
  assert.deepEqual([stranger.status, stranger.headers.get('kobo-signature')], [401, null])
})
