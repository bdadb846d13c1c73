import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { emit } from '../../gateway/src/core/messages/outbox/index.ts'
import { unitOfWork } from '../../gateway/src/core/unit-of-work.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { testWall } from '../../gateway/test/harness/clock.ts'
import { gateway } from '../../gateway/test/harness/gateway.ts'
import { aConflict, aWaitingReturn, codeOf } from '../../gateway/test/harness/operator-samples.ts'
import { paid } from '../../gateway/test/harness/refund-samples.ts'
import { aTransaction } from '../../gateway/test/harness/samples.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aGateway, commandsWith, operatorAt, settings } from './commands.ts'

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
    'the gateway knows the change',
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
  await until('the gateway knows the change', async () => (await open()).status === 200)
  assert.deepEqual(await prints('contract', 'disable', ...of, '--contract', added), {
    merchant: code,
    contract: added,
    isDisabled: true,
  })
  await until('the gateway knows the change', async () => (await open()).status === 422)
  await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  await misused(
    [/last enabled contract/, 'contract', 'disable', ...of, '--contract', shop.credentials.contractCode],
    [/has no contract 7/, 'contract', 'disable', ...of, '--contract', '7'],
    [/--contract is required/, 'contract', 'disable', ...of],
    [/--name is required/, 'contract', 'add', ...of],
  )
  await prints('contract', 'enable', ...of, '--contract', added)
  await until('the gateway knows the change', async () => (await open()).status === 200)
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

test('in live mode a command that moves or redirects money names its operator as soon as there is one', async (t) => {
  const { shop, env, code, misused, prints } = await live(t)
  const of = ['--merchant', code] as const
  const { secretKey } = await prints('merchant', 'rotate-secret', ...of)
  assert.ok(secretKey, 'before the first operator no one can be named')
  const ada = await operatorAt(shop, env)
  const routes = join(ownFolder('routes'), 'routes.json')
  const toBank = ['--bank', '058', '--account', '0123456789'] as const
  const named: readonly (readonly [string, ...string[]])[] = [
    ['disputes', 'open', ...of, '--transaction', 'KOBO|0', '--type', 'recall', '--partner', 'wema', '--reference', '1'],
    ['disputes', 'decide', 'KDSP0', 'lost'],
    ['returns', 'send', '1', ...toBank],
    ['returns', 'send', '1', '--by-partner'],
    ['returns', 'settle', '1'],
    ['credits', 'conflicts', 'take', '1'],
    ['credits', 'conflicts', 'dismiss', '1'],
    ['merchant', 'permit', ...of, '--grant', 'transfers'],
    ['merchant', 'settle', ...of, ...toBank, '--account-name', 'MALLORY'],
    ['merchant', 'set', code, 'feeBearer=CUSTOMER'],
    ['merchant', 'set', code, 'otpEnabled=off'],
    ['merchant', 'whitelist', ...of, '--ip', '10.0.0.0/8'],
    ['price', 'set', 'transfer', '--flat', '0'],
    ['price', 'set', 'transfer', '--flat', '0', ...of],
  ]
  const one: readonly (readonly [string, ...string[]])[] = [
    ['merchant', 'set', code, 'webhookUrl=https://shop.example'],
    ['merchant', 'webhook', ...of, '--url', 'https://shop.example'],
    ['merchant', 'origins', ...of, '--clear'],
    ['merchant', 'rotate-secret', ...of],
    ['merchant', 'unlock-codes', ...of],
    ['merchant', 'resume', ...of, '--reason', 'x'],
    ['merchant', 'close', ...of, '--reason', 'x'],
    ['accounts', 'sources', 'add', 'new', '--partner', 'wema', '--bank', '035', '--prefix', '777'],
    ['accounts', 'sources', 'disable', 'wema'],
    ['routes', 'set', routes],
    ['operator', 'create', 'mallory@example.com'],
  ]
  writeFileSync(routes, '{}')
  const TAKES_REASON = ['--because', 'x']
  await misused(
    ...named.map((words) => [/--by is required/, ...words, ...TAKES_REASON] as const),
    ...one.map((words) => [/--by is required/, ...words] as const),
  )
  const byMallory = [...TAKES_REASON, '--by', 'mallory@example.com']
  await misused(
    ...named.map((words) => [/KOBO_OPERATOR_TOKEN is required/, ...words, ...byMallory] as const),
    ...one.map((words) => [/KOBO_OPERATOR_TOKEN is required/, ...words, ...byMallory.slice(2)] as const),
  )
  await prints('merchant', 'suspend', ...of, '--reason', 'anyone on duty may stop a merchant')
  await ada.prints('merchant', 'resume', ...of, '--reason', 'it is well', '--by', ada.email)
  const [resumed] = await shop.db`select actor, name from audit where act = 'merchant.resume'`
  assert.deepEqual({ ...resumed }, { actor: `person/${ada.operator.personId}`, name: ada.email })
})

