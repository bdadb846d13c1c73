import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { aShop, type Client, gateway } from '../../harness/gateway.ts'
import { textsIn } from '../../harness/pdf-text.ts'
import {
  aCard,
  anInvoice,
  aReservedAccount,
  aTransaction,
  CARDS,
  checkoutReferenceOf,
  pay,
} from '../../harness/samples.ts'
import { until, WAIT_MILLISECONDS_MAX } from '../../harness/until.ts'

type State = Reply<typeof contract.getCheckout>

type Params = { readonly transactionReference: string; readonly checkoutReference: string }

/** The path parameters of a payment's checkout. */
const paramsOf = ({
  transactionReference,
  checkoutUrl,
}: {
  transactionReference: string
  checkoutUrl: string
}): Params => ({
  transactionReference,
  checkoutReference: checkoutReferenceOf(checkoutUrl),
})

/** A transaction as its payer sees it. */
async function opened(client: Client, changes: Parameters<typeof aTransaction>[1] = {}) {
  const body = aTransaction(client, changes)
  const { transactionReference, checkoutUrl } = await client.call(contract.initTransaction, { body })
  return { ...body, transactionReference, checkoutUrl, params: paramsOf({ transactionReference, checkoutUrl }) }
}

const state = (client: Client, { params }: { params: Params }): Promise<State> =>
  client.call(contract.getCheckout, { params })

/** The payer chooses to pay by transfer. */
const account = async (client: Client, { params }: { params: Params }) => {
  const { account: shown } = await client.call(contract.checkoutTransfer, { params, body: {} })
  return shown ?? assert.fail('an account is shown')
}

const productOf = async (client: Client, { params }: { params: Params }): Promise<string> =>
  (await client.call(contract.getTransaction, { params })).product.type

test('a payer sees the merchant, the amount and the progress of a payment, and no customer data', async () => {
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
  const page = await shop.send('GET', new URL(payment.checkoutUrl).pathname)
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

test('the payer’s part of the fee is shown next to the amount', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { feeBearer: 'CUSTOMER' } })
  const shown = await state(shop, await opened(shop, { amount: 1_000 }))
  assert.deepEqual([shown.amount, shown.fee, shown.totalPayable], [1_000, 15, 1_015])
})

