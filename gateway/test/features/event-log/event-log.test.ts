import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { aShop } from '../../harness/gateway.ts'
import { anAccount, pay } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember } from '../../harness/users.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

type Shop = Awaited<ReturnType<typeof aShop>>

/** Makes payments, each with an event. */
async function paid(shop: Shop, count: number): Promise<readonly Awaited<ReturnType<typeof anAccount>>[]> {
  const accounts = []
  for (let n = 0; n < count; n++) {
    const account = await anAccount(shop)
    await pay(shop, account, 5_000)
    accounts.push(account)
  }
  return accounts
}

const isOver = (shop: Shop) => async (): Promise<boolean> =>
  (await shop.call(contract.listMerchantEvents, { query: { status: 'PENDING' } })).content.length === 0

test('the log is paged from newest to oldest, and filtered by type, reference and status', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { webhookUrl: events.url } })
  const accounts = await paid(shop, 5)
  await until('all are delivered', isOver(shop))
  const list = (query: object) => shop.call(contract.listMerchantEvents, { query })
  const { content: all, next: end } = await list({})
  assert.deepEqual(
    [all.map(({ reference }) => reference), end],
    [accounts.map(({ transactionReference }) => transactionReference).toReversed(), null],
  )
  const seen: string[] = []
  let before: string | null = null
  do {
    const page = await list({ size: 2, ...(before === null ? {} : { before }) })
    assert.ok(page.content.length <= 2)
    seen.push(...page.content.map(({ id }) => id))
    before = page.next
  } while (before !== null)
  assert.deepEqual(
    seen,
    all.map(({ id }) => id),
  )
  const [first] = accounts
  const found = await list({
    reference: first?.paymentReference,
    eventType: 'SUCCESSFUL_TRANSACTION',
    status: 'DELIVERED',
  })
  assert.deepEqual(
    found.content.map(({ reference }) => reference),
    [first?.transactionReference],
  )
  assert.equal((await list({ status: 'GIVEN_UP' })).content.length, 0)
  assert.equal((await list({ before: '1' })).content.length, 0)
  for (const query of [{ size: 0 }, { before: 'x' }, { status: 'LOST' }])
    await shop.rejected(400, contract.listMerchantEvents, { query })

  const id = all[0]?.id ?? ''
  assert.deepEqual(await shop.call(contract.getMerchantEvent, { params: { id } }), all[0])
  const other = await shop.anotherMerchant()
  assert.equal((await other.call(contract.listMerchantEvents, { query: {} })).content.length, 0)
  for (const route of [contract.getMerchantEvent, contract.resendMerchantEvent]) {
    assert.equal((await other.rejected(404, route, { params: { id } })).code, 'UNKNOWN_EVENT')
    await shop.rejected(404, route, { params: { id: '9'.repeat(19) } })
    await shop.rejected(400, route, { params: { id: 'x' } })
  }
})

test('each attempt has its own URL, even if the setting has changed since', async (t) => {
  const [old, present] = [await webhookEndpoint(t, () => 500), await webhookEndpoint(t)]
  const shop = await aShop()
  const goTo = (webhookUrl: string | null) => shop.call(contract.changeSettings, { body: { webhookUrl } })
  await goTo(old.url)
  await paid(shop, 1)
  await old.count(1)
  const read = async () => (await shop.call(contract.listMerchantEvents, { query: {} })).content[0]
  await until('the attempt is written down', async () => (await read())?.attempts.length === 1)
  await goTo(present.url)
  assert.deepEqual([(await read())?.url, (await read())?.attempts[0]?.url], [old.url, old.url])
  await shop.advance(7_000)
  await until('it is delivered', async () => (await read())?.status === 'DELIVERED')
  await goTo(null)
  const event = await read()
  assert.deepEqual([event?.url, event?.attempts.at(-1)?.url], [present.url, present.url])
  assert.equal(event?.attempts[0]?.url, old.url)
})

