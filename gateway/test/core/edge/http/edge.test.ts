import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { startGateway } from '../../../../src/app/compose.ts'
import { deleteOldCounts } from '../../../../src/core/security/limits.ts'
import { secondsAfter } from '../../../../src/kernel/clock.ts'
import { readConfig } from '../../../../src/platform/config/config.ts'
import { openLog } from '../../../../src/platform/observability/log.ts'
import { signedHeaders } from '../../../../src/rails/http/index.ts'
import { aShop, basic, gateway, type TestGateway } from '../../../harness/gateway.ts'
import { type ApiResponse, checkFailure, parseEnvelope } from '../../../harness/responses.ts'
import { aTransaction, checkoutReferenceOf } from '../../../harness/samples.ts'
import { sendRequest } from '../../../harness/send-request.ts'
import { RAILS_SECRET } from '../../../rails/adapter.ts'

const LIVE = { KOBO_ENVIRONMENT: 'live' }
const PROXIED = { KOBO_TRUSTED_PROXIES: '127.0.0.1' }
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address })
const get = async (url: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  parseEnvelope(await sendRequest({ method: 'GET', url, headers }))

/** Another process that serves from the same database. */
async function anotherNode(t: TestContext, shop: TestGateway, env: Record<string, string>): Promise<string> {
  const config = readConfig({ PORT: '0', ...env })
  const { url, close } = await startGateway(shop.core, config, openLog('silent'), { serves: true, works: false })
  t.after(close)
  return url
}

const logIn = async (url: string, apiKey: string, secretKey: string, address: string): Promise<ApiResponse> =>
  parseEnvelope(
    await sendRequest({
      method: 'POST',
      url: url + contract.login.path,
      headers: { authorization: basic({ apiKey, secretKey }), ...from(address) },
    }),
  )

test('no API response, error or page with customer data may be cached', async () => {
  const shop = await aShop()
  const { checkoutUrl } = await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  const reference = encodeURIComponent(checkoutReferenceOf(checkoutUrl))
  const login = await shop.send('POST', contract.login.path, { headers: { authorization: basic(shop.credentials) } })
  const responses = [
    login,
    await shop.send('GET', contract.searchTransactions.path),
    await shop.send('GET', contract.searchTransactions.path, { headers: { authorization: '' } }),
    await shop.send('GET', '/nowhere'),
    await shop.send('GET', `/checkout/${reference}`),
    await shop.send('GET', `/checkout/${reference}/state`),
    await shop.send('GET', '/metrics'),
  ]
  assert.deepEqual(
    responses.map(({ status, headers }) => [status, headers.get('cache-control')]),
    [200, 200, 401, 404, 200, 200, 200].map((status) => [status, 'no-store']),
  )
})

test('live sends Strict-Transport-Security; a sandbox does not', async (t) => {
  const live = await gateway(t, { env: LIVE })
  for (const path of ['/', '/docs', '/nowhere', contract.listBanks.path])
    assert.match((await get(live.url + path)).headers.get('strict-transport-security') ?? '', /^max-age=\d{8}$/, path)
  const { url } = await aShop()
  assert.equal((await get(url)).headers.get('strict-transport-security'), null)
})

test('a sandbox accepts only host names of this machine, so that no other site can read it; live mode accepts all', async (t) => {
  const shop = await aShop()
  for (const path of [contract.listBanks.path, '/demo-shop', '/nowhere', '/plugin/checkout.js']) {
    const rejected = await shop.send('GET', path, { headers: { host: 'rebound.example.com' } })
    assert.equal(rejected.status, 403, path)
    assert.match(rejected.text, path === '/demo-shop' ? /rebound\.example\.com/ : /"requestSuccessful":false/)
  }
  for (const host of ['localhost', '127.0.0.1:8080', 'gateway:8080'])
    assert.equal((await shop.send('GET', contract.listBanks.path, { headers: { host } })).status, 200, host)
  const live = await gateway(t, { env: LIVE })
  const headers = { host: 'pay.example.com' }
  assert.equal((await live.send('GET', contract.listBanks.path, { headers })).status, 200)
})

test('expensive requests are rate-limited per network on every path, and health checks never are', async (t) => {
  const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '3', ...PROXIED } })
  for (const path of ['/metrics', '/health/ready', '/docs', '/openapi.json', '/plugin/checkout.js', '/nowhere', '/']) {
    const statuses: number[] = []
    const block = `2c0f:f00:0:${path.length.toString(16)}${path.charCodeAt(1) || 1}`
    for (let nth = 0; nth < 4; nth++) statuses.push((await get(shop.url + path, from(`${block}::${nth}`))).status)
    assert.deepEqual(statuses.slice(0, 3), Array(3).fill(path === '/nowhere' ? 404 : 200), path)
    assert.equal(statuses[3], 429, path)
  }
  for (let nth = 0; nth < 10; nth++)
    assert.equal((await get(`${shop.url}/health/live`, from('2c0f:f00::1'))).status, 200)
})

