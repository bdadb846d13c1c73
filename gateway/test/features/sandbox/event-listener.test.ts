import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { emit, serviceSignature } from '../../../src/core/messages/outbox/index.ts'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { aShop, type Client, type Shop } from '../../harness/gateway.ts'
import { anAccount, pay } from '../../harness/samples.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

/** A listener for a merchant: each call returns new events. */
async function listener(client: Client) {
  let { cursor } = await client.call(contract.listenToEvents, { query: {} })
  return async () => {
    const received = await client.call(contract.listenToEvents, { query: { after: cursor } })
    cursor = received.cursor
    return received.events
  }
}

const alert = (shop: Shop, description: string) => ({
  merchantId: shop.merchantId,
  eventType: 'LOW_BALANCE_ALERT' as const,
  refs: [description],
  eventData: {
    transactionTime: '2026-03-01 10:30:00 AM',
    merchantCode: 'M',
    walletAccountNumber: '3000000003',
    walletBalance: 1,
    lowBalanceThreshold: 2,
    currency: 'NGN',
    description,
  },
})

test('a listener gets each event of its merchant once, as a webhook endpoint does, and does not affect deliveries', async (t) => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  const inbox = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrl: inbox.url } })
  await pay(shop, await anAccount(shop), 1_000)
  await inbox.count(1)
  const settings = await shop.call(contract.getSettings, {})
  const listen = await listener(shop)
  const elsewhere = await listener(other)
  assert.deepEqual(await listen(), [], 'earlier events are not sent')

  const account = await anAccount(shop)
  await pay(shop, account, 5_000)
  const [received] = await inbox.count(1 + 1)
  assert.ok(received)
  const [receivedTexts, ...more] = await listen()
  assert.ok(receivedTexts !== undefined && more.length === 0)
  const { body, headers, ...named } = receivedTexts
  assert.equal(body, inbox.received[1]?.body)
  assert.equal(named.eventType, 'SUCCESSFUL_TRANSACTION')
  assert.equal(headers['service-signature'], serviceSignature(shop.credentials.secretKey, body))
  const sent = inbox.received[1]?.headers
  assert.deepEqual(
    [headers['webhook-id'], headers['service-signature']],
    [sent?.['webhook-id'], sent?.['service-signature']],
  )
  assert.match(headers['webhook-signature'] ?? '', /^v1,/)

  assert.deepEqual(await listen(), [], 'each is sent once')
  assert.deepEqual(await elsewhere(), [], 'another merchant gets nothing')
  assert.deepEqual(await shop.call(contract.getSettings, {}), settings)
  const { content } = await shop.call(contract.listEvents, { query: {} })
  assert.ok(content.every(({ status, attempts }) => status === 'DELIVERED' && attempts.length === 1))
})

test('an event created before and committed after a received one is received too', async () => {
  const shop = await aShop()
  const listen = await listener(shop)
  const references = async () => (await listen()).map(({ reference }) => reference)
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let begun = (): void => {}
  const hasBegun = new Promise<void>((resolve) => (begun = resolve))
  const slow = unitOfWork(shop.core, async (unit) => {
    emit(unit, [alert(shop, 'slow')])
    begun()
    await held
  })
  await hasBegun
  await unitOfWork(shop.core, async (unit) => emit(unit, [alert(shop, 'quick')]))
  assert.deepEqual(await references(), ['quick'])
  release()
  await slow
  assert.deepEqual(await references(), ['slow'])
  assert.deepEqual(await references(), [])
})

test('many events at once come in batches, each once and none missing', async () => {
  const shop = await aShop()
  const listen = await listener(shop)
  const names = Array.from({ length: 2 * contract.LISTENED_MAX + 30 }, (_, nth) => `alert-${nth}`)
  await unitOfWork(shop.core, async (unit) =>
    emit(
      unit,
      names.map((name) => alert(shop, name)),
    ),
  )
  const received: string[] = []
  for (let size = 1; size > 0; ) {
    const events = await listen()
    size = events.length
    assert.ok(size <= contract.LISTENED_MAX)
    received.push(...events.map(({ reference }) => reference))
  }
  assert.deepEqual(received, names)
})

test('an invalid cursor is rejected, and an odd one does no harm', async () => {
  const shop = await aShop()
  for (const after of ['', 'A', '1..2', '1 ', '-1', 'z'.repeat(14), `1${'.1'.repeat(101)}`])
    await shop.rejected(400, contract.listenToEvents, { query: { after } })
  await shop.call(contract.listenToEvents, { query: { after: 'z'.repeat(13) } })
})
