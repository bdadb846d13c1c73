import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { emit } from '../../gateway/src/core/messages/outbox/index.ts'
import { unitOfWork } from '../../gateway/src/core/unit-of-work.ts'
import { testWall } from '../../gateway/test/harness/clock.ts'
import { gateway } from '../../gateway/test/harness/gateway.ts'
import { aTransaction } from '../../gateway/test/harness/samples.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { commandsWith, settings } from './commands.ts'

/** Starts a live gateway with a merchant, and returns how to run commands on it. */
async function live(t: TestContext) {
  const env = { KOBO_ENVIRONMENT: 'live' }
  const shop = await gateway(t, { env })
  const commands = commandsWith(
    settings(shop.databaseUrl, { ...env, KOBO_PUBLIC_URL: shop.url, KOBO_ALLOW: 'plain-receivers' }),
    testWall,
  )
  const [{ code }] = await commands.prints('merchant', 'list')
  return { shop, code, ...commands }
}

test('in live mode the operator changes all settings of a merchant, shows them, and the audit log has old and new values', async (t) => {
  const { shop, code, prints, misused, run } = await live(t)
  const set = (...assignments: readonly string[]) => prints('merchant', 'set', code, ...assignments)
  const changed = await set(
    'otpEnabled=off',
    'feeBearer=CUSTOMER',
    'underpayment=REJECT',
    'paymentMethods=CARD, ACCOUNT_TRANSFER',
    'accountDurationSeconds=600',
    'permissions.transfers=on',
    'webhookUrls.refund=https://shop.example/refunds',
    'lowBalanceThreshold=2500.50',
    'ipWhitelist=127.0.0.1,10.0.0.0/8',
    'inlineOrigins=https://shop.example',
    'settlementDestination=BANK',
    'settlementAccount.bankCode=057',
    'settlementAccount.accountNumber=0123456789',
  )
  assert.equal(changed.merchant, code)
  const shown = await prints('merchant', 'show', code, '--json')
  const [terms] = shown.contracts
  assert.deepEqual(
    [shown.settings.otpEnabled, shown.settings.lowBalanceThreshold, shown.settings.permissions.transfers],
    [false, 2500.5, true],
  )
  assert.deepEqual(
    [shown.settings.webhookUrls.refund, terms.code],
    ['https://shop.example/refunds', shop.credentials.contractCode],
  )
  assert.deepEqual(
    [terms.feeBearer, terms.underpayment, terms.paymentMethods, terms.accountDurationSeconds, terms.settlementAccount],
    [
      'CUSTOMER',
      'REJECT',
      ['CARD', 'ACCOUNT_TRANSFER'],
      600,
      { bankCode: '057', accountNumber: '0123456789', accountName: shown.name },
    ],
  )
  await until(
    'the gateway has heard of it',
    async () => !(await shop.call(contract.getMerchantSettings, {})).otpEnabled,
  )
  const [record] = await shop.db<{ actor: string; name: string; details: Record<string, Record<string, unknown>> }[]>`
    select actor, name, details from audit where act = 'settings.change'`
  assert.equal(record?.actor, 'command line')
  assert.ok(record.name.length > 0)
  assert.deepEqual([record.details['before']?.['otpEnabled'], record.details['after']?.['otpEnabled']], [true, false])

  assert.equal((await set('lowBalanceThreshold=', 'permissions.transfers=')).lowBalanceThreshold, null)
  const { stdout } = await run('merchant', 'show', code)
  for (const line of [
    /^standing: ACTIVE$/m,
    /^ {2}otpEnabled: false$/m,
    /^ {2}feeBearer: CUSTOMER$/m,
    /^ {2}permissions: -$/m,
  ])
    assert.match(stdout, line)
  assert.ok(!stdout.includes(shop.credentials.secretKey))
  await misused(
    [/Specify the merchant code first/, 'merchant', 'set', 'otpEnabled=off'],
    [/at least one change/, 'merchant', 'set', code],
    [/Unknown setting flavour/, 'merchant', 'set', code, 'flavour=sweet'],
    [/Unknown setting webhookUrls.gossip/, 'merchant', 'set', code, 'webhookUrls.gossip=https://shop.example'],
    [/must have the form NAME=VALUE/, 'merchant', 'set', code, 'otpEnabled'],
    [/otpEnabled must be boolean/, 'merchant', 'set', code, 'otpEnabled=perhaps'],
    [/accountDurationSeconds must be/, 'merchant', 'set', code, 'accountDurationSeconds=5'],
    [/paymentMethods\[0\] must be one of/, 'merchant', 'set', code, 'paymentMethods=SHELLS'],
    [/can be FAIL only in the sandbox/, 'merchant', 'set', code, 'mail=FAIL'],
    [/--consent-basis is required/, 'merchant', 'set', code, 'permissions.verification=on'],
    [/has no contract 1/, 'merchant', 'set', code, 'feeBearer=MERCHANT', '--contract', '1'],
    [/No merchant has the code M-0/, 'merchant', 'show', 'M-0'],
    [/Specify one merchant/, 'merchant', 'show'],
  )
})

