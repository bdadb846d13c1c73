import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { aShop, type Shop } from '../../gateway/test/harness/gateway.ts'
import { aTransaction, balancesOf } from '../../gateway/test/harness/samples.ts'
import { packedSdk } from './packed.ts'

type Fetch = typeof globalThis.fetch
/** Decides what happens to a request; `pass` forwards it to the gateway. */
type OnTheWay = (request: Request, nth: number, pass: () => Promise<Response>) => Promise<Response>

/** A client of the packed SDK over a simulated network, and the requests it sent. */
async function connected(shop: Shop, onTheWay: OnTheWay = (_, __, pass) => pass()) {
  const { connect } = await packedSdk()
  const sent: Request[] = []
  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init)
    if (request.url.endsWith('/auth/login')) logins.push(request)
    else sent.push(request)
    return onTheWay(request.clone(), sent.length, () => globalThis.fetch(request))
  }
  const logins: Request[] = []
  return { kobo: connect({ ...shop.credentials, fetch }), sent, logins }
}

const isLogin = ({ url }: Request): boolean => url.endsWith('/auth/login')
const lost = (): never => {
  throw new TypeError('the connection was lost')
}

test('concurrent calls share one login, and a rejected token is renewed', async () => {
  const shop = await aShop()
  const { kobo, sent, logins } = await connected(shop, (request, nth, pass) => {
    if (isLogin(request) || nth !== 6) return pass()
    request.headers.set('authorization', 'Bearer of.another.time')
    return fetch(request)
  })
  await Promise.all(Array.from({ length: 5 }, () => kobo.banks.list()))
  assert.equal(logins.length, 1)
  assert.ok((await kobo.banks.list()).length > 10)
  assert.deepEqual([logins.length, sent.length], [2, 7])
})

test('wrong keys fail once with their code, without a retry', async () => {
  const { Refused } = await packedSdk()
  const shop = await aShop()
  const { kobo, logins } = await connected({ ...shop, credentials: { ...shop.credentials, secretKey: 'wrong' } })
  const error = await kobo.banks.list().catch((reason) => reason)
  assert.ok(error instanceof Refused)
  assert.deepEqual([error.status, error.code, logins.length], [401, 'INVALID_CREDENTIALS', 1])
  assert.match(error.requestId ?? '', /./)
})

test('a POST whose response was lost is retried and takes effect once', async () => {
  const shop = await aShop()
  const before = await balancesOf(shop)
  const { kobo, sent } = await connected(shop, async (request, nth, pass) => {
    const response = await pass()
    return isLogin(request) || nth > 1 ? response : lost()
  })
  await kobo.sandbox.fundWallet({ amount: 250 })
  assert.equal(sent.length, 2)
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  assert.ok(keys[0] !== null && keys[0] === keys[1])
  assert.equal((await balancesOf(shop)).availableBalance - before.availableBalance, 250)
})

test('without any response it throws NoResponse with the key to retry with', async () => {
  const { NoResponse } = await packedSdk()
  const shop = await aShop()
  let isDown = true
  const { kobo, sent } = await connected(shop, async (request, _, pass) => {
    const response = await pass()
    return isLogin(request) || !isDown ? response : lost()
  })
  const fields = aTransaction(shop)
  const error = await kobo.transactions.init(fields).catch((reason) => reason)
  assert.ok(error instanceof NoResponse)
  assert.equal(sent.length, 3)
  isDown = false
  const { idempotencyKey } = error
  assert.ok(idempotencyKey !== undefined)
  const { paymentReference } = await kobo.transactions.init(fields, { idempotencyKey })
  assert.equal(paymentReference, fields.paymentReference)
  await assert.rejects(kobo.transactions.init(fields), { code: 'DUPLICATE_PAYMENT_REFERENCE' })
})

test('a PUT whose response was lost is not retried; one that the gateway rejected as busy is', async () => {
  const { NoResponse } = await packedSdk()
  const shop = await aShop()
  const losing = await connected(shop, async (request, _, pass) => (isLogin(request) ? pass() : lost()))
  const error = await losing.kobo.sandbox.changeSettings({ feeBearer: 'CUSTOMER' }).catch((reason) => reason)
  assert.ok(error instanceof NoResponse)
  assert.deepEqual([losing.sent.length, error.idempotencyKey], [1, undefined])

  const busy = { requestSuccessful: false, responseMessage: 'busy', responseCode: '99' }
  const waiting = await connected(shop, async (request, nth, pass) =>
    isLogin(request) || nth > 1 ? pass() : Response.json(busy, { status: 503, headers: { 'retry-after': '0' } }),
  )
  assert.equal((await waiting.kobo.sandbox.changeSettings({ feeBearer: 'CUSTOMER' })).feeBearer, 'CUSTOMER')
  assert.equal(waiting.sent.length, 2)
})

