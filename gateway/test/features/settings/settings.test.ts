import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { changeSettings } from '../../../src/features/settings/index.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { anAccount, aTransaction } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'

const OPERATOR = { actor: 'command line' } as const

/** Changes settings as the operator. */
async function operatorSets(shop: Shop, change: contract.SettingsChange, contractCode?: string): Promise<void> {
  const rules = readConfig({})
  await changeSettings({ core: shop.core, rules }, { id: shop.merchantId }, change, OPERATOR, contractCode)
}

const lastChange = async (shop: Shop) => {
  const [record] = await shop.db<{ name: string; address: string; details: Record<string, object> }[]>`
    select name, address, details from audit
     where merchant_id = ${shop.merchantId} and act = 'settings.change' order by id desc limit 1`
  return record
}

test('a merchant reads and changes its own settings; the audit log has actor, old and new values, and a mail is sent', async () => {
  const shop = await aShop()
  const before = await shop.call(contract.getMerchantSettings, {})
  const { mail: _, ...ofSandbox } = await shop.call(contract.getSettings, {})
  assert.deepEqual(before, {
    ...ofSandbox,
    paymentMethods: [...contract.PAYMENT_METHODS],
    accountDurationSeconds: 2_400,
    compat: [],
    brandColour: null,
    supportContact: null,
    logo: null,
    reserve: null,
  })
  const change = {
    webhookUrl: 'https://shop.example/events',
    webhookUrls: { refund: 'https://shop.example/refunds' },
    ipWhitelist: ['127.0.0.1', '10.0.0.0/8'],
    inlineOrigins: ['https://shop.example'],
    lowBalanceThreshold: 5_000,
    otpEnabled: true,
    brandColour: '#0c3b2a',
    supportContact: 'help@shop.example',
  }
  const after = await shop.call(contract.changeMerchantSettings, { body: change })
  assert.deepEqual(after, { ...before, ...change, webhookUrls: { ...before.webhookUrls, ...change.webhookUrls } })
  assert.deepEqual(await shop.call(contract.getMerchantSettings, {}), after)

  const names = Object.keys(change) as (keyof typeof change)[]
  const record = await lastChange(shop)
  assert.deepEqual([record?.name, record?.address], [shop.credentials.apiKey, '127.0.0.1'])
  assert.deepEqual(record?.details, {
    before: Object.fromEntries(names.map((name) => [name, before[name]])),
    after: Object.fromEntries(names.map((name) => [name, after[name]])),
  })
  await until('the merchant is notified', async () => {
    const [mail] = await shop.call(contract.readInbox, { query: { limit: 1 } })
    return (
      mail?.subject === 'Your account settings were changed' &&
      /changed these settings: webhook URL, .*, allowed IP addresses, /.test(mail.text)
    )
  })
})

test('a merchant cannot give itself terms or rights, disable codes, or lock itself out; then nothing changes', async () => {
  const shop = await aShop()
  const before = await shop.call(contract.getMerchantSettings, {})
  const rejected = async (status: number, body: object, code: string): Promise<void> => {
    const response = await shop.rejected(status, contract.changeMerchantSettings, {
      body: { webhookUrl: 'https://elsewhere.example', ...body },
    })
    assert.equal(response.code, code)
  }
  const operators = contract.SETTING_NAMES.filter((name) => contract.SETTINGS[name].changedBy === 'operator')
  assert.ok(operators.includes('permissions') && operators.includes('settlementAccount'))
  for (const name of operators) if (name !== 'mail') await rejected(403, { [name]: null }, 'OPERATORS_SETTING')
  await rejected(403, { otpEnabled: false }, 'CODES_STAY_ON')
  await rejected(400, { ipWhitelist: ['10.0.0.1'] }, 'WOULD_LOCK_OUT')
  await rejected(400, { webhookUrl: 'shop.example' }, 'MALFORMED_FIELD')
  assert.deepEqual(await shop.call(contract.getMerchantSettings, {}), before)

  const other = await shop.anotherMerchant([])
  const body = { webhookUrl: 'https://shop.example' }
  const { code } = await other.rejected(403, contract.changeMerchantSettings, { body })
  assert.equal(code, 'SETTINGS_NOT_PERMITTED')
  assert.equal((await other.call(contract.getMerchantSettings, {})).webhookUrl, null)
})

test('in live mode, webhook URLs and origins need TLS, and the whitelist takes no wide ranges', async (t) => {
  const live = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
  const shop = await live.anotherMerchant(['settings'])
  for (const [body, reason] of [
    [{ webhookUrl: 'http://shop.example' }, /^webhookUrl must be an https URL in live mode/],
    [{ webhookUrls: { refund: 'https://shop.example:8443' } }, /^webhookUrls.refund uses port 8443/],
    [{ ipWhitelist: ['127.0.0.1', '0.0.0.0/1'] }, /^ipWhitelist includes 0.0.0.0\/1, which is too wide/],
    [
      { inlineOrigins: ['http://shop.example'] },
      /^inlineOrigins includes http:\/\/shop.example: in live mode, origins must be https/,
    ],
    [{ inlineOrigins: ['*'] }, /^inlineOrigins includes \*: in live mode, list your own origins/],
  ] as const) {
    const { code, message } = await shop.rejected(400, contract.changeMerchantSettings, { body })
    assert.equal(code, 'SETTING_NOT_ALLOWED')
    assert.match(message, reason)
  }
  const webhookUrl = 'https://shop.example/events'
  assert.equal((await shop.call(contract.changeMerchantSettings, { body: { webhookUrl } })).webhookUrl, webhookUrl)
})

test('concurrent changes do not overwrite each other, and the audit log has them in order', async () => {
  const shop = await aShop()
  const words = ['transfers', 'wallets', 'refunds', 'cards', 'paycode'] as const
  await Promise.all(words.map((word) => operatorSets(shop, { permissions: { [word]: false } })))
  const { permissions } = await shop.call(contract.getMerchantSettings, {})
  for (const word of words) assert.equal(permissions[word], false, word)
  const records = await shop.db<{ details: { before: object; after: object } }[]>`
    select details from audit where merchant_id = ${shop.merchantId} and act = 'settings.change' order by id`
  const count = ({ permissions }: { permissions?: Record<string, boolean> }): number =>
    Object.values(permissions ?? {}).filter((isGranted) => !isGranted).length
  const steps = records.map(({ details: { before, after } }) => [count(before), count(after)])
  assert.deepEqual(
    steps.toSorted(([one = 0], [other = 0]) => one - other),
    words.map((_, index) => [index + 1, index + 2]),
  )
})

test('a term changes in one contract or in all, and payments use their contract’s terms', async () => {
  const shop = await aShop()
  await operatorSets(shop, { feeBearer: 'CUSTOMER', paymentMethods: ['ACCOUNT_TRANSFER'] })
  assert.equal((await anAccount(shop, { amount: 1_000 })).totalPayable, 1_015)
  const body = { ...aTransaction(shop), paymentMethods: ['CARD'] as contract.PaymentMethod[] }
  assert.match((await shop.rejected(422, contract.initTransaction, { body })).message, /CARD is not enabled/)
  const record = await lastChange(shop)
  const { contractCode } = shop.credentials
  assert.deepEqual(record?.details, {
    before: { contracts: { [contractCode]: { feeBearer: 'MERCHANT', paymentMethods: [...contract.PAYMENT_METHODS] } } },
    after: { contracts: { [contractCode]: { feeBearer: 'CUSTOMER', paymentMethods: ['ACCOUNT_TRANSFER'] } } },
  })
})
