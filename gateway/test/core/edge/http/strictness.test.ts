import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initiateBatch, initTransaction, inlineCheckout, login, signInWithPassword } from '@kobo/contract'
import { aShop, basic, gateway } from '../../../harness/gateway.ts'
import { aTransaction } from '../../../harness/samples.ts'

const HEADER = 'kobo-unknown-fields'

test('an unknown field is ignored and reported in a header and in the sandbox’s response', async () => {
  const shop = await aShop()
  const body = { ...aTransaction(shop), redirectURL: 'https://shop.example.com', 'näme\r\n': 1 }
  const { status, headers, body: response } = await shop.send('POST', initTransaction.path, { body })
  assert.equal(status, 200)
  assert.equal(headers.get(HEADER), 'redirectURL, n%C3%A4me%0D%0A')
  assert.deepEqual((response as { warnings?: unknown }).warnings, [
    'redirectURL is not a field of this request, and was ignored',
    'näme\r\n is not a field of this request, and was ignored',
  ])
  const known = await shop.send('POST', initTransaction.path, {
    body: { ...aTransaction(shop), metadata: { order: 1 } },
  })
  assert.deepEqual([known.headers.get(HEADER), 'warnings' in (known.body as object)], [null, false])
})

test('a name that is cut within an emoji causes no internal error', async () => {
  const shop = await aShop()
  for (const length of [63, 199]) {
    const field = `${'x'.repeat(length)}😀`
    const fields = { [field]: 1, email: 'ada@example.com', password: 'a wrong password' }
    const headers = { authorization: '', 'sec-fetch-site': 'same-origin' }
    const guess = await shop.send('POST', signInWithPassword.path, { headers, body: fields })
    assert.deepEqual([guess.status, guess.headers.get(HEADER)?.startsWith('xxx')], [401, true])
    const inline = await shop.send('POST', inlineCheckout.path, { headers, body: fields })
    assert.equal(inline.status, 400)
    const nested = { ...aTransaction(shop), metaData: { [field]: { [field]: '\0' } } }
    const rejected = await shop.send('POST', initTransaction.path, { body: nested })
    assert.equal(rejected.status, 400)
    assert.ok(rejected.text.isWellFormed() && !/\\ud/i.test(rejected.text), rejected.text)
    const keys = await shop.send('POST', login.path, {
      headers: { authorization: basic({ apiKey: field, secretKey: 'x' }) },
    })
    assert.equal(keys.status, 401)
  }
})

test('in live mode only the header reports unknown fields: the response stays as in Monnify’s API', async (t) => {
  const shop = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
  const body = { ...aTransaction(shop), redirectURL: 'https://shop.example.com' }
  const { headers, body: response } = await shop.send('POST', initTransaction.path, { body })
  assert.equal(headers.get(HEADER), 'redirectURL')
  assert.deepEqual(Object.keys(response as object), [
    'requestSuccessful',
    'responseMessage',
    'responseCode',
    'responseBody',
  ])
})

test('all errors of a request are reported at once, the first one first; of a batch only the first', async () => {
  const shop = await aShop()
  const { contractCode: _, ...rest } = aTransaction(shop)
  const wrong = await shop.rejected(400, initTransaction, { body: { ...rest, amount: -1, customerEmail: 'ada' } })
  assert.equal(
    wrong.message,
    'contractCode is required; amount must be an amount in naira above zero, with at most 13 digits and 2 decimals; customerEmail must be an email address',
  )
  const transactionList = Array.from({ length: 100 }, () => ({ amount: -1 }))
  const batch = await shop.rejected(400, initiateBatch, { body: { transactionList } })
  assert.doesNotMatch(batch.message, /;/)
})
