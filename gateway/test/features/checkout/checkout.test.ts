import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { aShop, type Client, gateway, type Shop } from '../../harness/gateway.ts'
import { anInvoice, aReservedAccount, aTransaction, pay } from '../../harness/samples.ts'
import { WAIT_MILLISECONDS_MAX } from '../../harness/wait.ts'

type State = Reply<typeof contract.getCheckout>

/** A transaction, as its payer finds it. */
async function opened(client: Client, changes: Parameters<typeof aTransaction>[1] = {}) {
  const body = aTransaction(client, changes)
  const { transactionReference, checkoutUrl } = await client.call(contract.initTransaction, { body })
  return { ...body, transactionReference, checkoutUrl, params: { transactionReference } }
}

const state = (client: Client, { params }: { params: { transactionReference: string } }): Promise<State> =>
  client.call(contract.getCheckout, { params })

/** The payer chooses to pay by transfer. */
const account = async (client: Client, { params }: { params: { transactionReference: string } }) => {
  const { account: shown } = await client.call(contract.checkoutTransfer, { params, body: {} })
  return shown ?? assert.fail('an account is shown')
}

const productOf = async (client: Client, { params }: { params: { transactionReference: string } }): Promise<string> =>
  (await client.call(contract.getTransaction, { params })).product.type

test('a payer sees whom a payment is to, how much and how far it is, and nothing of anyone', async () => {
  const shop = await aShop()
  const payment = await opened(shop, {
    customerName: 'Chidinma Secret',
    customerEmail: 'chidinma@secret.example',
    metaData: { note: 'secret note' },
    redirectUrl: 'https://shop.example/done?order=7',
  })
  const shown = await state(shop, payment)
  assert.equal(shown.merchantName, 'Demo Shop')
  assert.deepEqual(
    [shown.amount, shown.fee, shown.totalPayable, shown.amountPaid, shown.paymentStatus, shown.completed],
    [5_000, 0, 5_000, 0, 'PENDING', false],
  )
  assert.equal(shown.expiresOn - shown.now > 2_390_000, true)
  assert.equal(shown.returnUrl, `https://shop.example/done?order=7&paymentReference=${payment.paymentReference}`)
  const page = await shop.send(
    'GET',
    contract.pathOf(contract.getCheckout.path, payment.params).replace(/\/state$/, ''),
  )
  assert.equal(page.status, 200)
  for (const text of [JSON.stringify(shown), page.text])
    for (const secret of [
      'Chidinma',
      'chidinma',
      'secret note',
      shop.credentials.apiKey,
      shop.credentials.contractCode,
      shop.credentials.walletAccountNumber,
    ])
      assert.ok(!text.includes(secret), `${secret} is shown`)
})

test('what the payer bears of the fee is shown beside the amount', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { feeBearer: 'CUSTOMER' } })
  const shown = await state(shop, await opened(shop, { amount: 1_000 }))
  assert.deepEqual([shown.amount, shown.fee, shown.totalPayable], [1_000, 15, 1_015])
})

