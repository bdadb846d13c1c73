import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { updateMerchant } from '../../../src/core/merchants/index.ts'
import { aShop, type Client, gateway, type Shop } from '../../harness/gateway.ts'
import { type ApiResponse, checkRefusal } from '../../harness/responses.ts'
import { aCard, aTransaction, CARDS, checkoutReferenceOf } from '../../harness/samples.ts'

type Inline = Input<typeof contract.inlineCheckout>['body']

const anInline = ({ credentials }: Client, changes: Partial<Inline> = {}): Inline => ({
  apiKey: credentials.apiKey,
  contractCode: credentials.contractCode,
  amount: 7_500,
  currency: 'NGN',
  reference: `inline-${Math.random()}`,
  customerFullName: 'Ada Obi',
  customerEmail: 'ada@example.com',
  ...changes,
})

const DUPLICATE = 'DUPLICATE_PAYMENT_REFERENCE'
const codeOf = ({ headers }: ApiResponse): string | null => headers.get(contract.REFUSAL_HEADER)
const referenceOf = ({ body }: ApiResponse): string =>
  (body.responseBody as Reply<typeof contract.inlineCheckout>).transactionReference

const openInline = (shop: Shop, body: object, origin = 'https://shop.example') =>
  shop.send(contract.inlineCheckout.method, contract.inlineCheckout.path, {
    headers: { origin, authorization: '' },
    body,
  })

test('a script on a merchant’s page opens a payment with the public key, and only that site may frame its checkout', async () => {
  const shop = await aShop()
  const body = anInline(shop, {
    metadata: { cart: 3 },
    paymentDescription: 'Bag',
    paymentMethods: ['ACCOUNT_TRANSFER'],
  })
  const response = await openInline(shop, body)
  assert.equal(response.status, 200, response.text)
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  const { transactionReference, checkoutUrl, ...rest } = response.body.responseBody as Reply<
    typeof contract.inlineCheckout
  >
  assert.deepEqual(rest, { paymentReference: body.reference, merchantName: 'Demo Shop' })
  const page = await shop.send('GET', new URL(checkoutUrl).pathname)
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors https:\/\/shop\.example$/)
  assert.equal(page.headers.get('x-frame-options'), null)
  const record = await shop.call(contract.getTransaction, { params: { transactionReference } })
  assert.deepEqual(
    [record.paymentReference, record.product.type, record.metaData, record.customer, record.totalPayable],
    [body.reference, 'WEB_SDK', { cart: 3 }, { name: 'Ada Obi', email: 'ada@example.com' }, '7500.00'],
  )
})

test('browsers of every site may call, and can read why they are rejected', async () => {
  const shop = await aShop()
  const preflight = await shop.send('OPTIONS', contract.inlineCheckout.path, {
    headers: { origin: 'https://shop.example' },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST')
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /content-type/)
  const rejected = await openInline(shop, anInline(shop, { apiKey: 'MK_TEST_NOBODY0000' }))
  assert.deepEqual([rejected.status, rejected.headers.get('access-control-allow-origin')], [422, '*'])
  assert.equal(rejected.headers.get('access-control-expose-headers'), contract.REFUSAL_HEADER)
  const elsewhere = await shop.send('GET', contract.getSettings.path, { headers: { origin: 'https://shop.example' } })
  assert.equal(elsewhere.headers.get('access-control-allow-origin'), null)
})

test('forbidden requests of a script are rejected, and one reference opens one payment despite parallel requests', async () => {
  const shop = await aShop()
  for (const [status, changes] of [
    [400, { amount: 19 }],
    [400, { amount: 'much' }],
    [400, { customerEmail: 'nobody' }],
    [400, { reference: '' }],
    [422, { apiKey: 'MK_TEST_NOBODY0000' }],
    [422, { contractCode: '000000000000' }],
    [422, { currency: 'USD' }],
  ] as const) {
    const response = await openInline(shop, anInline(shop, changes))
    assert.equal(response.status, status, `${JSON.stringify(changes)}: ${response.text}`)
  }
  assert.equal((await openInline(shop, anInline(shop), 'null')).status, 400)
  assert.equal((await openInline(shop, anInline(shop), 'https://a.example; script-src *')).status, 400)
  const body = anInline(shop)
  const responses = await Promise.all(Array.from({ length: 10 }, () => openInline(shop, body)))
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(responses.map(referenceOf)).size, 1)
})