test('the page can be read before its script arrives, loads nothing from elsewhere, and cannot be framed', async () => {
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

test('the page uses the language requested, chosen before, or preferred by the browser', async () => {
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

test('a payer who chooses transfer gets one account, despite parallel requests, and it stays the checkout’s payment', async () => {
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

test('after a partial payment, the rest, and only that, can be transferred, dialled, or paid by card on the page', async () => {
  const shop = await aShop()
  const payment = await opened(shop)
  await pay(shop, await account(shop, payment), 1_500)
  const part = await state(shop, payment)
  assert.deepEqual(
    [part.paymentStatus, part.completed, part.amountPaid, part.paymentMethods],
    ['PARTIALLY_PAID', false, 1_500, ['CARD', 'ACCOUNT_TRANSFER', 'USSD']],
  )
  const { ussdPayment } = await shop.call(contract.checkoutUssd, { params: payment.params, body: { bankCode: '058' } })
  assert.equal(ussdPayment, `*737*2*3500*${part.account?.accountNumber}#`)

  const { params } = payment
  const by = (number: string) => ({ params, body: { card: aCard(number) } })
  await shop.rejected(400, contract.checkoutCard, by(CARDS.insufficientFunds))
  assert.equal((await state(shop, payment)).paymentStatus, 'PARTIALLY_PAID', 'the received amount is still recorded')
  const { otp } = await shop.call(contract.checkoutCard, by(CARDS.otp))
  const code = { params, body: { tokenId: otp?.tokenId ?? '', token: '123456' } }
  const { checkout } = await shop.call(contract.checkoutOtp, code)
  assert.deepEqual([checkout.paymentStatus, checkout.amountPaid, checkout.paymentMethod], ['PAID', 5_000, 'CARD'])
  assert.equal((await shop.call(contract.getTransaction, { params })).cardDetails?.last4, '7093')
})

test('a payer gets the USSD text of the bank; a bank without one has none, and an unknown bank is rejected', async () => {
  const shop = await aShop()
  const { params } = await opened(shop, { paymentMethods: ['USSD'] })
  const dial = (bankCode: string) => shop.call(contract.checkoutUssd, { params, body: { bankCode } })
  const { ussdPayment, checkout } = await dial('044')
  assert.equal(ussdPayment, `*901*5000*${checkout.account?.accountNumber}#`)
  assert.equal((await dial('50211')).ussdPayment, null)
  await shop.rejected(422, contract.checkoutUssd, { params, body: { bankCode: '999' } })
  await shop.rejected(400, contract.checkoutUssd, { params, body: {} })
  await shop.rejected(422, contract.checkoutTransfer, { params, body: {} })
})

test('no method can be chosen on a payment that has ended, does not enable it, or does not exist', async () => {
  const shop = await aShop()
  const card = await opened(shop, { paymentMethods: ['CARD'] })
  await shop.rejected(422, contract.checkoutTransfer, { params: card.params, body: {} })
  assert.deepEqual((await state(shop, card)).paymentMethods, ['CARD'])

  const cancelled = await opened(shop)
  await shop.call(contract.cancelTransaction, { params: cancelled.params })
  await shop.rejected(422, contract.checkoutTransfer, { params: cancelled.params, body: {} })
  const shown = await state(shop, cancelled)
  assert.deepEqual([shown.paymentStatus, shown.completed, shown.paymentMethods], ['CANCELLED', true, []])

  for (const checkoutReference of ['KOBO|00|20260301093000|000001', 'nothing of ours', 'MNFY|1']) {
    const params = { checkoutReference }
    await shop.rejected(404, contract.getCheckout, { params })
    await shop.rejected(404, contract.checkoutTransfer, { params, body: {} })
    await shop.rejected(404, contract.checkoutUssd, { params, body: { bankCode: '058' } })
  }
  const long = { checkoutReference: 'x'.repeat(129) }
  await shop.rejected(400, contract.getCheckout, { params: long })
  await shop.rejected(400, contract.checkoutTransfer, { params: long, body: {} })
  const page = await shop.send('GET', '/checkout/KOBO%7C00%7C20260301093000%7C000001')
  assert.equal(page.status, 404)
  assert.ok(page.text.includes('Payment not found'))
})

test('a payment is expired at the exact moment of its expiry, and a partial payment stays PARTIALLY_PAID', async (t) => {
  const shop = await gateway(t)
  const unpaid = await opened(shop)
  const part = await opened(shop)
  await pay(shop, await account(shop, part), 100)
  // Moves only the clock: no sweep has recorded the expiry yet.
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
  await shop.rejected(422, contract.checkoutTransfer, { params: unpaid.params, body: {} })
})

test('an invoice is paid into its own account, or into the reserved one that it is attached to, and no other is opened', async () => {
  const shop = await aShop()
  const at = shop.core.clock.now()
  const own = await shop.call(contract.createInvoice, { body: anInvoice(shop, at) })
  assert.equal((await account(shop, { params: paramsOf(own) })).accountNumber, own.accountNumber)

  const body = { ...aReservedAccount(shop), reservedAccountType: 'INVOICE' as const }
  const { accountReference, accountNumber } = await shop.call(contract.reserveInvoiceAccount, { body })
  const attached = await shop.call(contract.createInvoice, { body: anInvoice(shop, at, { accountReference }) })
  const shown = await account(shop, { params: paramsOf(attached) })
  assert.equal(shown.accountNumber, accountNumber)
  await pay(shop, shown, 5_000)
  assert.equal((await state(shop, { params: paramsOf(attached) })).paymentStatus, 'PAID')
  await shop.rejected(422, contract.checkoutTransfer, { params: paramsOf(attached), body: {} })
})

/** Reads server-sent events until the stream ends, reporting the count after each. */
async function events(url: string, onUpdate: (count: number) => unknown = () => {}): Promise<State[]> {
  const response = await fetch(url, { signal: AbortSignal.timeout(WAIT_MILLISECONDS_MAX) })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  const reported: State[] = []
  let text = ''
  for await (const chunk of (response.body ?? assert.fail('there is a body')).pipeThrough(new TextDecoderStream())) {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop() ?? ''
    for (const data of parts.filter((part) => part.startsWith('data: '))) {
      reported.push(JSON.parse(data.slice(6)) as State)
      onUpdate(reported.length)
    }
  }
  return reported
}

test('a listening page is updated when money arrives, in part and in full, and then the stream ends', async () => {
  const shop = await aShop()
  const payment = await opened(shop)
  const to = await account(shop, payment)
  const received = await events(
    `${payment.checkoutUrl}/events`,
    (count) => count < 3 && pay(shop, to, count === 1 ? 2_000 : 3_000),
  )
  assert.deepEqual(
    received.map(({ paymentStatus, amountPaid, completed }) => [paymentStatus, amountPaid, completed]),
    [
      ['PENDING', 0, false],
      ['PARTIALLY_PAID', 2_000, false],
      ['PAID', 5_000, true],
    ],
  )
})

test('listening pages of several merchants each get the updates of their own payment', async () => {
  const shops = await Promise.all([aShop(), aShop(), aShop(), aShop()])
  const allListen = Promise.withResolvers<void>()
  let listening = 0
  const received = await Promise.all(
    shops.map(async (shop) => {
      const payment = await opened(shop)
      const to = await account(shop, payment)
      return events(`${payment.checkoutUrl}/events`, async (count) => {
        if (count > 1) return
        if (++listening === shops.length) allListen.resolve()
        await allListen.promise
        await pay(shop, to, 5_000)
      })
    }),
  )
  for (const states of received) assert.equal(states.at(-1)?.paymentStatus, 'PAID')
})

test('a page gets updates of what another process has done', async (t) => {
  const shop = await gateway(t)
  const other = await gateway(t, { databaseUrl: shop.databaseUrl })
  const payment = await opened(shop)
  const to = await account(shop, payment)
  const received = await events(`${payment.checkoutUrl}/events`, (count) => count === 1 && pay(other, to, 5_000))
  assert.equal(received.at(-1)?.paymentStatus, 'PAID')
})

test('the stream of a completed payment sends its outcome, and one of an unknown payment is rejected', async () => {
  const shop = await aShop()
  const payment = await opened(shop)
  await shop.call(contract.cancelTransaction, { params: payment.params })
  assert.deepEqual(
    (await events(`${payment.checkoutUrl}/events`)).map(({ paymentStatus }) => paymentStatus),
    ['CANCELLED'],
  )
  assert.equal((await shop.send('GET', '/checkout/nothing/events')).status, 404)
})

test('a gateway that closes does not wait for listening pages', async (t) => {
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

test('without its script, the page’s forms open the account and show the USSD code', async () => {
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

test('a reference without its key opens nothing: no page, no stream, no card form', async (t) => {
  const shop = await gateway(t)
  const { transactionReference, params } = await opened(shop)
  const key = params.checkoutReference.slice(transactionReference.length + 1)
  assert.match(key, /^[\w-]{22}$/)
  const other = (await opened(shop)).params.checkoutReference.slice(transactionReference.length + 1)
  assert.notEqual(other, key)
  const unknown = await shop.send('GET', '/checkout/KOBO%7C00%7C20260301093000%7C000001')
  for (const checkoutReference of [
    transactionReference,
    `${transactionReference}.`,
    `${transactionReference}.${other}`,
    `${transactionReference}.${key.slice(0, -1)}`,
    `${transactionReference}.${key}A`,
    `${transactionReference}${key}`,
    params.checkoutReference.toLowerCase(),
  ]) {
    const path = `/checkout/${encodeURIComponent(checkoutReference)}`
    const page = await shop.send('GET', path)
    assert.deepEqual([page.status, page.text], [404, unknown.text], checkoutReference)
    assert.equal((await shop.send('GET', `${path}/events`)).status, 404)
    const at = { params: { checkoutReference } }
    await shop.rejected(404, contract.getCheckout, at)
    await shop.rejected(404, contract.checkoutTransfer, { ...at, body: {} })
    await shop.rejected(404, contract.checkoutUssd, { ...at, body: { bankCode: '058' } })
    await shop.rejected(404, contract.checkoutCard, { ...at, body: { card: aCard(CARDS.success) } })
    await shop.rejected(404, contract.checkoutOtp, { ...at, body: { tokenId: 'a', token: '1' } })
  }
  assert.equal((await state(shop, { params })).paymentStatus, 'PENDING')
  await shop.call(contract.getTransaction, { params })
})

test('guessed references find no payment and are limited; a valid link from the same address is not', async (t) => {
  const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '100000' } })
  const [seen, unseen] = [await opened(shop), await opened(shop)]
  await state(shop, seen)
  const statuses: number[] = []
  const [prefix, counter] = [seen.transactionReference.slice(0, -6), Number(seen.transactionReference.slice(-6))]
  for (let step = 0; step < 40; step++) {
    const guess = prefix + String(counter + step).padStart(6, '0')
    statuses.push((await shop.send('GET', `/checkout/${encodeURIComponent(guess)}/state`)).status)
  }
  assert.deepEqual(statuses, [...Array(30).fill(404), ...Array(10).fill(429)])
  const held = await shop.send('GET', `/checkout/${encodeURIComponent(unseen.transactionReference)}`)
  assert.equal(held.status, 429)
  assert.ok(Number(held.headers.get('retry-after')) > 0)
  await state(shop, unseen)
  await state(shop, seen)
})

test('the banking app resolves account names, of payments and of wallets alike', async () => {
  const shop = await aShop()
  const { bankCode, accountNumber, accountName, bankName } = await account(shop, await opened(shop))
  const enquire = (query: Input<typeof contract.enquireName>['query']) => shop.call(contract.enquireName, { query })
  assert.deepEqual(await enquire({ bankCode, accountNumber }), { bankCode, bankName, accountNumber, accountName })
  const wallet = { bankCode: '50515', accountNumber: shop.credentials.walletAccountNumber }
  assert.equal((await enquire(wallet)).bankName, 'Moniepoint Microfinance Bank')
  await shop.rejected(404, contract.enquireName, { query: { bankCode: '232', accountNumber } })
  await shop.rejected(400, contract.enquireName, { query: { bankCode, accountNumber: '123' } })
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

test('a receipt is available as PDF and by mail once something was paid and the payment has ended, and only to its payer', async () => {
  const shop = await aShop()
  const payment = await opened(shop, {
    paymentDescription: 'Ọbẹ̀ (soup) for ₦5,000',
    customerEmail: 'receipt@example.com',
  })
  const { params } = payment
  const path = `${new URL(payment.checkoutUrl).pathname}/receipt.pdf`
  assert.equal((await shop.send('GET', path)).status, 422)
  assert.equal((await shop.rejected(422, contract.mailReceipt, { params, body: {} })).code, 'NOTHING_PAID_YET')
  await shop.call(contract.checkoutCard, { params, body: { card: aCard(CARDS.success) } })

  const pdf = await shop.send('GET', path)
  assert.deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf'])
  assert.match(pdf.headers.get('content-disposition') ?? '', /filename="receipt-order-/)
  const { receiptNumber } = await state(shop, payment)
  const readPdf = async (query = '') =>
    textsIn(Buffer.from(await (await fetch(`${shop.url}${path}${query}`)).arrayBuffer()))
  const texts = await readPdf()
  for (const text of ['₦5,000.00', 'Demo Shop', receiptNumber, 'Ọbẹ̀ (soup) for ₦5,000', 'Ada Obi'])
    assert.ok(texts.includes(text), `${text} of ${texts}`)
  assert.ok(texts.some((text) => text.startsWith('Visa') && text.endsWith('1111')))
  assert.ok(texts.some((text) => text.includes('Sandbox: no real money moves')))

  assert.equal((await shop.call(contract.mailReceipt, { params, body: {} })).receiptNumber, receiptNumber)
  const inbox = () => shop.call(contract.readInbox, { query: { to: 'receipt@example.com' } })
  await until('the mail is there', async () => (await inbox()).length > 0)
  const [mail] = await inbox()
  assert.equal(mail?.subject, 'Receipt from Demo Shop: ₦5,000.00 (sandbox)')
  for (const text of [receiptNumber, 'Visa •••• 1111', 'WAT', `${payment.checkoutUrl}/receipt.pdf?lang=en`])
    assert.ok(mail?.text.includes(text), text)

  const inYoruba = await readPdf('?lang=yo')
  for (const text of ['Nọ́ńbà rìsíìtì', 'Ẹni tó san án', 'Kobo ló ń gba owó fún Demo Shop.'])
    assert.ok(inYoruba.includes(text.normalize('NFC')), `${text} of ${inYoruba}`)
  const hausa = await readPdf('?lang=ha')
  assert.ok(hausa.includes('Kobo ne ke karɓar kuɗi a madadin Demo Shop.'), String(hausa))
  await shop.call(contract.mailReceipt, { params, body: { language: 'ha' } })
  await until('the other mail is there', async () => (await inbox()).length > 1)
  const inHausa = (await inbox()).find(({ subject }) => subject.startsWith('Rasiti daga Demo Shop: ₦5,000.00'))
  for (const text of ['Demo Shop ya karɓi ₦5,000.00.', 'Wanda ya biya: Ada Obi', '/receipt.pdf?lang=ha'])
    assert.ok(inHausa?.text.includes(text), text)

  const nobody = { checkoutReference: 'KOBO|00|20260301093000|000001' }
  await shop.rejected(404, contract.mailReceipt, { params: nobody, body: {} })
  assert.equal((await shop.send('GET', `/checkout/${payment.transactionReference}/receipt.pdf`)).status, 404)
  assert.equal((await shop.send('GET', path.replace('receipt', 'invoice'))).status, 404, 'it is no invoice')
})

test('a PDF continues on further pages, with long values cut', async () => {
  const { pdfOf } = await import('../../../src/platform/formats/pdf.ts')
  const long = 'word '.repeat(200)
  const facts = Array.from({ length: 100 }, (_, index): [string, string] => [`Fact ${index}`, long])
  const paper = { language: 'en', title: 'A', head: long, badge: null, figure: '₦1', facts, notes: [long], qr: null }
  const pdf = await pdfOf({ ...paper, colour: '#0c3b2a', ink: '#1a1f1c' })
  assert.match(pdf.toString('latin1'), /\/Type \/Pages\n\/Count [1-9][0-9]\n/)
  const texts = textsIn(pdf)
  for (const text of ['A', '₦1', 'Fact 0', 'Fact 99']) assert.ok(texts.includes(text), `${text} of ${texts}`)
})

/** The smallest possible picture. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

test('a merchant’s logo, colour and contact are on its pages, and only a small picture and a dark colour are accepted', async () => {
  const shop = await aShop()
  const set = (body: object) => shop.call(contract.changeMerchantSettings, { body })
  const logoUrl = `data:image/png;base64,${PICTURE}`
  const look = { brandColour: '#7a1fa2', supportContact: '0800 123 <b>', logo: logoUrl }
  const { logo } = await set(look)
  assert.match(logo ?? '', /^\/checkout\/logos\/[0-9a-z]+-[0-9a-f]{32}$/)
  const payment = await opened(shop)
  const page = await shop.send('GET', new URL(payment.checkoutUrl).pathname)
  for (const text of [`src="${logo}"`, '/checkout/colours/7a1fa2.css', 'Ask Demo Shop: 0800 123 &lt;b&gt;'])
    assert.ok(page.text.includes(text), text)
  const picture = await shop.send('GET', logo ?? '')
  assert.deepEqual(
    [picture.status, picture.headers.get('content-type'), picture.headers.get('x-content-type-options')],
    [200, 'image/png', 'nosniff'],
  )
  assert.match(picture.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
  const sheet = await shop.send('GET', '/checkout/colours/7a1fa2.css')
  assert.match(sheet.text, /--stub:#7a1fa2/)

  for (const body of [
    { brandColour: '#ffee00' },
    { brandColour: 'red' },
    { logo: `data:image/jpeg;base64,${PICTURE}` },
    { logo: `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}` },
    { logo: `data:image/png;base64,${'A'.repeat(44_000)}` },
    { supportContact: '' },
  ])
    await shop.rejected(400, contract.changeMerchantSettings, { body })
  const other = await set({ brandColour: null, supportContact: null, logo: null })
  assert.deepEqual([other.brandColour, other.supportContact, other.logo], [null, null, null])
  assert.ok(!(await shop.send('GET', new URL(payment.checkoutUrl).pathname)).text.includes('/checkout/colours/'))
  for (const path of [
    '/checkout/logos/x',
    '/checkout/logos/zzzzzzzzzzzzz-00000000000000000000000000000000',
    '/checkout/colours/red.css',
  ])
    assert.equal((await shop.send('GET', path)).status, 404)
})