test('one event, all since a moment, or those of a status are resent, and the audit log names the actor', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { webhookUrl: events.url } })
  await paid(shop, 1)
  await until('it is delivered', isOver(shop))
  await shop.call(contract.changeSettings, { body: { webhookUrl: null } })
  await shop.advance(60)
  const since = shop.core.clock.now().toISOString()
  await paid(shop, 2)
  await until('all are delivered or not sent', isOver(shop))
  await shop.call(contract.changeSettings, { body: { webhookUrl: events.url } })
  const again = (body: object) => shop.call(contract.resendMerchantEvents, { body: { since: 0, ...body } })

  assert.deepEqual(await again({ status: 'GIVEN_UP' }), { count: 0 })
  assert.deepEqual(await again({ status: 'NOT_SENT' }), { count: 2 })
  await until('they are sent', () => events.received.length === 3)
  await until('all are delivered', isOver(shop))
  assert.deepEqual(await again({ since }), { count: 2 })
  await until('they are sent again', () => events.received.length === 5)
  assert.deepEqual(await again({}), { count: 3 })
  await until('all are sent again', () => events.received.length === 8)
  await until('all are delivered', isOver(shop))
  const { content } = await shop.call(contract.listMerchantEvents, { query: {} })
  const id = content.at(-1)?.id ?? ''
  const sent = await shop.call(contract.resendMerchantEvent, { params: { id } })
  assert.equal(sent.id, id)
  await until('it is sent again', () => events.received.length === 9)

  const records = await shop.db<{ name: string; address: string; reference: string; count: string | null }[]>`
    select name, address, reference, details->>'count' as count from audit
     where merchant_id = ${shop.merchantId} and act = 'event.resend' order by id`
  assert.deepEqual(
    records.map(({ count }) => count),
    ['2', '2', '3', null],
  )
  for (const { name, address } of records) assert.deepEqual([name, address], [shop.credentials.apiKey, '127.0.0.1'])
  for (const body of [{}, { since: 'soon' }, { since: 0, status: 'LOST' }])
    await shop.rejected(400, contract.resendMerchantEvents, { body })
})

test('resending too many events, or too often, is rejected', async () => {
  const shop = await aShop()
  await shop.db`
    insert into event (merchant_id, id, kind, event_type, refs, body, status, created_at)
    select ${shop.merchantId}, n, 'collection', 'SUCCESSFUL_TRANSACTION', array['R'], '{}', 'NOT_SENT', ${shop.core.clock.now()}
      from generate_series(1, 100001) n`
  const body = { since: '2020-01-01T00:00:00.000Z' }
  for (const route of [contract.resendMerchantEvents, contract.resendEvents])
    assert.equal((await shop.rejected(400, route, { body })).code, 'TOO_MANY_EVENTS')
  await shop.db`delete from event where merchant_id = ${shop.merchantId}`
  for (let n = 0; n < 29; n++) await shop.call(contract.resendMerchantEvents, { body })
  const { code } = await shop.rejected(429, contract.resendMerchantEvents, { body })
  assert.equal(code, 'TOO_MANY_REQUESTS')
})

test('a test event reaches the URL of its kind, signed, and health shows responses, times and failures', async (t) => {
  const called = Promise.withResolvers<number>()
  const [all, payouts] = [await webhookEndpoint(t, () => called.promise), await webhookEndpoint(t, () => 500)]
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner')
  const health = () => owner.call(contract.getWebhookHealth, {})
  assert.deepEqual(await health(), { endpoints: [] })
  assert.equal((await shop.rejected(422, contract.sendTestEvent, { body: {} })).code, 'NO_WEBHOOK_URL')
  const webhookUrls = { disbursement: payouts.url }
  await shop.call(contract.changeSettings, { body: { webhookUrl: all.url, webhookUrls } })

  const { id, status } = await shop.call(contract.sendTestEvent, { body: {} })
  assert.equal(status, 'PENDING')
  called.resolve(200)
  const [received] = await all.count(1)
  assert.equal(received?.event.eventType, 'TEST_EVENT')
  assert.equal(received?.event.eventData['reference'], `test-${id}`)
  assert.ok(received?.headers['webhook-signature'] !== undefined, 'it is signed')
  await shop.call(contract.sendTestEvent, { body: { kind: 'disbursement' } })
  await payouts.count(1)
  await until('both outcomes are stored', async () =>
    (await health()).endpoints.every(({ attempts }) => attempts === 1),
  )
  const { endpoints } = await health()
  const [good, bad] = [all.url, payouts.url].map((url) => endpoints.find((endpoint) => endpoint.url === url))
  assert.deepEqual([good?.kind, good?.delivered, good?.failures.length], ['default', 1, 0])
  assert.deepEqual([bad?.kind, bad?.delivered, bad?.failures[0]?.status], ['disbursement', 0, 500])
  assert.equal(typeof bad?.medianMilliseconds, 'number')
  const { items } = await owner.call(contract.browseAudit, { query: { act: 'event.test' } })
  assert.equal(items.length, 2)
  const viewer = await aTeamMember(shop, 'viewer')
  await viewer.rejected(403, contract.sendTestEvent, { body: {} })
})
