import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { transactionIdOf } from '../../../src/kernel/ids.ts'
import { aShop, type Client, gateway } from '../../harness/gateway.ts'
import { asOwner } from '../../harness/postgres.ts'
import { type ApiResponse, checkFailure } from '../../harness/responses.ts'
import { aTransaction } from '../../harness/samples.ts'

const INIT: string = contract.initTransaction.path

const send = (client: Client, key: string, body: object | string, path = INIT): Promise<ApiResponse> =>
  client.send('POST', path, { headers: { 'idempotency-key': key }, body })
const isReplayed = ({ headers }: ApiResponse): boolean => headers.get('idempotent-replayed') === 'true'
const transactionsOf = async (client: Client): Promise<number> =>
  (await client.call(contract.searchTransactions, { query: {} })).totalElements

/** The response repeats the first one: status, bytes, type and the error's name. */
function assertRepeats(first: ApiResponse, again: ApiResponse): void {
  assert.ok(isReplayed(again) && !isReplayed(first))
  const seen = ({ status, text, headers }: ApiResponse): unknown[] => [
    status,
    text,
    headers.get('content-type'),
    headers.get(contract.REFUSAL_HEADER),
  ]
  assert.deepEqual(seen(again), seen(first))
}

test('the same key with the same body gets the first response to the byte, and has one effect', async () => {
  const shop = await aShop()
  const body = aTransaction(shop, { metaData: { a: 1, b: [1, 2] } })
  const first = await send(shop, 'key-1', body)
  assert.equal(first.status, 200)
  assertRepeats(first, await send(shop, 'key-1', body))
  const reversed = Object.fromEntries(Object.entries({ ...body, metaData: { b: [1, 2], a: 1 } }).reverse())
  assertRepeats(first, await send(shop, 'key-1', JSON.stringify(reversed, null, 2)))
  assertRepeats(first, await send(shop, 'key-1', body, `${INIT}/`))
  assert.equal(await transactionsOf(shop), 1)
})

test('the same key with another body is 422 and changes nothing', async () => {
  const shop = await aShop()
  const body = aTransaction(shop, { metaData: { list: [1, 2] } })
  const first = await send(shop, 'key-1', body)
  for (const other of [
    { ...body, amount: 5_001 },
    { ...body, amount: '5000' },
    { ...body, extra: null },
    { ...body, metaData: { list: [2, 1] } },
    {},
  ]) {
    const rejected = await send(shop, 'key-1', other)
    assert.equal(rejected.status, 422)
    assert.match(checkFailure(rejected).message, /Idempotency-Key/)
    assert.equal(isReplayed(rejected), false)
  }
  assertRepeats(first, await send(shop, 'key-1', body))
  assert.equal(await transactionsOf(shop), 1)
})

test('an error is stored and repeated too, even if the request would succeed now', async (t) => {
  const shop = await gateway(t)
  const body = aTransaction(shop)
  const malformed = await send(shop, 'key-400', { ...body, amount: 5 })
  assert.equal(malformed.status, 400)
  assert.equal(checkFailure(malformed).code, 'AMOUNT_TOO_SMALL')
  assertRepeats(malformed, await send(shop, 'key-400', { ...body, amount: 5 }))

  const init = { transactionReference: 'KOBO|99|20260301093000|000001' } // does not exist yet
  const unknown = await send(shop, 'key-422', init, contract.initBankTransfer.path)
  assert.equal(unknown.status, 422)
  await shop.call(contract.initTransaction, { body })
  const id = transactionIdOf(init.transactionReference)
  await shop.db`update transaction set transaction_reference = ${init.transactionReference}, id = ${id}`
  assert.equal((await shop.send('POST', contract.initBankTransfer.path, { body: init })).status, 200)
  assertRepeats(unknown, await send(shop, 'key-422', init, contract.initBankTransfer.path))
})

test('401 and 403 are not stored: the same request can succeed later', async () => {
  const shop = await aShop()
  const body = aTransaction(shop)
  const headers = { 'idempotency-key': 'key-1', authorization: 'Bearer none' }
  assert.equal((await shop.send('POST', INIT, { headers, body })).status, 401)
  await shop.call(contract.changeSettings, { body: { ipWhitelist: [] } })
  assert.equal((await send(shop, 'key-1', body)).status, 403)
  await shop.call(contract.changeSettings, { body: { ipWhitelist: null } })
  const response = await send(shop, 'key-1', body)
  assert.deepEqual([response.status, isReplayed(response)], [200, false])
})

test('an internal error is not stored either', async (t) => {
  const shop = await gateway(t)
  const body = aTransaction(shop)
  await asOwner(shop.databaseUrl, 'alter table transaction rename to gone')
  assert.equal((await send(shop, 'key-1', body)).status, 500)
  await asOwner(shop.databaseUrl, 'alter table gone rename to transaction')
  const response = await send(shop, 'key-1', body)
  assert.deepEqual([response.status, isReplayed(response)], [200, false])
})

