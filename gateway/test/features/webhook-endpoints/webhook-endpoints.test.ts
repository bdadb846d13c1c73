import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { changeSettings } from '../../../src/features/settings/index.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { asOwner } from '../../harness/postgres.ts'
import { anAccount, pay } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember } from '../../harness/users.ts'
import { type ReceivedEvent, webhookEndpoint } from '../../harness/webhook-endpoint.ts'

type NewEndpoint = contract.Input<typeof contract.createWebhookEndpoint>['body']

const add = (shop: Shop, body: NewEndpoint) => shop.call(contract.createWebhookEndpoint, { body })
const paid = async (shop: Shop) => pay(shop, await anAccount(shop), 5_000)
const types = (received: readonly ReceivedEvent[]): string[] => received.map(({ event }) => event.eventType)

/** The deliveries to an endpoint, as its log shows them. */
const logOf = async (shop: Shop, endpointId: string, query: object = {}) =>
  (await shop.call(contract.listMerchantEvents, { query: { endpointId, ...query } })).content

/** The keys whose signature is in `webhook-signature`. */
const signersOf = ({ headers, body }: ReceivedEvent, keys: readonly string[]): readonly string[] => {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signatures = String(headers['webhook-signature']).split(' ')
  return keys.filter((key) => signatures.includes(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`))
}
const serviceSignature = (key: string, { body }: ReceivedEvent): string =>
  createHmac('sha512', key).update(body).digest('hex')

test('each endpoint receives its types on its own: one that fails holds up no other, and the default URL changes in nothing', async (t) => {
  const [first, payments, wallets] = [
    await webhookEndpoint(t),
    await webhookEndpoint(t),
    await webhookEndpoint(t, () => 500),
  ]
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { webhookUrl: first.url } })
  const all = await add(shop, { url: payments.url, description: 'Accounting' })
  const some = await add(shop, { url: wallets.url, eventTypes: ['SUCCESSFUL_TRANSACTION', 'SETTLEMENT'] })
  assert.deepEqual([all.endpoint.eventTypes, all.endpoint.isPaused, all.endpoint.waiting], [null, false, 0])
  await paid(shop)
  await shop.call(contract.fundWallet, { body: { amount: 100 } })
  await payments.count(2)
  await first.count(2)
  await wallets.count(1)
  assert.deepEqual(types(payments.received).sort(), ['ACCOUNT_ACTIVITY', 'SUCCESSFUL_TRANSACTION'])
  assert.deepEqual(types(wallets.received), ['SUCCESSFUL_TRANSACTION'])

  const [sent] = payments.received
  const [same] = first.received.filter(({ event }) => event.eventType === sent?.event.eventType)
  assert.ok(sent !== undefined && same !== undefined)
  assert.deepEqual([sent.body, sent.headers['webhook-id']], [same.body, same.headers['webhook-id']])
  assert.deepEqual(signersOf(sent, [all.secretKey, some.secretKey, shop.credentials.secretKey]), [all.secretKey])
  assert.equal(sent.headers['service-signature'], serviceSignature(all.secretKey, sent))
  assert.deepEqual(signersOf(same, [all.secretKey, shop.credentials.secretKey]), [shop.credentials.secretKey])
  assert.equal(same.headers['service-signature'], serviceSignature(shop.credentials.secretKey, same))

  const list = () => shop.call(contract.listWebhookEndpoints, {})
  await until('the failure is stored', async () => (await list())[1]?.failures.length === 1)
  await until('both deliveries are stored', async () => (await list())[0]?.waiting === 0)
  const [good, bad] = await list()
  assert.deepEqual([good?.deliveredCount, good?.failures, good?.oldestWaitingOn], [2, [], null])
  assert.ok(good?.lastDeliveredOn !== null && good?.medianMilliseconds !== null)
  assert.deepEqual([bad?.deliveredCount, bad?.failures[0]?.status, bad?.waiting], [0, 500, 1])
  assert.ok(bad?.lastDeliveredOn === null && bad?.oldestWaitingOn !== null)
  wallets.respond = () => 200
  await shop.advance(10)
  await wallets.count(2)
  await until('it is delivered at last', async () => (await logOf(shop, some.endpoint.id))[0]?.status === 'DELIVERED')
  const [delivery] = await logOf(shop, some.endpoint.id)
  assert.deepEqual(
    delivery?.attempts.map(({ status, url, endpointId }) => [status, url, endpointId]),
    [500, 200].map((status) => [status, wallets.url, some.endpoint.id]),
  )
  assert.equal(first.received.length, 2)
})

test('the log of an endpoint is paged and filtered; its events are resent to it alone, and a test event reaches only it', async (t) => {
  const [first, second] = [await webhookEndpoint(t), await webhookEndpoint(t)]
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { webhookUrl: first.url } })
  const { endpoint } = await add(shop, { url: second.url })
  for (let n = 0; n < 3; n++) await paid(shop)
  await second.count(3)
  await first.count(3)
  const isOver = async (): Promise<boolean> => (await logOf(shop, endpoint.id, { status: 'PENDING' })).length === 0
  await until('all are delivered', isOver)
  const all = await logOf(shop, endpoint.id)
  assert.equal(all.length, 3)
  assert.ok(all.every(({ status, url }) => status === 'DELIVERED' && url === second.url))
  const page = await shop.call(contract.listMerchantEvents, { query: { endpointId: endpoint.id, size: 2 } })
  assert.deepEqual(
    (await logOf(shop, endpoint.id, { before: page.next })).map(({ id }) => id),
    all.slice(2).map(({ id }) => id),
  )
  assert.equal((await logOf(shop, endpoint.id, { eventType: 'SETTLEMENT' })).length, 0)
  assert.equal((await logOf(shop, endpoint.id, { reference: all[0]?.reference })).length, 1)

  const id = all[0]?.id ?? ''
  const event = await shop.call(contract.resendMerchantEventTo, { params: { id, endpointId: endpoint.id } })
  assert.deepEqual(
    event.endpoints.map(({ endpointId, url }) => [endpointId, url]),
    [[endpoint.id, second.url]],
  )
  await second.count(4)
  const again = { since: 0, status: 'DELIVERED', endpointId: endpoint.id } as const
  await until('it is delivered again', isOver)
  assert.deepEqual(await shop.call(contract.resendMerchantEvents, { body: again }), { count: 3 })
  await second.count(7)
  await shop.call(contract.sendTestEvent, { body: { endpointId: endpoint.id } })
  await second.count(8)
  assert.equal(second.received.at(-1)?.event.eventType, 'TEST_EVENT')
  assert.equal(first.received.length, 3)
  for (const params of [
    { id: '9', endpointId: endpoint.id },
    { id, endpointId: '9' },
  ])
    await shop.rejected(404, contract.resendMerchantEventTo, { params })
})

test('both secret keys sign while a replaced one is valid, then only the new one', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await gateway(t)
  const { endpoint, secretKey: old } = await add(shop, { url: events.url })
  const params = { id: endpoint.id }
  const rotated = await shop.call(contract.rotateWebhookSecret, { params, body: { overlapHours: 2 } })
  const keys = [rotated.secretKey, old]
  await paid(shop)
  const [during] = await events.count(1)
  assert.ok(during !== undefined)
  assert.deepEqual(signersOf(during, keys), keys)
  assert.equal(during.headers['service-signature'], serviceSignature(old, during))
  const [shown] = await shop.call(contract.listWebhookEndpoints, {})
  assert.equal(shown?.oldSecretValidUntil, rotated.oldValidUntil)

  await shop.advance(2 * 3_600)
  await paid(shop)
  await until(
    'it has arrived',
    () => types(events.received).filter((type) => type === 'SUCCESSFUL_TRANSACTION').length === 2,
  )
  const after = events.received.at(-1)
  assert.ok(after !== undefined)
  assert.deepEqual(signersOf(after, keys), [rotated.secretKey])
  assert.equal(after.headers['service-signature'], serviceSignature(rotated.secretKey, after))
  assert.equal((await shop.call(contract.listWebhookEndpoints, {}))[0]?.oldSecretValidUntil, null)
  const stored = await shop.db<{ secret: Buffer; previousSecret: Buffer }[]>`
    select secret, previous_secret from additional_endpoint`
  for (const key of keys)
    assert.ok(!stored.some((row) => `${row.secret}${row.previousSecret}`.includes(key)), 'secrets are encrypted')
})

test('a paused endpoint loses no event: others continue, and it gets the waiting ones once it is resumed', async (t) => {
  const [paused, other] = [await webhookEndpoint(t), await webhookEndpoint(t)]
  const shop = await aShop()
  const { endpoint } = await add(shop, { url: paused.url })
  await add(shop, { url: other.url })
  const params = { id: endpoint.id }
  const pause = (isPaused: boolean) => shop.call(contract.changeWebhookEndpoint, { params, body: { isPaused } })
  assert.equal((await pause(true)).isPaused, true)
  for (let n = 0; n < 3; n++) await paid(shop)
  await other.count(3)
  await until('they are set aside', async () => {
    const { count } = await shop.db`
      select from additional_delivery where merchant_id = ${shop.merchantId} and status = 'PAUSED'`
    return count === 3
  })
  await paid(shop)
  await other.count(4)
  assert.equal(paused.received.length, 0)
  const [shown] = await shop.call(contract.listWebhookEndpoints, {})
  assert.deepEqual([shown?.isPaused, shown?.waiting, shown?.failures], [true, 4, []])
  assert.deepEqual(
    (await logOf(shop, endpoint.id)).map(({ status }) => status),
    Array(4).fill('PENDING'),
  )
  assert.equal((await pause(false)).isPaused, false)
  await paused.count(4)
  await until('all are delivered', async () =>
    (await logOf(shop, endpoint.id)).every(({ status }) => status === 'DELIVERED'),
  )
  assert.equal(paused.received.length, 4)
})

test('an endpoint that returns 410 is paused with a mail; a removed one gets nothing more, not even waiting events', async (t) => {
  const [gone, other] = [await webhookEndpoint(t, () => 410), await webhookEndpoint(t)]
  const shop = await aShop()
  const { endpoint } = await add(shop, { url: gone.url })
  await add(shop, { url: other.url })
  await paid(shop)
  await until('it is paused', async () => (await shop.call(contract.listWebhookEndpoints, {}))[0]?.isPaused === true)
  await until('the merchant is notified', async () => {
    const mails = await shop.call(contract.readInbox, { query: {} })
    return mails.some(({ subject }) => subject === 'Your webhooks are paused')
  })
  await paid(shop)
  await other.count(2)
  await shop.call(contract.removeWebhookEndpoint, { params: { id: endpoint.id } })
  await until('nothing waits', async () => {
    const { count } = await shop.db`
      select from additional_delivery
       where merchant_id = ${shop.merchantId} and status in ('PENDING', 'PAUSED')`
    return count === 0
  })
  await paid(shop)
  await other.count(3)
  await shop.advance(60)
  assert.equal(gone.received.length, 1)
  assert.equal((await shop.call(contract.listWebhookEndpoints, {})).length, 1)
  const [removed] = await shop.db`
    select secret from additional_endpoint where merchant_id = ${shop.merchantId} and removed_at is not null`
  assert.deepEqual(removed, { secret: null })
})

test('the audit log and a mail name who changed an endpoint; roles and URLs are checked as for the settings', async () => {
  const shop = await aShop()
  const developer = await aTeamMember(shop, 'developer', { secondFactor: 'fresh' })
  const body = { url: 'https://shop.example/more', eventTypes: ['SETTLEMENT' as const] }
  const { endpoint, secretKey } = await developer.call(contract.createWebhookEndpoint, { body })
  const params = { id: endpoint.id }
  const changed = { description: 'Books', eventTypes: null }
  const after = await developer.call(contract.changeWebhookEndpoint, { params, body: changed })
  assert.deepEqual([after.url, after.description, after.eventTypes], [body.url, 'Books', null])
  await developer.call(contract.rotateWebhookSecret, { params, body: { overlapHours: 0 } })
  await developer.call(contract.removeWebhookEndpoint, { params })
  const records = await shop.db<{ act: string; name: string; reference: string; details: object }[]>`
    select act, name, reference, details from audit
     where merchant_id = ${shop.merchantId} and act like 'webhook-endpoint.%' order by id`
  assert.deepEqual(
    records.map(({ act }) => act),
    ['create', 'change', 'rotate', 'remove'].map((act) => `webhook-endpoint.${act}`),
  )
  for (const { name, reference } of records)
    assert.deepEqual([name, reference], [developer.email, `webhook-endpoint/${endpoint.id}`])
  assert.ok(!JSON.stringify(records).includes(secretKey))
  await until('the merchant is notified', async () => {
    const mails = await shop.call(contract.readInbox, { query: {} })
    return mails.filter(({ subject }) => subject === 'Your webhook endpoints were changed').length === 4
  })
  for (const role of ['viewer', 'finance', 'support'] as const) {
    const other = await aTeamMember(shop, role)
    await other.rejected(403, contract.listWebhookEndpoints, {})
    await other.rejected(403, contract.createWebhookEndpoint, { body })
  }
  const stale = await aTeamMember(shop, 'owner', { secondFactor: 'shown' })
  await stale.rejected(403, contract.createWebhookEndpoint, { body })
  for (const wrong of [
    { url: 'ftp://shop.example' },
    { url: body.url, eventTypes: [] },
    { url: body.url, eventTypes: ['NOTHING'] },
    { url: body.url, description: 'x'.repeat(121) },
  ])
    await shop.rejected(400, contract.createWebhookEndpoint, { body: wrong })
})

test('in live mode, an endpoint must be https, at creation and at every change', async (t) => {
  const shop = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
  const permitted = { permissions: { settings: true } }
  await changeSettings({ core: shop.core, rules: readConfig({}) }, { id: shop.merchantId }, permitted, {
    actor: 'command line',
  })
  const body = { url: 'https://shop.example/events' }
  const { endpoint } = await shop.call(contract.createWebhookEndpoint, { body })
  const params = { id: endpoint.id }
  for (const url of ['http://shop.example/events', 'http://127.0.0.1:3000/events']) {
    const { code } = await shop.rejected(400, contract.createWebhookEndpoint, { body: { url } })
    assert.equal(code, 'SETTING_NOT_ALLOWED')
    await shop.rejected(400, contract.changeWebhookEndpoint, { params, body: { url } })
  }
})

test('another merchant cannot see, change or use an endpoint, and there is a maximum', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await aShop()
  const { endpoint } = await add(shop, { url: events.url })
  const other = await shop.anotherMerchant()
  assert.deepEqual(await other.call(contract.listWebhookEndpoints, {}), [])
  const params = { id: endpoint.id }
  const requests = [
    [contract.changeWebhookEndpoint, { params, body: { isPaused: true } }],
    [contract.rotateWebhookSecret, { params, body: { overlapHours: 0 } }],
    [contract.removeWebhookEndpoint, { params }],
    [contract.listMerchantEvents, { query: { endpointId: endpoint.id } }],
    [contract.sendTestEvent, { body: { endpointId: endpoint.id } }],
    [contract.resendMerchantEvents, { body: { since: 0, endpointId: endpoint.id } }],
    [contract.resendMerchantEventTo, { params: { id: '1', endpointId: endpoint.id } }],
  ] as const
  for (const [route, input] of requests)
    assert.equal((await other.rejected(404, route, input)).code, 'UNKNOWN_WEBHOOK_ENDPOINT')
  await pay(other, await anAccount(other), 5_000)
  await paid(shop)
  await events.count(1)
  assert.equal(events.received.length, 1)
  for (let n = 1; n < contract.WEBHOOK_ENDPOINTS_MAX; n++) await add(shop, { url: events.url })
  const { code } = await shop.rejected(422, contract.createWebhookEndpoint, { body: { url: events.url } })
  assert.equal(code, 'TOO_MANY_WEBHOOK_ENDPOINTS')
})

test('a payment of a merchant without additional endpoints runs no query for them', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { webhookUrl: events.url } })
  // Fails every insert, even one without rows.
  await asOwner(
    shop.databaseUrl,
    `create function refuse_delivery() returns trigger language plpgsql as 'begin raise exception ''not this query''; end'`,
    `create trigger refuse_delivery before insert on additional_delivery for each statement execute function refuse_delivery()`,
  )
  await paid(shop)
  await events.count(1)
})