test('an error page of a proxy is not a response of the gateway', async () => {
  const { NoResponse } = await packedSdk()
  const { kobo, sent } = await connected(await aShop(), async (request, _, pass) =>
    isLogin(request) ? pass() : new Response('<html>Bad gateway</html>', { status: 502 }),
  )
  const error = await kobo.banks.list().catch((reason) => reason)
  assert.ok(error instanceof NoResponse)
  assert.deepEqual([error.status, sent.length], [502, 3])
})

test('each iterates over all pages and fetches only the pages that are read', async () => {
  const shop = await aShop()
  const { kobo, sent } = await connected(shop)
  const made: string[] = []
  for (let nth = 0; nth < 5; nth++)
    made.unshift((await kobo.transactions.init(aTransaction(shop))).transactionReference)
  const count = sent.length
  const found: string[] = []
  for await (const { transactionReference } of kobo.transactions.search.each({ size: 2 }))
    found.push(transactionReference)
  assert.deepEqual(found, made)
  assert.equal(sent.length - count, 3)
  for await (const _ of kobo.transactions.search.each({ size: 2, page: 1 })) break
  assert.equal(sent.length - count, 4)
})

test('fields go into the path, the query or the body, whatever they contain', async () => {
  const shop = await aShop()
  const { kobo, sent } = await connected(shop)
  await assert.rejects(kobo.transactions.get({ transactionReference: 'a|b/c?d' }), { code: 'UNKNOWN_TRANSACTION' })
  assert.match(sent.at(-1)?.url ?? '', /\/api\/v2\/transactions\/a%7Cb%2Fc%3Fd$/)
  await assert.rejects(kobo.transactions.get({ transactionReference: '' }), /transactionReference is missing/)
  const [created] = await kobo.subAccounts.create({
    subAccounts: [
      {
        currencyCode: 'NGN',
        bankCode: '058',
        accountNumber: '0123456789',
        email: 'ada@example.com',
        defaultSplitPercentage: 20,
      },
    ],
  })
  assert.ok(created)
  await kobo.subAccounts.delete({ subAccountCode: created.subAccountCode })
  assert.deepEqual(await kobo.subAccounts.list(), [])
})

test('a call ends on timeout and on abort', async (t) => {
  const { connect, NoResponse } = await packedSdk()
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const kobo = connect({ baseUrl, apiKey: 'MK', secretKey: randomUUID(), timeoutSeconds: 0.05, attemptsMax: 2 })
  const error = await kobo.banks.list().catch((reason) => reason)
  assert.ok(error instanceof NoResponse)
  assert.match(error.message, /did not respond within 0.05 s/)
  const signal = AbortSignal.abort(new Error('enough'))
  await assert.rejects(
    connect({ baseUrl, apiKey: 'MK', secretKey: 'S' }).sandbox.enquireName(
      { bankCode: '058', accountNumber: '0123456789' },
      { signal },
    ),
    /enough/,
  )
})

test('the sandbox tells onWarning which field it does not know', async () => {
  const { connect } = await packedSdk()
  const warnings: string[] = []
  const shop = await aShop()
  const kobo = connect({ ...shop.credentials, onWarning: (message) => warnings.push(message) })
  await kobo.banks.list()
  assert.deepEqual(warnings, [])
  await kobo.transactions.init({ ...aTransaction(shop), ...{ custmerName: 'Ada Obi' } })
  assert.deepEqual(warnings, ['custmerName is not a field of this request, and was ignored'])
})

test('keys are sent over https, to this machine, or with allowHttp; a missing key is an error', async () => {
  const { connect } = await packedSdk()
  const keys = { apiKey: 'MK', secretKey: 'S' }
  assert.throws(() => connect({ ...keys, baseUrl: 'http://pay.example.com' }), /must start with https/)
  for (const baseUrl of ['localhost:8700', 'pay.example.com', ''])
    assert.throws(() => connect({ ...keys, baseUrl }), {
      message: `baseUrl must start with https://, or http:// on this machine; it is '${baseUrl}'`,
    })
  assert.throws(() => connect({ ...keys, baseUrl: 'https://pay.example.com/?a=1' }), /must not have a query/)
  assert.throws(() => connect({ ...keys, secretKey: '', baseUrl: 'https://pay.example.com' }), /secretKey is missing/)
  for (const baseUrl of ['https://pay.example.com/', 'http://localhost:8080', 'http://[::1]:8080'])
    assert.ok(connect({ ...keys, baseUrl }))
  assert.ok(connect({ ...keys, baseUrl: 'http://gateway:8080', allowHttp: true }))
})