test('the page can be read before its script arrives, loads nothing from elsewhere, and is framed by nobody', async () => {
  const shop = await aShop()
  const payment = await opened(shop, { amount: '1234.50', paymentDescription: 'Shoes <b>&</b> socks' })
  const page = await shop.send('GET', new URL(payment.checkoutUrl).pathname)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.ok(page.text.includes('Pay ₦1,234.50 to Demo Shop'))
  assert.ok(page.text.includes('Shoes &lt;b&gt;&amp;&lt;/b&gt; socks'))
  for (const words of ['Bank transfer', 'USSD', 'Card']) assert.ok(page.text.includes(`<b>${words}</b>`), words)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none';/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|https?:|\*|data:/)
  assert.doesNotMatch(page.text, /(src|href|action)="(https?:)?\/\//)
  assert.doesNotMatch(page.text, /<[^>]+ (style|on[a-z]+)=/)
  assert.equal(page.headers.get('cache-control'), 'no-store')
})

test('the page speaks the language that is asked for, chosen before, or preferred by the browser', async () => {
  const shop = await aShop()
  const path = new URL((await opened(shop)).checkoutUrl).pathname
  const languageOf = async (query: string, headers: Record<string, string>): Promise<string | undefined> =>
    /<html lang="(\w+)"/.exec((await shop.send('GET', path + query, { headers })).text)?.[1]
  assert.equal(await languageOf('', {}), 'en')
  assert.equal(await languageOf('', { 'accept-language': 'fr, pcm-NG;q=0.9, en;q=0.8' }), 'pcm')
  assert.equal(await languageOf('', { 'accept-language': 'pcm', cookie: 'a=b; kobo_language=en' }), 'en')
  assert.equal(await languageOf('?lang=pcm', { cookie: 'kobo_language=en' }), 'pcm')
  assert.equal(await languageOf('?lang=xx', {}), 'en')
})

test('a payer who chooses transfer gets one account, however often it is asked for at once, and it stays the checkout’s payment', async () => {
  const shop = await aShop()
  const payment = await opened(shop)
  assert.equal((await state(shop, payment)).account, null)
  const accounts = await Promise.all(Array.from({ length: 20 }, () => account(shop, payment)))
  assert.equal(new Set(accounts.map(({ accountNumber }) => accountNumber)).size, 1)
  const [first = assert.fail()] = accounts
  assert.deepEqual((await state(shop, payment)).account, first)
  assert.equal(first.accountName, 'Demo Shop-Two pairs of shoes')
  await pay(shop, first, 5_000)
  const paid = await state(shop, payment)
  assert.deepEqual(
    [paid.paymentStatus, paid.completed, paid.amountPaid, paid.paymentMethod, paid.paymentMethods, paid.account],
    ['PAID', true, 5_000, 'ACCOUNT_TRANSFER', [], null],
  )
  assert.equal(await productOf(shop, payment), 'WEB_SDK')
})

test('a server call after the payer’s choice finds the same account, and makes it the server’s payment', async () => {
  const shop = await aShop()
  const payment = await opened(shop)
  const { accountNumber } = await account(shop, payment)
  const { transactionReference } = payment
  const answered = await shop.call(contract.initBankTransfer, { body: { transactionReference } })
  assert.equal(answered.accountNumber, accountNumber)
  assert.equal(await productOf(shop, payment), 'API_NOTIFICATION')
})

test('after part of the money, what is missing can be transferred or dialled, and no card is taken', async () => {
  const shop = await aShop()
  const payment = await opened(shop)
  await pay(shop, await account(shop, payment), 1_500)
  const part = await state(shop, payment)
  assert.deepEqual(
    [part.paymentStatus, part.completed, part.amountPaid, part.paymentMethods],
    ['PARTIALLY_PAID', false, 1_500, ['ACCOUNT_TRANSFER', 'USSD']],
  )
  const { ussdPayment } = await shop.call(contract.checkoutUssd, { params: payment.params, body: { bankCode: '058' } })
  assert.equal(ussdPayment, `*737*2*3500*${part.account?.accountNumber}#`)
})

test('a payer dials what the bank’s customers dial; a bank without such a text has none, and an unknown bank is refused', async () => {
  const shop = await aShop()
  const { params } = await opened(shop, { paymentMethods: ['USSD'] })
  const dial = (bankCode: string) => shop.call(contract.checkoutUssd, { params, body: { bankCode } })
  const { ussdPayment, checkout } = await dial('044')
  assert.equal(ussdPayment, `*901*5000*${checkout.account?.accountNumber}#`)
  assert.equal((await dial('50211')).ussdPayment, null)
  await shop.refused(422, contract.checkoutUssd, { params, body: { bankCode: '999' } })
  await shop.refused(400, contract.checkoutUssd, { params, body: {} })
  await shop.refused(422, contract.checkoutTransfer, { params, body: {} })
})

test('nothing can be chosen on a payment that is over, of a method that is not enabled, or that nobody has asked for', async () => {
  const shop = await aShop()
  const card = await opened(shop, { paymentMethods: ['CARD'] })
  await shop.refused(422, contract.checkoutTransfer, { params: card.params, body: {} })
  assert.deepEqual((await state(shop, card)).paymentMethods, ['CARD'])

  const cancelled = await opened(shop)
  await shop.call(contract.cancelTransaction, { params: cancelled.params })
  await shop.refused(422, contract.checkoutTransfer, { params: cancelled.params, body: {} })
  const shown = await state(shop, cancelled)
  assert.deepEqual([shown.paymentStatus, shown.completed, shown.paymentMethods], ['CANCELLED', true, []])

  for (const transactionReference of ['KOBO|00|20260301093000|000001', 'nothing of ours', 'MNFY|1']) {
    const params = { transactionReference }
    await shop.refused(404, contract.getCheckout, { params })
    await shop.refused(404, contract.checkoutTransfer, { params, body: {} })
    await shop.refused(404, contract.checkoutUssd, { params, body: { bankCode: '058' } })
  }
  const long = { transactionReference: 'x'.repeat(129) }
  await shop.refused(400, contract.getCheckout, { params: long })
  await shop.refused(400, contract.checkoutTransfer, { params: long, body: {} })
  const page = await shop.send('GET', '/checkout/KOBO%7C00%7C20260301093000%7C000001')
  assert.equal(page.status, 404)
  assert.ok(page.text.includes('There is no payment at this address'))
})

test('a payment whose time is over is expired at that very moment, and what was paid in part stays so', async (t) => {
  const shop = await gateway(t)
  const unpaid = await opened(shop)
  const part = await opened(shop)
  await pay(shop, await account(shop, part), 100)
  // Time alone, without what falls due: nobody has come by yet to write it down.
  await shop.core.clock.moveTo(new Date((await state(shop, part)).expiresOn))
  assert.deepEqual(
    [await state(shop, unpaid), await state(shop, part)].map(({ paymentStatus, completed }) => [
      paymentStatus,
      completed,
    ]),
    [
      ['EXPIRED', true],
      ['PARTIALLY_PAID', true],
    ],
  )
  await shop.refused(422, contract.checkoutTransfer, { params: unpaid.params, body: {} })
})

test('an invoice is paid into its own account, or into the reserved one that it is attached to, and no other is opened', async () => {
  const shop = await aShop()
  const at = shop.core.clock.now()
  const own = await shop.call(contract.createInvoice, { body: anInvoice(shop, at) })
  assert.equal((await account(shop, { params: own })).accountNumber, own.accountNumber)

  const body = { ...aReservedAccount(shop), reservedAccountType: 'INVOICE' as const }
  const { accountReference, accountNumber } = await shop.call(contract.reserveInvoiceAccount, { body })
  const attached = await shop.call(contract.createInvoice, { body: anInvoice(shop, at, { accountReference }) })
  const shown = await account(shop, { params: attached })
  assert.equal(shown.accountNumber, accountNumber)
  await pay(shop, shown, 5_000)
  assert.equal((await state(shop, { params: attached })).paymentStatus, 'PAID')
  await shop.refused(422, contract.checkoutTransfer, { params: attached, body: {} })
})

/** Reads server-sent events until the stream ends, telling of each how many have come. */
async function events(url: string, onTold: (count: number) => unknown = () => {}): Promise<State[]> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(WAIT_MILLISECONDS_MAX) })
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  const told: State[] = []
  let text = ''
  for await (const chunk of (answer.body ?? assert.fail('there is a body')).pipeThrough(new TextDecoderStream())) {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop() ?? ''
    for (const data of parts.filter((part) => part.startsWith('data: '))) {
      told.push(JSON.parse(data.slice(6)) as State)
      onTold(told.length)
    }
  }
  return told
}

