import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { approveWaiting, coverApi, FRESH, waiting } from '../../harness/approval-samples.ts'
import { aShop, basic, type Client, client, gateway, type Shop } from '../../harness/gateway.ts'
import { aTransaction, aTransfer } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember, OWN_PAGE, type TestUser } from '../../harness/users.ts'

type NewKey = contract.Input<typeof contract.createRestrictedKey>['body']

const create = (person: TestUser, scopes: NewKey['scopes'], more: Partial<NewKey> = {}) =>
  person.call(contract.createRestrictedKey, { body: { name: 'Shop', scopes, ...more } })

/** A client that has logged in with a secret key. */
const withKey = (shop: Shop, secretKey: string): Promise<Client> => client(shop.url, { ...shop.credentials, secretKey })

const loginStatus = async (shop: Shop, secretKey: string): Promise<number> =>
  (
    await shop.send('POST', contract.login.path, {
      headers: { authorization: basic({ ...shop.credentials, secretKey }) },
    })
  ).status

test('a restricted key does what its scopes allow, and a rejection names the missing scope', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const { secretKey, key } = await create(owner, ['collect.make', 'payer.read'])
  assert.match(secretKey, /^RK_TEST_[A-Z0-9]{32}$/)
  assert.deepEqual([key.environment, key.hint], ['sandbox', `RK_TEST_…${secretKey.slice(-4)}`])
  const restricted = await withKey(shop, secretKey)
  const { transactionReference } = await restricted.call(contract.initTransaction, { body: aTransaction(shop) })
  const seen = await restricted.call(contract.getTransaction, { params: { transactionReference } })
  assert.equal(seen.customer.name, 'Ada Obi')
  await restricted.call(contract.listBanks, {})
  const rejected = await restricted.rejected(403, contract.initiateTransfer, { body: await aTransfer(shop) })
  assert.deepEqual(
    [rejected.code, rejected.message],
    ['SCOPE_MISSING', 'This API key does not have the scope payout.make: use a key that has it'],
  )
  await shop.call(contract.initiateTransfer, { body: await aTransfer(shop) })
})

test('every route of the API rejects a key without its scope', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const weak = await withKey(shop, (await create(owner, ['sandbox.use'])).secretKey)
  const routes = contract.ROUTES.map(({ route }) => route).filter(
    (route) => (route.access ?? 'token') === 'token' && !['sandbox.use', undefined].includes(contract.scopeOf(route)),
  )
  assert.ok(routes.length > 70, `${routes.length} routes`)
  for (const route of routes) {
    const response = await weak.send(route.method, route.path.replaceAll(/:\w+/g, '1'))
    assert.equal(response.headers.get('kobo-refusal'), 'SCOPE_MISSING', `${route.method} ${route.path}`)
  }
})

test('a revoked or expired key stops at once with its tokens, and a key works only from its own addresses', async (t) => {
  const shop = await gateway(t)
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const made = await create(owner, ['money.read'])
  const restricted = await withKey(shop, made.secretKey)
  await restricted.call(contract.listPaymentLinks, { query: {} })
  const developer = await aTeamMember(shop, 'developer', FRESH)
  await developer.call(contract.revokeRestrictedKey, { params: { id: made.key.id } })
  await restricted.rejected(401, contract.listPaymentLinks, { query: {} })
  assert.equal(await loginStatus(shop, made.secretKey), 401)
  assert.equal(
    (await developer.rejected(404, contract.revokeRestrictedKey, { params: { id: made.key.id } })).code,
    'UNKNOWN_KEY',
  )

  const away = await create(owner, ['money.read'], { ipWhitelist: ['203.0.113.0/24'] })
  assert.equal(await loginStatus(shop, away.secretKey), 403)
  assert.equal(
    await loginStatus(shop, (await create(owner, ['money.read'], { ipWhitelist: ['127.0.0.1'] })).secretKey),
    200,
  )

  const short = await create(owner, ['money.read'], { expiresInDays: 1 })
  const expiring = await withKey(shop, short.secretKey)
  await expiring.call(contract.listPaymentLinks, { query: {} })
  await shop.advance(86_401)
  await expiring.rejected(401, contract.listPaymentLinks, { query: {} })
  assert.equal(await loginStatus(shop, short.secretKey), 401)
  const listed = (await developer.call(contract.getKeys, {})).restrictedKeys
  assert.ok(!listed.some(({ id }) => [made.key.id, short.key.id].includes(id)))
  assert.equal(listed.length, 2)
})