test('what needs two operators in the dashboard needs the same two at the command line', async (t) => {
  const { shop, env } = await aGateway(t)
  const code = await codeOf(shop)
  const of = ['--merchant', code] as const
  const [ada, ben] = [await operatorAt(shop, env), await operatorAt(shop, env)]
  type Operator = typeof ada
  const run = (operator: Operator, words: readonly [string, ...string[]]) =>
    [...words, '--because', 'they wrote to us', '--by', operator.email] as const
  const isOn = async () => (await ada.prints('merchant', 'show', code, '--json')).settings.permissions.bills

  const permit = ['merchant', 'permit', ...of, '--grant', 'bills'] as const
  await ada.prints('merchant', 'permit', ...of, '--withdraw', 'bills')
  const requested = await ada.prints(...run(ada, permit))
  assert.deepEqual(
    [requested.kind, requested.status, requested.about],
    ['SETTINGS', 'WAITING', 'Grant permissions: bills'],
  )
  await ada.misused([/Another operator must approve this change/, ...run(ada, permit)])
  const other = await ben.prints(...run(ben, [...permit, '--grant', 'paycode']))
  assert.deepEqual([other.status, await isOn()], ['WAITING', false], 'another change is another request')
  const agreed = await ben.prints(...run(ben, permit))
  assert.deepEqual(
    [agreed.id, agreed.status, agreed.askedBy, agreed.decidedBy, await isOn()],
    [requested.id, 'APPLIED', ada.email, ben.email, true],
  )

  const price = ['price', 'set', 'transfer', '--step', 'up-to=5000,flat=5', '--step', 'percent=0.1,cap=30'] as const
  const standard = async () =>
    (await ada.prints('price', 'list')).find(({ service }: { service: string }) => service === 'transfer')
  const before = await standard()
  assert.equal((await ada.prints(...run(ada, price))).status, 'WAITING')
  assert.deepEqual(await standard(), before)
  assert.equal((await ben.prints(...run(ben, price))).status, 'APPLIED')
  const { steps, madeBy } = await standard()
  assert.deepEqual(
    [steps, madeBy],
    [
      [
        { upTo: 5_000, percent: 0, flat: 5, cap: null },
        { upTo: null, percent: 0.1, flat: 0, cap: 30 },
      ],
      ben.email,
    ],
  )

  const both = async (words: readonly [string, ...string[]], kind: string): Promise<void> => {
    const waiting = await ada.prints(...run(ada, words))
    assert.deepEqual([waiting.kind, waiting.status], [kind, 'WAITING'])
    const applied = await ben.prints(...run(ben, words))
    assert.deepEqual([applied.id, applied.status], [waiting.id, 'APPLIED'])
  }
  await both(
    ['returns', 'send', await aWaitingReturn(shop, 'FT-1'), '--bank', '058', '--account', '0123456789'],
    'RETURN',
  )
  await both(['returns', 'settle', await aWaitingReturn(shop, 'FT-2')], 'RETURN')
  await both(['credits', 'conflicts', 'take', await aConflict(shop, 'FT-3')], 'CONFLICT')
  await both(['credits', 'conflicts', 'dismiss', await aConflict(shop, 'FT-4')], 'CONFLICT')
  await both(['merchant', 'settle', ...of, '--cycle', '22:00'], 'SETTINGS')
  await both(['merchant', 'set', code, 'reserve.percent=5', 'reserve.days=90'], 'SETTINGS')
  const reported = ['--partner', 'wema', '--reference', 'mail-1', '--type', 'recall'] as const
  const disputed = ['--transaction', await paid(shop, 5_000), '--amount', '2000'] as const
  await both(['disputes', 'open', ...of, ...reported, ...disputed], 'DISPUTE')
  const [{ reference }] = await ada.prints('disputes', 'list')
  await both(['disputes', 'decide', reference, 'won'], 'DISPUTE_END')
  assert.equal((await ada.prints('disputes', 'list'))[0].status, 'WON')

  const inDashboard = await ada.prints(...run(ada, ['merchant', 'whitelist', ...of, '--ip', '10.0.0.0/8']))
  await ada.operator.rejected(403, contract.approveChange, { params: { id: inDashboard.id } })
  await ben.operator.call(contract.approveChange, { params: { id: inDashboard.id } })
  assert.deepEqual((await ada.prints('merchant', 'show', code, '--json')).settings.ipWhitelist, ['10.0.0.0/8'])
  const actors = await shop.db<{ act: string; actor: string }[]>`
    select distinct act, actor from audit where act in ('dispute.open', 'return.send', 'price.set', 'merchant.change')`
  assert.deepEqual(
    actors.map(({ act, actor }) => [act, actor]).toSorted(),
    ['dispute.open', 'merchant.change', 'price.set', 'return.send'].map((act) => [
      act,
      `person/${ben.operator.personId}`,
    ]),
  )
})

test('in live mode the first operator names the second, and later ones are invited in the dashboard', async (t) => {
  const { shop, env, prints, misused } = await live(t)
  const create = (email: string) => ['operator', 'create', email] as const
  await prints(...create('ada@example.com'))
  const ada = await operatorAt(shop, env)
  await misused([/--by is required/, ...create('ben@example.com')])
  await ada.prints(...create('ben@example.com'), '--by', ada.email)
  await operatorAt(shop, env)
  await ada.misused([/Invite others in the dashboard/, ...create('eve@example.com'), '--by', ada.email])
  const invited = await shop.db<{ actor: string }[]>`select actor from audit where act = 'operator.invite' order by id`
  assert.deepEqual(
    invited.map(({ actor }) => actor),
    ['command line', `person/${ada.operator.personId}`],
  )
})
