import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import type { FastifyRequest } from 'fastify'
import { authenticate } from '../../../src/core/edge/http/access.ts'
import { findMerchantId, rotateSecret } from '../../../src/core/merchants/index.ts'
import { insertSecret } from '../../../src/core/merchants/repository.ts'
import { secretContext } from '../../../src/core/merchants/secrets.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { accessTokens } from '../../../src/platform/http/access-tokens.ts'
import { aShop, basic, gateway, type Shop } from '../../harness/gateway.ts'
import { type ApiResponse, checkFailure, checkReply } from '../../harness/responses.ts'
import { anAccount, pay } from '../../harness/samples.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

const BANKS = contract.listBanks.path

const login = (shop: Shop, authorization: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  shop.send('POST', contract.login.path, { headers: { authorization, ...headers } })
const loginStatus = async (shop: Shop, secretKey: string): Promise<number> =>
  (await login(shop, basic({ apiKey: shop.credentials.apiKey, secretKey }))).status
const demoId = async (shop: Shop): Promise<bigint> => (await findMerchantId(shop.db)) ?? assert.fail('no merchant')
const tokensOf = (shop: Shop, secondsAgo = 0) =>
  accessTokens(shop.core.keyring.tokenKeys, {
    now: () => secondsAfter(shop.core.wall.now(), -secondsAgo),
  })
const base64 = (text: string): string => Buffer.from(text).toString('base64')

test('login accepts the keys in every form of Basic, and returns a token for 3600 seconds', async () => {
  const shop = await aShop()
  const { apiKey, secretKey } = shop.credentials
  assert.match(apiKey, /^MK_TEST_[A-Z0-9]{10}$/)
  assert.match(secretKey, /^[A-Z0-9]{32}$/)
  const encoded = base64(`${apiKey}:${secretKey}`)
  const forms = [
    `Basic ${encoded}`,
    `basic ${encoded}`,
    `BASIC  ${encoded}`,
    `Basic ${encoded.replaceAll('=', '')}`,
    `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64url')}`,
  ]
  for (const form of forms) {
    const response = await login(shop, form)
    assert.equal(response.status, 200, form)
    checkReply(contract.login, response)
    const { accessToken, expiresIn } = response.body.responseBody as contract.Reply<typeof contract.login>
    assert.match(accessToken, /^[\w-]+\.[\w-]+\.[\w-]+$/)
    assert.equal(expiresIn, 3600)
  }
})

test('a secret key may contain colons', async (t) => {
  const shop = await gateway(t)
  const id = await demoId(shop)
  const sealed = shop.core.keyring.seal('a:b::c', secretContext(id))
  await shop.core.directory.change(id, ({ tx, ids, at }) =>
    insertSecret(tx, {
      merchantId: id,
      id: ids.id(),
      sealed,
      createdAt: at,
      firstUsedAt: null,
      expiresAt: null,
      madeBy: null,
    }),
  )
  assert.equal(await loginStatus(shop, 'a:b::c'), 200)
  assert.equal(await loginStatus(shop, 'a'), 401)
})

test('a login without a header says so; every other failure has the same response', async () => {
  const shop = await aShop()
  const { apiKey, secretKey } = shop.credentials
  const missing = await login(shop, '')
  assert.equal(missing.status, 401)
  assert.match(checkFailure(missing).message, /missing/)
  const wrong = [
    basic({ apiKey: 'MK_TEST_0000000000', secretKey }),
    basic({ apiKey, secretKey: `${secretKey}0` }),
    basic({ apiKey, secretKey: secretKey.toLowerCase() }),
    basic({ apiKey: '', secretKey: '' }),
    basic({ apiKey: `${apiKey}\0`, secretKey }),
    `Basic ${base64(apiKey)}`,
    'Basic',
    'Basic ????',
    `Bearer ${shop.token}`,
    `${base64(`${apiKey}:${secretKey}`)}`,
  ]
  const responses = await Promise.all(wrong.map((authorization) => login(shop, authorization)))
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [401])
  assert.equal(new Set(responses.map(({ text }) => text)).size, 1)
  assert.notEqual(responses[0]?.text, missing.text)
})