test('no one gives a key a right that they lack', async () => {
  const shop = await aShop()
  const refusal = async (person: TestUser, scopes: NewKey['scopes']) =>
    (await person.rejected(403, contract.createRestrictedKey, { body: { name: 'Mine', scopes } })).code
  const developer = await aTeamMember(shop, 'developer', FRESH)
  await create(developer, ['money.read', 'developer.read', 'developer.manage', 'sandbox.use'])
  const admin = await aTeamMember(shop, 'admin', FRESH)
  await create(admin, ['collect.make', 'payer.read', 'balances.read', 'payout.read', 'identity.verify'])
  for (const scope of ['payer.read', 'collect.make', 'refund.make', 'payout.make', 'terms.manage'] as const)
    assert.equal(await refusal(developer, ['money.read', scope]), 'SCOPE_TOO_HIGH', scope)
  for (const scope of ['refund.make', 'payout.make', 'terms.manage'] as const)
    assert.equal(await refusal(admin, [scope]), 'SCOPE_TOO_HIGH', scope)
  for (const role of ['finance', 'support', 'viewer'] as const)
    assert.equal(await refusal(await aTeamMember(shop, role, FRESH), ['money.read']), 'ROLE_NOT_ALLOWED')
  const stale = await aTeamMember(shop, 'owner', { secondFactor: 'shown' })
  assert.equal(await refusal(stale, ['money.read']), 'SECOND_FACTOR_NOT_FRESH')
  const owner = await aTeamMember(shop, 'owner', FRESH)
  await shop.db`
    update membership set rights_from = ${new Date(shop.core.clock.now().getTime() + 3_600_000)}
     where merchant_id = ${shop.merchantId} and person_id = ${owner.personId}`
  assert.equal(await refusal(owner, ['payout.make']), 'SCOPE_TOO_HIGH', 'a new owner waits for a day')
  for (const scopes of [[], ['everything'], ['payout.approve'], ['keys.manage']])
    await owner.rejected(400, contract.createRestrictedKey, { body: { name: 'Mine', scopes } })
})

test('a key without payer.read gets customers masked, and one without terms.manage sends no splits', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const { secretKey } = await create(owner, ['collect.make', 'money.read', 'developer.read'])
  const restricted = await withKey(shop, secretKey)
  const body = aTransaction(shop)
  await shop.call(contract.initTransaction, { body })
  const find = async (who: Client) =>
    (await who.call(contract.listMerchantRequests, { query: { reference: body.paymentReference } })).content[0]
  await until('the request is logged', async () => (await find(shop)) !== undefined)
  assert.match((await find(shop))?.requestBody ?? '', /ada@example\.com/)
  assert.doesNotMatch((await find(restricted))?.requestBody ?? '', /ada@example\.com|Ada Obi/)

  const [first] = await shop.call(contract.createSubAccounts, {
    body: [
      {
        currencyCode: 'NGN',
        bankCode: '058',
        accountNumber: '0123456785',
        email: 'sub@example.com',
        defaultSplitPercentage: 50,
      },
    ],
  })
  const incomeSplitConfig = [{ subAccountCode: first?.subAccountCode ?? '', splitPercentage: 100, feeBearer: true }]
  const split = { ...aTransaction(shop), incomeSplitConfig }
  const rejected = await restricted.rejected(403, contract.initTransaction, { body: split })
  assert.match(rejected.message, /terms\.manage/)
  await restricted.call(contract.initTransaction, { body: aTransaction(shop) })
})

test('the creator of a key that pays out does not approve its payouts alone; of another key, they do', async () => {
  const shop = await aShop()
  await coverApi(shop)
  const [reader, payer] = [await aTeamMember(shop, 'owner', FRESH), await aTeamMember(shop, 'owner', FRESH)]
  await create(reader, ['payout.read', 'collect.make'])
  const body = { name: 'Shop', scopes: ['payout.make' as const] }
  await payer.rejected(403, contract.createRestrictedKey, { body })
  await approveWaiting(reader)
  const { secretKey } = await payer.call(contract.createRestrictedKey, { body })
  const server = await withKey(shop, secretKey)
  const approve = async (person: TestUser) => {
    const { id, hash } = await waiting(person)
    return person.call(contract.approve, { params: { id }, body: { hash } })
  }
  await server.call(contract.initiateTransfer, { body: await aTransfer(shop) })
  assert.deepEqual(await approve(payer).then(({ status, approvalsLeft }) => [status, approvalsLeft]), [
    'PENDING_AUTHORIZATION',
    1,
  ])
  assert.equal((await approve(reader)).status, 'SUCCESS')
  await server.call(contract.initiateTransfer, { body: await aTransfer(shop, { amount: 6_000 }) })
  assert.equal((await approve(reader)).status, 'SUCCESS', 'their key moves no money out')
})