test('a page of another site can read that it is rate-limited', async (t) => {
  const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '1', ...PROXIED } })
  const send = () => shop.send('POST', contract.inlineCheckout.path, { headers: from('198.51.100.9'), body: {} })
  assert.equal((await send()).status, 400)
  const rejected = await send()
  assert.equal(rejected.status, 429)
  assert.equal(rejected.headers.get('access-control-allow-origin'), '*')
})

test('requests signed by the adapter are not counted, and wrongly signed ones are delayed', async (t) => {
  const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '2', KOBO_RAILS_SECRET: RAILS_SECRET, ...PROXIED } })
  const notify = async (headers: Record<string, string>): Promise<number> =>
    (await shop.send('POST', '/rails/credits', { headers, body: '{}' })).status
  const signed = () => signedHeaders(RAILS_SECRET, shop.core.wall, 'credits', '{}')
  for (let nth = 0; nth < 5; nth++)
    assert.equal(await notify({ ...from('198.51.100.1'), ...signed() }), 400, 'it is read, and is not a credit')
  const statuses: number[] = []
  for (let nth = 0; nth < 62; nth++) statuses.push(await notify(from('198.51.100.9')))
  assert.deepEqual(statuses, [...Array(60).fill(401), 429, 429])
  assert.equal(await notify({ ...from('198.51.100.1'), ...signed() }), 400)
})

test('wrong keys are counted over all nodes and lock out only the caller who sends them', async (t) => {
  const env = { KOBO_RATE_LIMIT: '100000', ...PROXIED }
  const shop = await gateway(t, { env })
  await shop.call(contract.changeSettings, { body: { ipWhitelist: ['0.0.0.0/0'] } })
  const other = await anotherNode(t, shop, env)
  const { apiKey, secretKey } = shop.credentials
  const wrong = `${secretKey.slice(1)}0`
  for (let nth = 0; nth < 20; nth++) {
    const { status } = await logIn(nth % 2 === 0 ? shop.url : other, apiKey, wrong, '198.51.100.1')
    assert.equal(status, 401, String(nth))
  }
  for (const url of [shop.url, other]) {
    const rejected = await logIn(url, apiKey, secretKey, '198.51.100.1')
    assert.equal(rejected.status, 429)
    checkFailure(rejected)
    assert.ok(Number(rejected.headers.get('retry-after')) > 0)
    assert.equal((await logIn(url, apiKey, secretKey, '198.51.100.2')).status, 200, 'from elsewhere')
  }
  const neighbour = await shop.anotherMerchant()
  await neighbour.call(contract.changeSettings, { body: { ipWhitelist: ['0.0.0.0/0'] } })
  const { credentials } = neighbour
  assert.equal((await logIn(shop.url, credentials.apiKey, credentials.secretKey, '198.51.100.1')).status, 200)
  assert.equal((await logIn(shop.url, 'MK_TEST_0000000000', secretKey, '198.51.100.1')).status, 401)

  const later = { now: () => secondsAfter(shop.core.wall.now(), 601) }
  assert.equal(await deleteOldCounts(shop.db, shop.core.wall, 10), 0)
  assert.equal(await deleteOldCounts(shop.db, later, 10), 2)
  assert.equal((await logIn(shop.url, apiKey, secretKey, '198.51.100.1')).status, 200)
})

test('from outside the whitelist a right secret and a wrong one get the same response', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { ipWhitelist: ['192.0.2.1'] } })
  const { apiKey, secretKey } = shop.credentials
  const [right, wrong] = await Promise.all(
    [secretKey, 'wrong'].map((secret) => logIn(shop.url, apiKey, secret, '127.0.0.1')),
  )
  assert.deepEqual([right?.status, right?.text], [403, wrong?.text])
})
