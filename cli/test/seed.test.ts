import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { asOwner } from '../../gateway/test/harness/postgres.ts'
import { anAccount, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { aDatabase, aGateway } from './commands.ts'

const DAY_SECONDS = 86_400

slow('seed creates every kind of record, leaves the wallet balance unchanged and the ledger correct', async (t) => {
  const { shop, prints } = await aGateway(t)
  const balance = async () =>
    shop.call(contract.getWalletBalance, { query: { accountNumber: shop.credentials.walletAccountNumber } })
  const before = await balance()
  const history = await prints('seed', '--payments', '1500', '--days', '5')
  assert.deepEqual([history.payments, history.daysLeftOut], [1_500, 0])
  assert.deepEqual(await balance(), before)
  const { clean, wrong } = await prints('ledger', 'verify', '--all', '--json')
  assert.deepEqual([clean, wrong], [true, []])

  const [count] = await shop.db<Record<string, bigint>[]>`
    select (select count(*) from transaction) as transactions,
           (select count(distinct status) from transaction) as statuses,
           (select count(distinct payment_method) from transaction) as methods,
           (select count(*) from refund where status = 'COMPLETED') as refunds,
           (select count(*) from transfer) as transfers,
           (select count(*) from settlement) as settlements,
           (select count(*) from event where status = 'DELIVERED') as events,
           (select count(*) from event e where not exists (select from event_attempt a where a.merchant_id = e.merchant_id and a.event_id = e.id)) as unsent,
           (select count(*) from card_attempt where status = 'DECLINED') as declined,
           (select count(distinct hour) from hourly_total) as hours`
  assert.equal(count?.['transactions'], 1_500n)
  assert.equal(count?.['methods'], 3n)
  assert.equal(count?.['unsent'], 0n, 'nothing is left to be sent')
  assert.ok((count?.['refunds'] ?? 0n) > 0n)
  assert.ok((count?.['hours'] ?? 0n) > 48n, 'the dashboard shows all days at once')
  for (const kind of ['transfers', 'settlements', 'events', 'declined', 'statuses'])
    assert.ok((count?.[kind] ?? 0n) > 3n, `there are ${kind}`)

  await shop.advance(2 * DAY_SECONDS)
  const later = await prints('ledger', 'verify', '--json')
  assert.deepEqual([later.clean, later.wrong], [true, []], 'open payments have been completed')
})

test('an interrupted seed continues where it stopped, and a finished one changes nothing', async (t) => {
  const { shop, prints, run } = await aGateway(t)
  const count = async () => (await shop.db<{ n: bigint }[]>`select count(*) as n from transaction`)[0]?.n ?? 0n
  await asOwner(shop.databaseUrl, 'alter table seeded_history add constraint cut_off check (days_done < 3)')
  assert.equal((await run('seed', '--payments', '200', '--days', '4')).code, 1)
  const written = await count()
  assert.ok(written > 0n && written < 200n)
  assert.equal((await prints('ledger', 'verify', '--all', '--json')).clean, true, 'the history is consistent')

  await asOwner(shop.databaseUrl, 'alter table seeded_history drop constraint cut_off')
  await prints('seed')
  assert.equal(await count(), 200n)
  await prints('seed', '--payments', '500', '--days', '9')
  assert.equal(await count(), 200n, 'the seed names it')
})

test('seed writes a day without timeouts: it computes for as long as thousands of payments take', async (t) => {
  const { shop, prints } = await aGateway(t)
  const timeouts = "current_setting('statement_timeout') || current_setting('idle_in_transaction_session_timeout')"
  await asOwner(
    shop.databaseUrl,
    `alter table seeded_history add constraint unlimited check (days_done = 0 or ${timeouts} = '00')`,
  )
  assert.equal((await prints('seed', '--payments', '20', '--days', '2')).payments, 20)
})

test('seed skips days on which the wallet was used', async (t) => {
  const { shop, prints } = await aGateway(t)
  await pay(shop, await anAccount(shop), 5_000)
  await shop.advance(2 * DAY_SECONDS)
  const { daysLeftOut } = await prints('seed', '--payments', '90', '--days', '6')
  assert.ok(daysLeftOut > 0 && daysLeftOut < 6)
  assert.equal((await prints('ledger', 'verify', '--all', '--json')).clean, true)
})

test('seed works in the sandbox only and rejects sizes out of range', async (t) => {
  const live = await aDatabase(t, { KOBO_ENVIRONMENT: 'live' })
  await live.misused([/in the sandbox only/, 'seed'])
  const { misused } = await aDatabase(t)
  await misused(
    [/--payments must be/, 'seed', '--payments', '0'],
    [/--days must be/, 'seed', '--days', 'many'],
    [/No merchant has the code NOBODY/, 'seed', '--merchant', 'NOBODY'],
  )
})