test('a page that listens is told when money arrives, in part and in full, and then the stream ends', async () => {
  const shop = await aShop()
  const payment = await opened(shop)
  const to = await account(shop, payment)
  const told = await events(
    `${payment.checkoutUrl}/events`,
    (count) => count < 3 && pay(shop, to, count === 1 ? 2_000 : 3_000),
  )
  assert.deepEqual(
    told.map(({ paymentStatus, amountPaid, completed }) => [paymentStatus, amountPaid, completed]),
    [
      ['PENDING', 0, false],
      ['PARTIALLY_PAID', 2_000, false],
      ['PAID', 5_000, true],
    ],
  )
})

test('a page hears of what another process has done', async (t) => {
  const shop = await gateway(t)
  const other = await gateway(t, { databaseUrl: shop.databaseUrl })
  const payment = await opened(shop)
  const to = await account(shop, payment)
  const told = await events(`${payment.checkoutUrl}/events`, (count) => count === 1 && pay(other, to, 5_000))
  assert.equal(told.at(-1)?.paymentStatus, 'PAID')
})

test('a stream of a payment that is over tells how it ended, and one of no payment is refused', async () => {
  const shop = await aShop()
  const payment = await opened(shop)
  await shop.call(contract.cancelTransaction, { params: payment.params })
  assert.deepEqual(
    (await events(`${payment.checkoutUrl}/events`)).map(({ paymentStatus }) => paymentStatus),
    ['CANCELLED'],
  )
  assert.equal((await shop.send('GET', '/checkout/nothing/events')).status, 404)
})

