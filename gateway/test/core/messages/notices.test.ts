import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { OPENING_BALANCE, paid, refund } from '../../harness/refund-samples.ts'
import { anAccount, pay } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

const inbox = (shop: Shop) => shop.call(contract.readInbox, { query: { to: 'demo@example.com' } })

/** Resolves when no notice waits to be sent. */
const mailed = ({ db }: Shop): Promise<void> =>
  until('all notices are sent', async () => (await db`select from notice`).count === 0)

test('a merchant whose endpoint is paused gets one email, however many events are rejected at once', async (t) => {
  const events = await webhookEndpoint(t, () => 410)
  const shop = await gateway(t)
  const accounts = await Promise.all(Array.from({ length: 20 }, () => anAccount(shop)))
  await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: events.url } } })
  await Promise.all(accounts.map((account) => pay(shop, account, 5_000)))
  await until('its email arrives', async () => (await inbox(shop)).length > 0)
  await shop.advance(10)
  await mailed(shop)
  const mails = await inbox(shop)
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['Your webhooks are paused'],
  )
  assert.match(mails[0]?.text ?? '', /^The webhook URL for your collection events /)
})

test('a merchant whose wallet falls below the threshold gets one email per crossing', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { lowBalanceThreshold: OPENING_BALANCE } })
  const transactionReference = await paid(shop, 5_000)
  for (let i = 0; i < 3; i++) await refund(shop, transactionReference, { refundAmount: 100 })
  await mailed(shop)
  const mails = await inbox(shop)
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['Your wallet balance is low'],
  )
  assert.match(mails[0]?.text ?? '', / has ₦9,999,890\.00 left\.\n.+ below ₦10,000,000\.00\.$/)
})

test('a notice that cannot be sent is retried for hours, then given up', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { lowBalanceThreshold: OPENING_BALANCE, mail: 'FAIL' } })
  const transactionReference = await paid(shop, 5_000)
  const attempts = async (): Promise<unknown> => (await shop.db`select attempts from notice`)[0]?.['attempts']
  await refund(shop, transactionReference)
  await until('it was attempted', async () => (await attempts()) === 1)
  await shop.advance(61)
  await until('it was retried', async () => (await attempts()) === 2)
  assert.deepEqual(await inbox(shop), [])
  await shop.call(contract.changeSettings, { body: { mail: 'OK' } })
  await shop.advance(301)
  await mailed(shop)
  assert.equal((await inbox(shop)).length, 1)

  await shop.call(contract.changeSettings, { body: { mail: 'FAIL' } })
  await shop.call(contract.fundWallet, { body: { amount: 5_000 } })
  await refund(shop, transactionReference, { refundAmount: 4_000 }) // with fees it falls below again
  await shop.call(contract.fundWallet, { body: { amount: 5_000 } })
  await mailedNever(shop)
  assert.equal((await inbox(shop)).length, 1)
})

async function mailedNever(shop: Shop): Promise<void> {
  for (let step = 0; step < 6; step++) await shop.advance(21_600)
  await mailed(shop)
}