test('a missing, a malformed and an expired token are 401, each with its own message', async (t) => {
  const shop = await gateway(t)
  const id = await demoId(shop)
  const secretId = (await shop.core.directory.byId(id))?.secrets[0]?.id ?? 0n
  const messages = async (authorizations: readonly string[]): Promise<readonly string[]> => {
    const responses = await Promise.all(
      authorizations.map((authorization) => shop.send('GET', BANKS, { headers: { authorization } })),
    )
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [401])
    return [...new Set(responses.map((response) => checkFailure(response).message))]
  }
  const { tokenKeys } = shop.core.keyring
  const [header = '', payload = '', signature = ''] = shop.token.split('.')
  const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`
  const other = Buffer.from(JSON.stringify({ sub: '1', exp: 9_999_999_999 })).toString('base64url')
  const missing = await messages(['', 'Bearer', 'Bearer ', basic(shop.credentials), shop.token])
  const malformed = await messages([
    'Bearer x',
    `Bearer ${unsigned}`,
    `Bearer ${header}.${other}.${signature}`,
    `Bearer ${accessTokens({ ...tokenKeys, current: () => ({ ...tokenKeys.current(), key: Buffer.alloc(32) }) }, shop.core.wall).sign(id, secretId)}`,
    `Bearer ${tokensOf(shop).sign(1n, secretId)}`,
  ])
  const expired = await messages([`Bearer ${tokensOf(shop, 3_600).sign(id, secretId)}`])
  assert.equal(new Set([...missing, ...malformed, ...expired]).size, 3)
  const almost = `bearer ${tokensOf(shop, 3_590).sign(id, secretId)}`
  assert.equal((await shop.send('GET', BANKS, { headers: { authorization: almost } })).status, 200)
})

test('tokens expire by real time, not by the sandbox clock', async () => {
  const shop = await aShop()
  await shop.advance(7_200)
  await shop.call(contract.listBanks, {})
})

test('a rotated secret stays valid next to the new one, and signs events until the new one has logged in', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await gateway(t)
  const { core, credentials } = shop
  await shop.call(contract.changeSettings, { body: { webhookUrl: events.url } })
  const id = await demoId(shop)
  const overlapEnds = secondsAfter(core.clock.now(), 3_600)
  const secretKey = await core.directory.change(id, (unit) => rotateSecret(unit, core.keyring, id, overlapEnds))

  /** The key that signed the nth event. */
  const signer = async (nth: number): Promise<string> => {
    await pay(shop, await anAccount(shop), 5_000)
    const event = (await events.count(nth))[nth - 1]
    const signed = (key: string): boolean =>
      event?.headers['service-signature'] ===
      createHmac('sha512', key)
        .update(event?.body ?? '')
        .digest('hex')
    return signed(credentials.secretKey) ? 'old' : signed(secretKey) ? 'new' : 'neither'
  }
  assert.equal(await signer(1), 'old')
  assert.equal(String(events.received[0]?.headers['webhook-signature']).split(' ').length, 2)
  assert.equal(await loginStatus(shop, credentials.secretKey), 200)
  assert.equal(await signer(2), 'old')
  assert.equal(await loginStatus(shop, secretKey), 200)
  assert.equal(await signer(3), 'new')
  assert.equal(await loginStatus(shop, credentials.secretKey), 200)

  await shop.advance(3_601)
  assert.equal(await loginStatus(shop, credentials.secretKey), 401)
  assert.equal(await loginStatus(shop, secretKey), 200)
})

test('the whitelist takes addresses and ranges, covers login, and leaves /sandbox open to undo it', async () => {
  const shop = await aShop()
  const allowed = async (ipWhitelist: string[]): Promise<boolean> => {
    await shop.call(contract.changeSettings, { body: { ipWhitelist } })
    const responses = await Promise.all([shop.send('GET', BANKS), login(shop, basic(shop.credentials))])
    for (const response of responses)
      if (response.status === 403) assert.equal(checkFailure(response).responseCode, '99')
    const statuses = [...new Set(responses.map(({ status }) => status))]
    assert.ok(statuses.length === 1 && (statuses[0] === 200 || statuses[0] === 403), String(statuses))
    return statuses[0] === 200
  }
  for (const range of ['127.0.0.1', '127.0.0.0/8', '127.0.0.1/32', '0.0.0.0/0'])
    assert.equal(await allowed(['10.0.0.1', range]), true, range)
  for (const ranges of [[], ['127.0.0.2'], ['128.0.0.0/8'], ['10.0.0.0/8', '2001:db8::/32']])
    assert.equal(await allowed(ranges), false, String(ranges))
  for (const ipWhitelist of [['localhost'], ['127.0.0.1/33'], ['1.2.3'], ['::1/129'], [''], [1], '127.0.0.1'])
    assert.match((await shop.rejected(400, contract.changeSettings, { body: { ipWhitelist } })).message, /^ipWhitelist/)
  await shop.call(contract.changeSettings, { body: { ipWhitelist: null } })
  await shop.call(contract.listBanks, {})
})

test('a forwarded address counts only from a trusted proxy, and only its nearest untrusted hop', async (t) => {
  const env = { KOBO_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' }
  const [direct, proxied] = await Promise.all([gateway(t), gateway(t, { env })])
  const status = async (shop: Shop, forwarded: string): Promise<number> =>
    (await shop.send('GET', BANKS, { headers: forwarded === '' ? {} : { 'x-forwarded-for': forwarded } })).status
  for (const shop of [direct, proxied])
    await shop.call(contract.changeSettings, { body: { ipWhitelist: ['203.0.113.7'] } })

  assert.equal(await status(direct, '203.0.113.7'), 403)
  assert.equal(await status(proxied, ''), 403)
  assert.equal(await status(proxied, '203.0.113.7'), 200)
  assert.equal(await status(proxied, '198.51.100.1, 203.0.113.7, 10.1.2.3'), 200)
  assert.equal(await status(proxied, '203.0.113.7, 198.51.100.1'), 403)
  assert.equal(await status(proxied, 'unknown'), 403)
  assert.equal((await login(proxied, basic(proxied.credentials), { 'x-forwarded-for': '203.0.113.7' })).status, 200)
})

test('without the permission of a route, the merchant gets 403', async (t) => {
  const shop = await gateway(t)
  const request = { headers: { authorization: `Bearer ${shop.token}` }, ip: '127.0.0.1' } as FastifyRequest
  const asBills = async () =>
    authenticate({ core: shop.core, tokens: tokensOf(shop) }, { ...contract.listBanks, permission: 'bills' }, request)
  await assert.rejects(asBills, {
    status: 403,
    responseCode: '99',
    message: 'Merchant is not permitted to perform this operation',
  })
  await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
  assert.equal((await asBills()).apiKey, shop.credentials.apiKey)
})

test('a caller over the limit gets 429 with Retry-After, other callers do not', async (t) => {
  const env = { KOBO_RATE_LIMIT: '5', KOBO_TRUSTED_PROXIES: '127.0.0.1' }
  const shop = await gateway(t, { env })
  const request = (from: string): Promise<ApiResponse> =>
    shop.send('POST', contract.login.path, { headers: { 'x-forwarded-for': from, authorization: '' } })
  const responses = []
  for (let n = 0; n < 6; n++) responses.push(await request('198.51.100.1'))
  assert.deepEqual(
    responses.map(({ status }) => status),
    [401, 401, 401, 401, 401, 429],
  )
  const last = responses.at(-1) ?? assert.fail()
  checkFailure(last)
  assert.match(last.headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/)
  assert.equal((await request('198.51.100.2')).status, 401)
})