test('in live mode settlement to a bank requires a bank account', async (t) => {
  const { code, prints, misused } = await live(t)
  await misused([
    /settlementDestination BANK requires a settlementAccount/,
    'merchant',
    'set',
    code,
    'settlementDestination=BANK',
  ])
  const [terms] = await prints('contract', 'list', '--merchant', code)
  assert.equal(terms.settlementDestination, 'WALLET')
})

test('a new contract has its own terms and takes payments until it is disabled', async (t) => {
  const { shop, code, prints, misused } = await live(t)
  const of = ['--merchant', code] as const
  const { contract: added } = await prints('contract', 'add', ...of, '--name', 'Shoes')
  await prints('merchant', 'set', code, 'feeBearer=CUSTOMER', '--contract', added)
  const listed = await prints('contract', 'list', ...of)
  assert.deepEqual(
    listed.map((one: Record<string, unknown>) => [one['code'], one['feeBearer'], one['disabledAt']]),
    [
      [shop.credentials.contractCode, 'MERCHANT', null],
      [added, 'CUSTOMER', null],
    ],
  )
  const open = () =>
    shop.send('POST', contract.initTransaction.path, { body: { ...aTransaction(shop), contractCode: added } })
  await until('the gateway has heard of it', async () => (await open()).status === 200)
  assert.deepEqual(await prints('contract', 'disable', ...of, '--contract', added), {
    merchant: code,
    contract: added,
    isDisabled: true,
  })
  await until('the gateway has heard of it', async () => (await open()).status === 422)
  await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  await misused(
    [/last enabled contract/, 'contract', 'disable', ...of, '--contract', shop.credentials.contractCode],
    [/has no contract 7/, 'contract', 'disable', ...of, '--contract', '7'],
    [/--contract is required/, 'contract', 'disable', ...of],
    [/--name is required/, 'contract', 'add', ...of],
  )
  await prints('contract', 'enable', ...of, '--contract', added)
  await until('the gateway has heard of it', async () => (await open()).status === 200)
  const records = await shop.db<{ act: string; details: object }[]>`
    select act, details from audit where act like 'contract.%' order by id`
  assert.deepEqual(
    records.map(({ act, details }) => [act, details]),
    [
      ['contract.add', { before: null, after: { name: 'Shoes', description: 'Collections' } }],
      ['contract.disable', { before: { isDisabled: false }, after: { isDisabled: true } }],
      ['contract.enable', { before: { isDisabled: true }, after: { isDisabled: false } }],
    ],
  )
})

test('in live mode the operator lists, shows and resends a merchant’s events', async (t) => {
  const { shop, code, prints, misused } = await live(t)
  const of = { merchant: ['--merchant', code] as const }
  await unitOfWork(shop.core, async (unit) =>
    emit(unit, [
      {
        merchantId: shop.merchantId,
        eventType: 'LOW_BALANCE_ALERT',
        refs: ['KB-1'],
        eventData: {
          transactionTime: '2026-03-01 10:30:00 AM',
          merchantCode: code,
          walletAccountNumber: shop.credentials.walletAccountNumber,
          walletBalance: 10,
          lowBalanceThreshold: 20,
          currency: 'NGN',
          description: 'low',
        },
      },
    ]),
  )
  const { events, next } = await prints('events', 'list', ...of.merchant)
  assert.equal(next, null)
  assert.deepEqual(
    [events[0].eventType, events[0].reference, events[0].status],
    ['LOW_BALANCE_ALERT', 'KB-1', 'NOT_SENT'],
  )
  assert.equal(events[0].body, undefined)
  const { id } = events[0]
  assert.equal(JSON.parse((await prints('events', 'show', id, ...of.merchant)).body).eventType, 'LOW_BALANCE_ALERT')

  await prints('merchant', 'set', code, 'webhookUrl=https://127.0.0.1/events')
  const sent = await prints('events', 'resend', id, ...of.merchant)
  assert.equal(sent.id, id)
  await until('it is tried', async () => (await prints('events', 'show', id, ...of.merchant)).attempts.length === 1)
  const { attempts } = await prints('events', 'show', id, ...of.merchant)
  assert.deepEqual([attempts[0].url, attempts[0].resent], ['https://127.0.0.1/events', true])
  const again = ['events', 'resend', '--since', '2020-01-01 00:00:00', ...of.merchant] as const
  assert.deepEqual(await prints(...again, '--status', 'GIVEN_UP'), { merchant: code, count: 0 })
  assert.deepEqual(await prints(...again), { merchant: code, count: 1 })
  assert.equal((await shop.db`select from audit where act = 'event.resend' and actor = 'command line'`).count, 2)
  await misused(
    [/--merchant is required/, 'events', 'list'],
    [/--status must be/, 'events', 'list', ...of.merchant, '--status', 'LOST'],
    [/--size must be/, 'events', 'list', ...of.merchant, '--size', '1000'],
    [/Specify one event/, 'events', 'show', 'x', ...of.merchant],
    [/Could not find specified event/, 'events', 'show', '1', ...of.merchant],
    [/either one event/, 'events', 'resend', ...of.merchant],
    [/--since must be/, 'events', 'resend', '--since', 'soon', ...of.merchant],
  )
})