test('a key belongs to one merchant and one path', async () => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  const first = await send(shop, 'key-1', aTransaction(shop))
  const elsewhere = await send(other, 'key-1', aTransaction(other))
  assert.deepEqual([elsewhere.status, isReplayed(elsewhere)], [200, false])
  const { transactionReference } = first.body.responseBody as contract.Reply<typeof contract.initTransaction>
  const onward = await send(shop, 'key-1', { transactionReference }, contract.initBankTransfer.path)
  assert.deepEqual([onward.status, isReplayed(onward)], [200, false])
  const [one, two] = await Promise.all(['1', '2'].map((id) => send(shop, 'key-1', {}, `/sandbox/events/${id}/resend`)))
  assert.deepEqual([one?.status, two && isReplayed(two)], [404, false])
})

test('20 duplicates at once have one effect and one response', async () => {
  const shop = await aShop()
  const body = aTransaction(shop)
  const responses = await Promise.all(Array.from({ length: 20 }, () => send(shop, 'key-1', body)))
  assert.equal(new Set(responses.map(({ text }) => text)).size, 1)
  assert.ok(responses.every(({ status }) => status === 200))
  assert.equal(responses.filter(isReplayed).length, 19)
  assert.equal(await transactionsOf(shop), 1)
})

test('a key expires after 24 hours of business time, and not before', async (t) => {
  const shop = await gateway(t)
  const body = aTransaction(shop)
  const first = await send(shop, 'key-1', body)
  await shop.advance(86_400 - 60)
  assertRepeats(first, await send(shop, 'key-1', body))
  await shop.advance(60)
  const later = await send(shop, 'key-1', body)
  assert.deepEqual(
    [later.status, later.body.responseMessage, isReplayed(later)],
    [422, 'Duplicate payment reference', false],
  )
})

test('if the first request died half-way, the next one with its body takes over', async (t) => {
  const shop = await gateway(t)
  const body = aTransaction(shop)
  await send(shop, 'key-1', body)
  const [held] =
    await shop.db`update idempotency_key set status = null, answer = null, leased_until = '2000-01-01' returning key`
  assert.equal(held?.['key'], 'key-1')
  await shop.db`delete from transaction`
  const other = await send(shop, 'key-1', { ...body, amount: 777 })
  assert.equal(other.status, 422)
  const taken = await send(shop, 'key-1', body)
  assert.deepEqual([taken.status, isReplayed(taken)], [200, false])
  assertRepeats(taken, await send(shop, 'key-1', body))
})

test('a key has 1 to 255 characters', async () => {
  const shop = await aShop()
  for (const key of ['', 'x'.repeat(256)]) {
    const rejected = await send(shop, key, aTransaction(shop))
    assert.equal(rejected.status, 400)
    assert.match(checkFailure(rejected).message, /^Idempotency-Key /)
  }
  const body = aTransaction(shop)
  const first = await send(shop, 'x'.repeat(255), body)
  assertRepeats(first, await send(shop, 'x'.repeat(255), body))
  assert.equal(await transactionsOf(shop), 1)
})

test('a stored key reveals no request or response: a code cannot be brute-forced, a BVN cannot be read', async (t) => {
  const shop = await gateway(t)
  const bvnDetails = { bvn: '12345678901', bvnDateOfBirth: '1994-09-07' }
  const wallet = {
    walletReference: 'w',
    walletName: 'w',
    customerName: 'w',
    customerEmail: 'w@example.com',
    bvnDetails,
  }
  const made = await send(shop, 'key-1', wallet, contract.createWallet.path)
  assertRepeats(made, await send(shop, 'key-1', wallet, contract.createWallet.path))
  assert.match(made.text, /12345678901/)
  const code = { authorizationCode: '123456', reference: 'unknown' }
  const rejected = await send(shop, 'key-2', code, contract.authorizeTransfer.path)
  assert.equal(rejected.status, 404)
  assertRepeats(rejected, await send(shop, 'key-2', code, contract.authorizeTransfer.path))

  const stored = await shop.db<{ answer: Buffer; bodyHash: Buffer }[]>`
    select answer, body_hash from idempotency_key order by key`
  assert.equal(stored.length, 2)
  for (const { answer } of stored)
    assert.doesNotMatch(answer.toString('latin1'), /1234567|1994-09-07|requestSuccessful/)
  assert.notDeepEqual(stored[1]?.bodyHash, createHash('sha256').update(JSON.stringify(code)).digest())
})

test('nothing of a login is stored', async (t) => {
  const shop = await gateway(t)
  const { apiKey, secretKey } = shop.credentials
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
  const headers = { authorization, 'idempotency-key': 'key-1' }
  const [first, again] = [
    await shop.send('POST', contract.login.path, { headers }),
    await shop.send('POST', contract.login.path, { headers }),
  ]
  assert.deepEqual([first.status, again.status, isReplayed(again)], [200, 200, false])
  assert.notEqual(first.text, again.text)
  assert.equal((await shop.db`select from idempotency_key`).count, 0)
})