test('a returning payer continues the same payment while it can be paid; other payers cannot reach it', async () => {
  const shop = await aShop()
  const body = anInline(shop, { paymentDescription: 'Bag', metadata: { cart: 3, gift: true } })
  const first = await openInline(shop, body)
  assert.equal(referenceOf(await openInline(shop, { ...body, metadata: { gift: true, cart: 3 } })), referenceOf(first))
  for (const other of [
    { amount: 7_501 },
    { customerEmail: 'eve@example.com' },
    { customerFullName: 'Eve' },
    { paymentDescription: 'Car' },
    { metadata: { cart: 4 } },
  ])
    assert.equal(codeOf(await openInline(shop, { ...body, ...other })), DUPLICATE, JSON.stringify(other))
  assert.equal(codeOf(await openInline(shop, body, 'https://other.example')), DUPLICATE, 'of another site')

  // A payment opened by the merchant's server is not handed out to callers who know its reference.
  const { paymentReference = '' } = aTransaction(shop)
  const terms = { amount: 7_500, customerName: 'Ada Obi', customerEmail: 'ada@example.com' }
  const transaction = { ...aTransaction(shop, terms), paymentReference, paymentDescription: 'Bag', metaData: {} }
  await shop.call(contract.initTransaction, { body: transaction })
  const taken = anInline(shop, { reference: paymentReference, paymentDescription: 'Bag' })
  assert.equal(codeOf(await openInline(shop, taken)), DUPLICATE, 'of the server')

  const { checkoutUrl } = first.body.responseBody as Reply<typeof contract.inlineCheckout>
  const params = { checkoutReference: checkoutReferenceOf(checkoutUrl) }
  const card = aCard(CARDS.success)
  await shop.call(contract.checkoutCard, { params, body: { card } })
  assert.equal(codeOf(await openInline(shop, body)), DUPLICATE, 'once it is paid')
})

/** Registers the sites on whose pages a merchant takes payments. */
const register = ({ core, merchantId }: Shop, ...inlineOrigins: readonly string[]): Promise<void> =>
  core.directory.change(merchantId, ({ tx }) => updateMerchant(tx, merchantId, { inlineOrigins }))

const aPagesOwn = (shop: Shop, changes: Partial<Inline> = {}): Inline =>
  anInline(shop, { reference: `web-${Math.random()}`, ...changes })

test('in live mode no page opens a payment until its site is registered, and only over https', async (t) => {
  const shop = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
  assert.equal(codeOf(await openInline(shop, aPagesOwn(shop))), 'INLINE_NOT_ENABLED')
  await register(shop, 'https://shop.example')
  assert.equal((await openInline(shop, aPagesOwn(shop))).status, 200)
  assert.equal(codeOf(await openInline(shop, aPagesOwn(shop), 'http://shop.example')), 'INSECURE_ORIGIN')
  await register(shop, '*')
  assert.equal(codeOf(await openInline(shop, aPagesOwn(shop))), 'ORIGIN_NOT_ALLOWED', 'a star is for the sandbox')
})

test('pages of other sites, and programs that send no origin, open nothing', async () => {
  const shop = await aShop()
  await register(shop, 'https://shop.example', 'https://other.example')
  assert.equal((await openInline(shop, aPagesOwn(shop), 'https://other.example')).status, 200)
  for (const origin of ['https://evil.example', 'https://shop.example.evil.example', 'http://shop.example'])
    assert.equal(codeOf(await openInline(shop, aPagesOwn(shop), origin)), 'ORIGIN_NOT_ALLOWED', origin)
  const { method, path } = contract.inlineCheckout
  const program = await shop.send(method, path, { headers: { authorization: '' }, body: aPagesOwn(shop) })
  assert.equal(codeOf(program), 'ORIGIN_NOT_ALLOWED')
  checkRefusal(contract.inlineCheckout, program)
  await register(shop)
  assert.equal(codeOf(await openInline(shop, aPagesOwn(shop))), 'INLINE_NOT_ENABLED')
})