test('a gateway that closes does not wait for pages that listen', async (t) => {
  const shop = await gateway(t)
  const payment = await opened(shop)
  let started = (): void => {}
  const listening = new Promise<void>((resolve) => {
    started = resolve
  })
  const ended = events(`${payment.checkoutUrl}/events`, () => started())
  await listening
  t.after(() => ended) // runs after the gateway has closed: the stream has ended by then, or the test hangs
})

test('without its script, the page’s forms open the account and the code to dial', async () => {
  const shop = await aShop()
  const payment = await opened(shop)
  const path = new URL(payment.checkoutUrl).pathname
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const sent = await shop.send('POST', path, { headers, body: 'method=ACCOUNT_TRANSFER' })
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, path])
  const { account: shown } = await state(shop, payment)
  assert.ok((await shop.send('GET', path)).text.includes(`>${shown?.accountNumber}<`))
  const dialled = await shop.send('POST', path, { headers, body: 'bankCode=058' })
  assert.deepEqual([dialled.status, dialled.headers.get('location')], [303, `${path}?bank=058`])
  const page = await shop.send('GET', `${path}?bank=058`)
  assert.ok(page.text.replaceAll('<wbr>', '').includes(`*737*2*5000*${shown?.accountNumber}#`))
  assert.equal((await shop.send('POST', path, { headers, body: 'bankCode=999' })).status, 422)
})

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
  const answer = await openInline(shop, body)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  const { transactionReference, checkoutUrl, ...rest } = answer.body.responseBody as Reply<
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

test('browsers of every site may ask, and hear why they are refused', async () => {
  const shop = await aShop()
  const preflight = await shop.send('OPTIONS', contract.inlineCheckout.path, {
    headers: { origin: 'https://shop.example' },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST')
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /content-type/)
  const refused = await openInline(shop, anInline(shop, { apiKey: 'MK_TEST_NOBODY0000' }))
  assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [422, '*'])
  assert.equal(refused.headers.get('access-control-expose-headers'), contract.REFUSAL_HEADER)
  const elsewhere = await shop.send('GET', contract.getSettings.path, { headers: { origin: 'https://shop.example' } })
  assert.equal(elsewhere.headers.get('access-control-allow-origin'), null)
})