test('a secret key is stored as a hash; the audit log and the merchant’s mail name the key and its creator', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const { secretKey, key } = await create(owner, ['collect.make'], { name: 'Till' })
  assert.equal((await owner.call(contract.getKeys, {})).restrictedKeys[0]?.lastUsedAt, null)
  const till = await withKey(shop, secretKey)
  const [listed] = (await owner.call(contract.getKeys, {})).restrictedKeys
  assert.deepEqual([listed?.id, listed?.createdBy, listed?.lastUsedAt === null], [key.id, 'Test owner', false])
  assert.ok(!JSON.stringify(listed).includes(secretKey))
  const [stored] = await shop.db<{ text: string }[]>`
    select string_agg(k::text, ' ') as text from restricted_key k where merchant_id = ${shop.merchantId}`
  assert.ok(!stored?.text.includes(secretKey))
  await till.send('POST', contract.chargeCardToken.path, { body: {} })
  await owner.call(contract.revokeRestrictedKey, { params: { id: key.id } })
  const acts = await shop.db<{ act: string; actor: string; name: string; text: string }[]>`
    select act, actor, name, a::text as text from audit a where merchant_id = ${shop.merchantId} order by id`
  const { apiKey } = shop.credentials
  assert.deepEqual(
    acts.filter(({ act, name }) => act.startsWith('key.') || name.includes('Till')).map(({ act, name }) => [act, name]),
    [
      ['key.create', owner.email],
      ['login', `${apiKey} Till`],
      ['key.revoke', owner.email],
    ],
  )
  assert.ok(!acts.some(({ text }) => text.includes(secretKey)))
  await until('the merchant is notified', async () =>
    (await shop.call(contract.readInbox, { query: {} })).some(({ text }) =>
      text.includes(`created the key ${key.hint} (Till). It cannot move money.`),
    ),
  )
})

test('the response with a new key is stored nowhere, also if the request may be repeated', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const { csrf } = await owner.call(contract.whoAmI, {})
  const headers = { ...OWN_PAGE, [contract.CSRF_HEADER]: csrf, 'idempotency-key': 'again' }
  for (const [route, body] of [
    [contract.createRestrictedKey, { name: 'Till', scopes: ['money.read'] }],
    [contract.rotateKey, { overlapHours: 1 }],
  ] as const) {
    assert.equal((await owner.send(route, { body }, headers)).status, 200)
    const repeated = await owner.send(route, { body }, headers)
    assert.deepEqual([repeated.status, repeated.headers.get('idempotent-replayed')], [200, null])
  }
  assert.equal((await shop.db`select from idempotency_key where merchant_id = ${shop.merchantId}`).count, 0)
})

test('a repeated request of another key gets no response of the first', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const [one, other] = await Promise.all(
    ['One', 'Other'].map(async (name) => withKey(shop, (await create(owner, ['collect.make'], { name })).secretKey)),
  )
  const sent = { headers: { 'idempotency-key': 'order-1' }, body: aTransaction(shop) }
  const send = (who: Client | undefined) => who?.send('POST', contract.initTransaction.path, sent)
  assert.equal((await send(one))?.status, 200)
  assert.equal((await send(one))?.headers.get('idempotent-replayed'), 'true')
  assert.equal((await send(other))?.headers.get('idempotent-replayed'), null)
})

test('a merchant has a bounded number of restricted keys', async () => {
  const shop = await aShop()
  const developer = await aTeamMember(shop, 'developer', FRESH)
  await create(developer, ['money.read'])
  await shop.db`
    insert into restricted_key (merchant_id, id, name, scopes, secret_hash, hint, made_by, created_at)
    select merchant_id, id + n, name, scopes, secret_hash, hint, made_by, created_at
      from restricted_key, generate_series(1, ${contract.RESTRICTED_KEYS_MAX - 2}) n
     where merchant_id = ${shop.merchantId}`
  const responses = await Promise.all(
    [1, 2, 3].map(() =>
      developer.send(contract.createRestrictedKey, { body: { name: 'Last', scopes: ['money.read'] } }),
    ),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 422, 422])
})
