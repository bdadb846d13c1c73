import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { updateMerchant } from '../../../src/core/merchants/index.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import type { ApiResponse } from '../../harness/responses.ts'
import { aCard, aTransaction, CARDS, openTransaction, pay } from '../../harness/samples.ts'

/** An app: it knows the public key and sends no token. */
const app = (shop: Shop) => {
  const { apiKey, contractCode } = shop.credentials
  const post = ({ path }: contract.Route, body: object): Promise<ApiResponse> =>
    shop.send('POST', path, {
      headers: { authorization: '' },
      body: { apiKey, collectionChannel: 'MOBILE_SDK', ...body },
    })
  const ok = async (response: Promise<ApiResponse>): Promise<Record<string, never>> => {
    const { status, text, body } = await response
    assert.equal(status, 200, text)
    return body.responseBody as Record<string, never>
  }
  return {
    post,
    call: (route: contract.Route, body: object) => ok(post(route, body)),
    init: (changes: object = {}) =>
      post(contract.sdkInit, { ...aTransaction(shop), contractCode, paymentReference: randomUUID(), ...changes }),
    open: async (changes: object = {}): Promise<string> =>
      (
        await ok(
          post(contract.sdkInit, { ...aTransaction(shop), contractCode, paymentReference: randomUUID(), ...changes }),
        )
      )['transactionReference'] ?? '',
    query: (transactionReference: string) =>
      shop.send(
        'GET',
        `${contract.sdkQuery.path.replace(':apiKey', apiKey)}?${new URLSearchParams({ transactionReference })}`,
        {
          headers: { authorization: '' },
        },
      ),
  }
}

const codeOf = ({ headers }: ApiResponse): string | null => headers.get(contract.REFUSAL_HEADER)

test('an app opens a payment with the public key, pays by transfer and polls its status, and learns no secret', async () => {
  const shop = await aShop()
  const phone = app(shop)
  const transactionReference = await phone.open({
    paymentMethods: ['CARD', 'ACCOUNT_TRANSFER', 'USSD', 'PHONE_NUMBER'],
  })
  const account = await phone.call(contract.sdkTransfer, { transactionReference })
  const ussd = await phone.call(contract.sdkUssd, { transactionReference, bankUssdCode: '*737#' })
  assert.match(String(ussd['ussdCode']), /^\*737\*/)
  await pay(shop, account as never, 5_000)
  const { body } = await phone.query(transactionReference)
  const { paymentStatus, amountPaid, completed, customerEmail } = body.responseBody as Record<string, unknown>
  assert.deepEqual([paymentStatus, amountPaid, completed, customerEmail], ['PAID', 5_000, true, ''])
  // SDKs that find no WebSocket poll.
  for (const path of ['legacy/subscribe', 'subscribe/websocket'])
    assert.equal((await shop.send('GET', `/websocket/v1/notification/${path}`)).status, 404)
})

test('an app pays by card: with an OTP, and with 3-D Secure without card and token', async () => {
  const shop = await aShop()
  const phone = app(shop)
  const card = { ...aCard(CARDS.otp), expiryMonth: 12, expiryYear: 2031 }
  assert.deepEqual(await phone.call(contract.sdkCardRequirements, { pan: CARDS.otp }), { requirePin: true })
  const first = await phone.open()
  const sums = await phone.call(contract.sdkInitCard, { transactionReference: first })
  assert.deepEqual(sums, { totalAmountPayable: 5_000, amount: 5_000, paymentFee: 0 })
  const charged = await phone.call(contract.sdkCharge, { transactionReference: first, card })
  assert.equal(charged['status'], 'OTP_AUTHORIZATION_REQUIRED')
  const tokenId = (charged['otpData'] as { readonly id: string } | undefined)?.id
  const paid = await phone.call(contract.sdkOtp, { transactionReference: first, tokenId, token: '123456' })
  assert.deepEqual([paid['status'], paid['paymentStatus']], ['SUCCESS', 'PAID'])

  const second = await phone.open()
  await phone.call(contract.sdkCharge, { transactionReference: second, card: { ...card, number: CARDS.secure3d } })
  const request = await phone.call(contract.authorizeSecure3d, { transactionReference: second })
  assert.equal(request['status'], 'BANK_AUTHORIZATION_REQUIRED')
})

test('an app reaches only payments of apps: those of servers and of other merchants are not found', async () => {
  const shop = await aShop()
  const phone = app(shop)
  const ofServer = await openTransaction(shop)
  const ofAnother = await app(await aShop()).open()
  for (const transactionReference of [ofServer, ofAnother, 'KOBO|00|20260101000000|000001']) {
    assert.equal((await phone.query(transactionReference)).status, 404)
    assert.equal((await phone.post(contract.sdkTransfer, { transactionReference })).status, 404)
    const charge = await phone.post(contract.sdkCharge, { transactionReference, card: aCard(CARDS.success) })
    assert.equal(charge.status, 404)
    assert.equal((await phone.post(contract.authorizeSecure3d, { transactionReference })).status, 404)
  }
  const { path } = contract.authorizeSecure3d
  const body = { apiKey: shop.credentials.apiKey, transactionReference: ofServer }
  const server = await shop.send('POST', path, { headers: { authorization: '' }, body })
  assert.equal(codeOf(server), 'MISSING_TOKEN', 'a server needs its token')
})

test('in live mode an app must be registered, and uses references with its prefix', async (t) => {
  const shop = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
  const phone = app(shop)
  const register = (...inlineOrigins: readonly string[]): Promise<void> =>
    shop.core.directory.change(shop.merchantId, ({ tx }) => updateMerchant(tx, shop.merchantId, { inlineOrigins }))
  assert.equal(codeOf(await phone.init()), 'INLINE_NOT_ENABLED')
  await register('https://shop.example')
  assert.equal(codeOf(await phone.init()), 'ORIGIN_NOT_ALLOWED')
  await register('https://shop.example', 'app:com.shop.android APP_')
  assert.equal(codeOf(await phone.init()), 'REFERENCE_NOT_FOR_PAGES')
  assert.equal((await phone.init({ paymentReference: 'APP_1001' })).status, 200)
})

test('pay with bank and phone payments return that they are not enabled', async () => {
  const shop = await aShop()
  assert.deepEqual(await shop.call(contract.sdkListBanks, {}), [], 'no bank offers it')
  const phone = app(shop)
  for (const path of [contract.sdkOtherMethod.path, ...contract.sdkOtherMethod.aliases])
    assert.equal(codeOf(await phone.post({ ...contract.sdkOtherMethod, path }, {})), 'METHOD_NOT_OFFERED', path)
})