test('a site that is no longer registered may no longer show the checkouts that it opened', async () => {
  const shop = await aShop()
  await register(shop, 'https://shop.example')
  const { checkoutUrl } = (await openInline(shop, aPagesOwn(shop))).body.responseBody as Reply<
    typeof contract.inlineCheckout
  >
  const ancestors = async (): Promise<string | undefined> =>
    /frame-ancestors (.*)$/.exec(
      (await shop.send('GET', new URL(checkoutUrl).pathname)).headers.get('content-security-policy') ?? '',
    )?.[1]
  assert.equal(await ancestors(), 'https://shop.example')
  await register(shop, 'https://other.example')
  assert.equal(await ancestors(), "'none'")
})

test('a page cannot use a reference of the merchant’s server, nor split the money, without the server’s signature', async () => {
  const shop = await aShop()
  await register(shop, 'https://shop.example')
  const account = { currencyCode: 'NGN', bankCode: '058', accountNumber: '0123456789', email: 'a@example.com' }
  const body = [{ ...account, defaultSplitPercentage: 20 }]
  const [subAccount] = await shop.call(contract.createSubAccounts, { body })
  const incomeSplitConfig = [{ subAccountCode: subAccount?.subAccountCode ?? '', splitPercentage: 100 }]
  const reference = 'order-1001'
  assert.equal(codeOf(await openInline(shop, anInline(shop, { reference }))), 'REFERENCE_NOT_FOR_PAGES')
  assert.equal(codeOf(await openInline(shop, aPagesOwn(shop, { incomeSplitConfig }))), 'SPLITS_NOT_SIGNED')
  await shop.call(contract.initTransaction, { body: aTransaction(shop, { paymentReference: reference }) })

  const { contractCode, secretKey } = shop.credentials
  const sign = (text: string): string => createHmac('sha512', secretKey).update(text).digest('hex')
  const splits = `[{"splitPercentage":100,"subAccountCode":"${subAccount?.subAccountCode}"}]`
  const signature = sign(`${contractCode}|order-1002|7500.00|NGN|${splits}`)
  const signed = anInline(shop, { reference: 'order-1002', incomeSplitConfig, signature })
  for (const [name, changes] of Object.entries({
    amount: { amount: 20 },
    reference: { reference: 'order-1003' },
    splits: { incomeSplitConfig: [] },
    signature: { signature: sign('something else') },
  }))
    assert.equal(codeOf(await openInline(shop, { ...signed, ...changes })), 'WRONG_INLINE_SIGNATURE', name)
  assert.equal((await openInline(shop, { ...signed, signature: 'none' })).status, 400)
  assert.equal((await openInline(shop, signed)).status, 200)
  assert.equal((await openInline(shop, signed)).status, 200, 'and the payer may come back to it')
  assert.equal(codeOf(await openInline(shop, { ...signed, customerFullName: 'Eve' })), DUPLICATE, 'one payment')
})

test('a registered site may use references with its own prefix, in live mode too; others may not', async (t) => {
  const shop = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
  await register(shop, 'https://shop.example MNFY_WP_', 'https://other.example')
  const open = (reference: string, origin?: string) => openInline(shop, anInline(shop, { reference }), origin)
  assert.equal((await open('MNFY_WP_1001_1763400000')).status, 200)
  assert.equal((await open('web-1001')).status, 200)
  const rejected = await open('order-1001')
  assert.equal(codeOf(rejected), 'REFERENCE_NOT_FOR_PAGES')
  assert.match(rejected.body.responseMessage, /MNFY_WP_/)
  assert.equal(codeOf(await open('MNFY_WP_1002_1763400000', 'https://other.example')), 'REFERENCE_NOT_FOR_PAGES')
})

test('payments opened per IP address and minute are limited', async (t) => {
  const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '100000' } })
  const statuses: number[] = []
  for (let i = 0; i < 125; i++) statuses.push((await openInline(shop, { ...anInline(shop), amount: 1 })).status)
  assert.deepEqual(new Set(statuses.slice(0, 120)), new Set([400]))
  assert.deepEqual(new Set(statuses.slice(120)), new Set([429]))
})

test('the inline script is served at its URL, for pages of all sites', async () => {
  const { send } = await aShop()
  const script = await send('GET', '/plugin/checkout.js')
  assert.equal((await send('GET', '/plugin/monnify.js')).text, script.text, 'the same for pages written for Monnify')
  assert.equal(script.status, 200)
  assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/)
  assert.equal(script.headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.match(script.headers.get('cache-control') ?? '', /max-age=300/)
  assert.match(script.text, /KoboSDK/)
})
