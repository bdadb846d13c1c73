import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { CLIENT_PROFILES, COMPAT_NAMES, type CompatSetting } from '@kobo/contract'
import { changeSettings } from '../../../../src/features/settings/index.ts'
import { aShop, basic, gateway, type Shop } from '../../../harness/gateway.ts'
import { anAccount, aReservedAccount, aTransaction, aTransfer, holderOf, pay } from '../../../harness/samples.ts'
import { webhookEndpoint } from '../../../harness/webhook-endpoint.ts'

/** Switches compatibility settings on for a merchant, as its operator does. */
const relax = async ({ core, merchantId }: Shop, ...compat: readonly CompatSetting[]): Promise<void> => {
  const rules = { environment: 'sandbox', allowed: [], receiverPorts: undefined } as const
  await changeSettings({ core, rules }, { id: merchantId }, { compat: [...compat] }, { actor: 'command line' })
}

const codeOf = ({ headers }: { readonly headers: Headers }): string | null => headers.get(contract.REFUSAL_HEADER)

/** Checks what a setting relaxes, and that it is rejected without the setting. */
const RELAXED: { readonly [Name in CompatSetting]: (shop: Shop, t: TestContext) => Promise<void> } = {
  transfersWithoutName: async (shop) => {
    const { path, method } = contract.initiateTransfer
    const nameless = async (): Promise<object> => {
      const { destinationAccountName: _, ...body } = await aTransfer(shop)
      return body
    }
    const rejected = await shop.send(method, path, { body: await nameless() })
    assert.equal(rejected.status, 400)
    assert.match(rejected.body.responseMessage, /^destinationAccountName is required/)
    assert.equal(rejected.body.responseCode, 'D01')
    await relax(shop, 'transfersWithoutName')
    const sent = await shop.send(method, path, { body: await nameless() })
    assert.equal(sent.status, 200, sent.text)
    const { destinationAccountName } = sent.body.responseBody as { readonly destinationAccountName: string }
    assert.equal(destinationAccountName, await holderOf(shop, '0123456789'), 'the name at the bank')
    const otherwise = await shop.send(method, path, { body: { ...(await nameless()), amount: 'much' } })
    assert.match(otherwise.body.responseMessage, /^amount must be/, 'all other rules stay')
    const wrong = { ...(await aTransfer(shop)), destinationAccountName: 'SOMEONE ELSE ENTIRELY' }
    assert.equal(codeOf(await shop.send(method, path, { body: wrong })), 'ANOTHER_NAME', 'a given name is compared')
  },
  basicAuthentication: async (shop) => {
    const { path, method } = contract.initTransaction
    const call = (authorization: string) =>
      shop.send(method, path, { headers: { authorization }, body: aTransaction(shop) })
    const keys = basic(shop.credentials)
    assert.equal(codeOf(await call(keys)), 'MISSING_TOKEN')
    await relax(shop, 'basicAuthentication')
    const sent = await call(keys)
    assert.equal(sent.status, 200, sent.text)
    const wrong = basic({ ...shop.credentials, secretKey: 'X'.repeat(32) })
    assert.equal(codeOf(await call(wrong)), 'INVALID_CREDENTIALS')
    assert.equal((await call(keys)).status, 200)
    const audited = await shop.db`
      select act from audit where merchant_id = ${shop.merchantId} and act in ('login.call', 'login.refused') order by id`
    assert.deepEqual(
      audited.map(({ act }) => act),
      ['login.call', 'login.refused'],
      'a network’s calls are audited once, its failures each',
    )
    const other = await shop.anotherMerchant()
    const foreign = await shop.send(method, path, {
      headers: { authorization: basic(other.credentials) },
      body: aTransaction(shop),
    })
    assert.equal(codeOf(foreign), 'MISSING_TOKEN', 'only for merchants with the setting')
  },
  accountsWithoutIdentity: async (shop) => {
    const { bvn: _, ...anonymous } = aReservedAccount(shop)
    const reserve = ({ method, path }: contract.Route, accountReference: string) =>
      shop.send(method, path, { body: { ...anonymous, accountReference } })
    const { reserveAccount, reserveInvoiceAccount } = contract
    assert.equal(codeOf(await reserve(reserveInvoiceAccount, 'first')), 'IDENTITY_REQUIRED')
    await relax(shop, 'accountsWithoutIdentity')
    const reserved = await reserve(reserveInvoiceAccount, 'first')
    assert.equal(reserved.status, 200, reserved.text)
    assert.equal(codeOf(await reserve(reserveAccount, 'second')), 'IDENTITY_REQUIRED', 'version 2 needs one')
  },
  monnifySignature: async (shop, t) => {
    const endpoint = await webhookEndpoint(t)
    await shop.call(contract.changeSettings, { body: { webhookUrl: endpoint.url } })
    await pay(shop, await anAccount(shop), 5_000)
    const [plain] = await endpoint.count(1)
    assert.deepEqual(
      [plain?.headers['monnify-signature'], plain?.event.eventType],
      [undefined, 'SUCCESSFUL_TRANSACTION'],
    )
    await relax(shop, 'monnifySignature')
    await pay(shop, await anAccount(shop), 5_000)
    const signed = (await endpoint.count(2))[1]
    const signature = createHmac('sha512', shop.credentials.secretKey)
      .update(signed?.body ?? '')
      .digest('hex')
    const { 'monnify-signature': theirs, 'service-signature': ours } = signed?.headers ?? {}
    assert.deepEqual([theirs, ours], [signature, signature])
  },
}

for (const name of COMPAT_NAMES)
  test(`${name} relaxes its rule for a merchant that has it, and for no other`, async (t) =>
    RELAXED[name](await aShop(), t))

test('KOBO_COMPAT relaxes rules for all merchants of a sandbox, by a client’s name', async (t) => {
  const shop = await gateway(t, { env: { KOBO_COMPAT: 'gomonnify' } })
  const headers = { authorization: basic(shop.credentials) }
  const { method, path } = contract.initTransaction
  const sent = await shop.send(method, path, { headers, body: aTransaction(shop) })
  assert.equal(sent.status, 200, sent.text)
  const { compat } = await shop.call(contract.getMerchantSettings, {})
  assert.deepEqual(compat, [...CLIENT_PROFILES.gomonnify.needs])
})

test('a merchant cannot relax rules itself', async () => {
  const shop = await aShop()
  const rejected = await shop.send('PUT', contract.changeMerchantSettings.path, {
    body: { compat: ['basicAuthentication'] },
  })
  assert.equal(codeOf(rejected), 'OPERATORS_SETTING')
})
