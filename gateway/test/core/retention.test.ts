import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../src/app/ledger.ts'
import { isClean } from '../../src/core/money/ledger/index.ts'
import { gateway } from '../harness/gateway.ts'
import { anAccount, CARDS, charge, openTransaction, pay, reserveAccount } from '../harness/samples.ts'
import { until } from '../harness/until.ts'
import { webhookEndpoint } from '../harness/webhook-endpoint.ts'

const DAY_SECONDS = 86_400
const COUNTS = ['events', 'texts', 'cards', 'identities', 'mails', 'requests'] as const

test('personal data is deleted when its retention ends; events with their outcomes and the ledger stay', async (t) => {
  const shop = await gateway(t, { env: { KOBO_KEEP_DAYS: 'events=20,cards=20,identities=20,inbox=20,requests=20' } })
  await pay(shop, await anAccount(shop), 5_000)
  const now = shop.core.clock.now()
  const [expiryMonth, expiryYear] = [String(now.getUTCMonth() + 1), String(now.getUTCFullYear())]
  await charge(shop, await openTransaction(shop), CARDS.success, { expiryMonth, expiryYear })
  const { accountReference } = await reserveAccount(shop)
  await shop.call(contract.deallocateReservedAccount, { params: { accountReference } })
  await shop.db`insert into sandbox_mail (merchant_id, id, recipient, subject, text, sent_at)
                values (${shop.merchantId}, ${shop.core.ids.id()}, 'ada@example.com', 'Code', '123456', ${now})`

  const counts = async (): Promise<readonly number[]> => {
    const [row] = await shop.db<Record<(typeof COUNTS)[number], number>[]>`
      select (select count(*)::int from event) as events,
             (select count(*)::int from event where body like '%eventData%') as texts,
             (select count(token)::int from vault.card_on_file) as cards,
             (select count(*)::int from reserved_account where bvn is not null) as identities,
             (select count(*)::int from sandbox_mail) as mails,
             (select count(*)::int from request_log where request_id = 'early') as requests`
    return COUNTS.map((name) => row?.[name] ?? 0)
  }
  await shop.send('GET', contract.listBanks.path, { headers: { 'x-request-id': 'early' } })
  await until('the request is logged', async () => (await counts()).at(-1) === 1)
  const [events = 0, ...rest] = await counts()
  assert.ok(events >= 2)
  assert.deepEqual(rest, [events, 1, 1, 1, 1])
  await shop.advance(10 * DAY_SECONDS)
  const [stored = 0, texts, ...still] = await counts()
  assert.deepEqual([texts, still], [stored, [1, 1, 1, 1]], 'nothing is deleted early')

  await shop.advance(60 * DAY_SECONDS)
  const [stay, left = 0, ...gone] = await counts()
  assert.ok((stay ?? 0) >= stored && left < stored)
  assert.deepEqual(gone, [0, 0, 0, 0])
  const { content } = await shop.call(contract.listEvents, { query: { size: 50 } })
  const first = content.at(-1)
  assert.deepEqual(JSON.parse(first?.body ?? ''), { note: 'The text of this event is no longer kept' })
  assert.equal(first?.status, 'NOT_SENT')
  await shop.rejected(404, contract.resendEvent, { params: { id: first?.id } })
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('an event that waits for a paused endpoint keeps its text, and loses it once it is delivered', async (t) => {
  const [first, second, wallet] = [
    await webhookEndpoint(t),
    await webhookEndpoint(t),
    await webhookEndpoint(t, () => 410), // pauses it
  ]
  const shop = await gateway(t, { env: { KOBO_KEEP_DAYS: 'events=20' } })
  const walletUrl = () => shop.call(contract.changeSettings, { body: { webhookUrls: { wallet: wallet.url } } })
  await shop.call(contract.changeSettings, { body: { webhookUrl: first.url } })
  await walletUrl()
  const { endpoint } = await shop.call(contract.createWebhookEndpoint, {
    body: { url: second.url, eventTypes: ['SUCCESSFUL_TRANSACTION'] },
  })
  const pause = (isPaused: boolean) =>
    shop.call(contract.changeWebhookEndpoint, { params: { id: endpoint.id }, body: { isPaused } })
  await pause(true)
  await pay(shop, await anAccount(shop), 5_000)
  await shop.call(contract.fundWallet, { body: { amount: 100 } })
  await first.count(1)
  await wallet.count(1)

  await shop.advance(60 * DAY_SECONDS)
  wallet.respond = () => 200
  await walletUrl()
  await pause(false)
  await shop.advance(60)
  await second.count(1)
  await wallet.count(2)
  assert.deepEqual(second.received[0]?.body, first.received[0]?.body)
  assert.deepEqual(wallet.received[1]?.body, wallet.received[0]?.body)
  await until('no text is left', async () => {
    const { count } = await shop.db`
      select from event where event_type in ('SUCCESSFUL_TRANSACTION', 'ACCOUNT_ACTIVITY') and body like '%eventData%'`
    return count === 0
  })
})