test('what a script may not open is refused, and one reference opens one payment however often it is asked for at once', async () => {
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
    const answer = await openInline(shop, anInline(shop, changes))
    assert.equal(answer.status, status, `${JSON.stringify(changes)}: ${answer.text}`)
  }
  assert.equal((await openInline(shop, anInline(shop), 'null')).status, 400)
  assert.equal((await openInline(shop, anInline(shop), 'https://a.example; script-src *')).status, 400)
  const body = anInline(shop)
  const answers = await Promise.all(Array.from({ length: 10 }, () => openInline(shop, body)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(422)])
})

test('in live, only pages that nobody on the way can change may open a payment', async (t) => {
  const shop = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
  assert.equal((await openInline(shop, anInline(shop), 'http://shop.example')).status, 400)
  assert.equal((await openInline(shop, anInline(shop))).status, 200)
})

test('who tries out references is held up, also before those that exist; who knows one is not', async (t) => {
  const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '100000' } })
  const [seen, unseen] = [await opened(shop), await opened(shop)]
  await state(shop, seen)
  const guess = (number: number) =>
    shop.send('GET', `/checkout/KOBO%7C00%7C20260301093000%7C${String(number).padStart(6, '0')}/state`)
  const statuses: number[] = []
  for (let number = 0; number < 40; number++) statuses.push((await guess(number)).status)
  assert.deepEqual(new Set(statuses), new Set([404, 429]))
  assert.equal(statuses.filter((status) => status === 404).length, 30)
  const held = await guess(99)
  assert.equal(held.status, 429)
  assert.ok(Number(held.headers.get('retry-after')) > 0)
  await shop.refused(429, contract.getCheckout, { params: unseen.params })
  await state(shop, seen)
})

test('one address opens only so many payments in a minute', async (t) => {
  const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '100000' } })
  const statuses: number[] = []
  for (let i = 0; i < 125; i++) statuses.push((await openInline(shop, { ...anInline(shop), amount: 1 })).status)
  assert.deepEqual(new Set(statuses.slice(0, 120)), new Set([400]))
  assert.deepEqual(new Set(statuses.slice(120)), new Set([429]))
})

test('the inline script is at its address, for pages of all sites', async () => {
  const { send } = await aShop()
  const script = await send('GET', '/plugin/checkout.js')
  assert.equal(script.status, 200)
  assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/)
  assert.equal(script.headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.match(script.headers.get('cache-control') ?? '', /max-age=300/)
  assert.match(script.text, /KoboSDK/)
})

test('the banking app knows whose account it is, of payments and of wallets alike', async () => {
  const shop = await aShop()
  const { bankCode, accountNumber, accountName, bankName } = await account(shop, await opened(shop))
  const enquire = (query: Input<typeof contract.enquireName>['query']) => shop.call(contract.enquireName, { query })
  assert.deepEqual(await enquire({ bankCode, accountNumber }), { bankCode, bankName, accountNumber, accountName })
  const wallet = { bankCode: '50515', accountNumber: shop.credentials.walletAccountNumber }
  assert.equal((await enquire(wallet)).bankName, 'Moniepoint Microfinance Bank')
  await shop.refused(404, contract.enquireName, { query: { bankCode: '232', accountNumber } })
  await shop.refused(400, contract.enquireName, { query: { bankCode, accountNumber: '123' } })
})

test('simulator and demo shop exist in the sandbox only, and show no secret', async (t: TestContext) => {
  const shop = await gateway(t)
  for (const path of ['/simulator', '/demo-shop']) {
    const page = await shop.send('GET', path)
    assert.equal(page.status, 200)
    assert.ok(!page.text.includes(shop.credentials.secretKey))
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  }
  assert.ok((await shop.send('GET', '/demo-shop')).text.includes(shop.credentials.apiKey))
  const live = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
  for (const path of ['/simulator', '/demo-shop', contract.enquireName.path])
    assert.equal((await live.send('GET', path)).status, 404, path)
})
