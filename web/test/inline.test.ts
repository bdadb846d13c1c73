import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { long } from '../../gateway/test/harness/long.ts'
import { CARDS, checkoutReferenceOf, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { ELSEWHERE, focusOn, type Locator, look, openSite, type Page } from './browser.ts'
import { CLOSE_FIELDS, COMPLETE_FIELDS } from './callbacks.ts'

const { shop, page: newPage } = await openSite()

/** A merchant's page on its own site that uses the inline script; its callbacks are in `window.calls`. */
async function merchantPage(
  t: TestContext,
  options: Record<string, unknown> = {},
  [script, global] = ['checkout.js', 'KoboSDK'],
): Promise<{ url: string; reference: string }> {
  const reference = `inline-${randomUUID()}`
  const given = {
    amount: 7_500,
    currency: 'NGN',
    reference,
    customerFullName: 'Ada Obi',
    customerEmail: 'ada@example.com',
    apiKey: shop.credentials.apiKey,
    contractCode: shop.credentials.contractCode,
    paymentDescription: 'Ankara tote bag',
    metadata: { cart: 3 },
    ...options,
  }
  const inHead = `<!doctype html><html lang="en"><head><title>Ada's shop</title><script src="${shop.url}/plugin/${script}"></script>
<script>KoboSDK.initialize(${JSON.stringify(given)})</script></head><body><main><h1>Ada's shop</h1></main></body>`
  const text = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Ada's shop</title>
<main><h1>Ada's shop</h1><button id="buy">Buy</button></main>
<script src="${shop.url}/plugin/${script}"></script>
<script>
  window.calls = []
  const record = (name) => (data) => window.calls.push({ name, data: data ?? null })
  buy.onclick = () => ${global}.initialize({
    ...${JSON.stringify(given)},
    onLoadStart: record('onLoadStart'), onLoadComplete: record('onLoadComplete'), onComplete: record('onComplete'), onClose: record('onClose'), onError: record('onError'),
  })
</script>`
  const server = createServer((request, response) =>
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(
        request.url?.startsWith('/thief')
          ? `<iframe src="${new URL(request.url, 'http://x').searchParams.get('of')}"></iframe>`
          : request.url === '/head'
            ? inHead
            : text,
      ),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  ELSEWHERE.add(url)
  return { url, reference }
}

interface Call {
  readonly name: string
  readonly data: Record<string, unknown> | null
}

/** Opens a link's window. A busy browser may block a window that opens too long after the click, so it clicks again. */
async function windowOf(page: Page, link: Locator, clicksLeft = 5): Promise<Page> {
  const opened = page.context().waitForEvent('page', { timeout: 30_000 })
  opened.catch(() => {}) // awaited below
  await link.click()
  return opened.catch((error: unknown) => {
    if (clicksLeft === 1) throw error
    return windowOf(page, link, clicksLeft - 1)
  })
}

const callsOf = (page: Page): Promise<Call[]> => page.evaluate<Call[]>('window.calls')

/** Waits for a callback. */
async function callback(page: Page, name: string): Promise<Call> {
  await page.waitForFunction(`window.calls.some((one) => one.name === '${name}')`)
  return (await callsOf(page)).find((one) => one.name === name) ?? assert.fail(name)
}

long('the inline script opens the checkout over the merchant’s page and notifies it of the payment', async (t) => {
  const page = await newPage(t)
  const site = await merchantPage(t)
  await page.goto(site.url)
  await page.getByRole('button', { name: 'Buy' }).click()
  const frame = page.frameLocator('iframe[title="Kobo checkout"]')
  await frame.getByRole('heading', { name: 'Pay ₦7,500.00 to Demo Shop' }).waitFor()
  await callback(page, 'onLoadComplete')
  await frame.getByRole('button', { name: 'Bank transfer' }).click()
  await frame.locator('#account-number').waitFor()
  await look(page, 'inline')
  const [inside] = page.frames().slice(-1)
  const params = { checkoutReference: checkoutReferenceOf(inside?.url() ?? '') }
  const { account, transactionReference: reference } = await shop.call(contract.getCheckout, { params })
  await pay(shop, account ?? assert.fail('an account'), 7_500)
  await frame.getByRole('heading', { name: 'Payment received' }).waitFor()
  const { data } = await callback(page, 'onComplete')
  assert.deepEqual(
    [
      data?.['paymentStatus'],
      data?.['paymentReference'],
      data?.['transactionReference'],
      data?.['amountPaid'],
      data?.['paymentMethod'],
    ],
    ['PAID', site.reference, reference, 7_500, 'ACCOUNT_TRANSFER'],
  )
  assert.deepEqual([data?.['customerEmail'], data?.['metaData']], ['ada@example.com', { cart: 3 }])
  await frame.getByRole('button', { name: 'Done' }).click()
  const closed = await callback(page, 'onClose')
  assert.deepEqual([closed.data?.['paymentStatus'], closed.data?.['responseCode']], ['PAID', 'SUCCESS'])
  assert.deepEqual(
    (await callsOf(page)).map(({ name }) => name),
    ['onLoadStart', 'onLoadComplete', 'onComplete', 'onClose'],
  )
  assert.equal(await page.locator('iframe').count(), 0)
  await focusOn(page, 'buy') // where it was before
})

slow('a page written for Monnify loads monnify.js and gets every field its wrappers document', async (t) => {
  const page = await newPage(t)
  const redirectUrl = 'https://shop.example/thanks'
  const paymentMethods = ['CARD', 'ACCOUNT_TRANSFER', 'USSD', 'PHONE_NUMBER']
  const site = await merchantPage(t, { paymentMethods, redirectUrl, isTestMode: true }, ['monnify.js', 'MonnifySDK'])
  await page.goto(site.url)
  const isOurs = 'window.MonnifySDK = undefined, window.MonnifySDK === window.KoboSDK'
  assert.equal(await page.evaluate<boolean>(isOurs), true, 'a script that is loaded later replaces nothing')
  await page.getByRole('button', { name: 'Buy' }).click()
  const frame = page.frameLocator('iframe[title="Kobo checkout"]')
  await frame.getByRole('button', { name: 'Bank transfer' }).click()
  await frame.locator('#account-number').waitFor()
  const [inside] = page.frames().slice(-1)
  const params = { checkoutReference: checkoutReferenceOf(inside?.url() ?? '') }
  const { account, createdOn } = await shop.call(contract.getCheckout, { params })
  await pay(shop, account ?? assert.fail('an account'), 7_500)
  const { data } = await callback(page, 'onComplete')
  for (const field of COMPLETE_FIELDS) assert.ok(field in (data ?? {}), field)
  assert.deepEqual([data?.['fee'], data?.['createdOn']], [0, new Date(createdOn).toISOString()])
  await frame.getByRole('button', { name: 'Done' }).click()
  const closed = (await callback(page, 'onClose')).data
  for (const field of CLOSE_FIELDS) assert.ok(field in (closed ?? {}), field)
  assert.deepEqual([closed?.['authorizedAmount'], closed?.['redirectUrl']], [7_500, redirectUrl])
})

slow('in a frame, the bank’s page opens in a new window and the checkout continues automatically', async (t) => {
  const page = await newPage(t)
  const site = await merchantPage(t, { paymentMethods: ['CARD'] })
  await page.goto(site.url)
  await page.getByRole('button', { name: 'Buy' }).click()
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Card number').pressSequentially(CARDS.secure3d)
  await frame.getByLabel('Expiry date').pressSequentially('0899')
  await frame.getByLabel('CVV').fill('123')
  await frame.getByRole('button', { name: 'Pay ₦7,500.00' }).click()
  const bank = await windowOf(page, frame.getByRole('link', { name: 'Continue to your bank' }))
  await bank.getByLabel('One-time code').fill('123456')
  await bank.getByRole('button', { name: 'Approve' }).click()
  await bank.getByText('You can close this window now.').waitFor()
  await frame.getByRole('heading', { name: 'Payment received' }).waitFor()
  assert.equal((await callback(page, 'onComplete')).data?.['paymentMethod'], 'CARD')
})

test('a checkout that a script in the head opens, before there is a body, stays open', async (t) => {
  const page = await newPage(t)
  await page.goto(`${(await merchantPage(t)).url}/head`)
  const frame = page.frameLocator('iframe[title="Kobo checkout"]')
  await frame.getByRole('heading', { name: 'Pay ₦7,500.00 to Demo Shop' }).waitFor()
})

slow('closing the checkout changes nothing and calls onClose', async (t) => {
  for (const way of ['button', 'Escape']) {
    const page = await newPage(t)
    const site = await merchantPage(t)
    await page.goto(site.url)
    await page.getByRole('button', { name: 'Buy' }).click()
    const frame = page.frameLocator('iframe')
    await frame.getByRole('button', { name: 'Close' }).waitFor()
    await callback(page, 'onLoadComplete')
    if (way === 'button') await frame.getByRole('button', { name: 'Close' }).click()
    else await page.keyboard.press('Escape')
    const { data } = await callback(page, 'onClose')
    assert.deepEqual([data?.['paymentStatus'], data?.['paymentReference']], ['USER_CANCELLED', site.reference])
    const { paymentStatus } = await shop.call(contract.queryTransaction, {
      query: { paymentReference: site.reference },
    })
    assert.equal(paymentStatus, 'PENDING')
    // A customer who changes their mind continues with the same payment.
    await page.evaluate('window.calls = []')
    await page.getByRole('button', { name: 'Buy' }).click()
    await callback(page, 'onLoadComplete')
  }
})

test('an error of the gateway is shown to the customer and passed to onError', async (t) => {
  const page = await newPage(t)
  const site = await merchantPage(t, { contractCode: '000000000000' })
  await page.goto(site.url)
  await page.getByRole('button', { name: 'Buy' }).click()
  // The customer reads what to do; the page's author reads why.
  await page.getByText('The checkout could not be opened. Nothing was paid.').waitFor()
  const error = (await callback(page, 'onError')).data
  assert.deepEqual(
    [error?.['code'], error?.['message'], error?.['paymentReference']],
    ['UNKNOWN_CONTRACT', 'Could not find specified contract', site.reference],
  )
  await page.getByRole('button', { name: 'Close' }).click()
  const closed = (await callback(page, 'onClose')).data
  assert.deepEqual([closed?.['responseCode'], closed?.['responseMessage']], ['UNKNOWN_CONTRACT', error?.['message']])
})

test('only the site that opened a checkout can frame it', async (t) => {
  const page = await newPage(t)
  const [site, thief] = [await merchantPage(t), await merchantPage(t)]
  await page.goto(site.url)
  await page.getByRole('button', { name: 'Buy' }).click()
  await callback(page, 'onLoadComplete')
  const checkoutUrl = page.frames().at(-1)?.url() ?? ''
  const other = await page.context().newPage()
  const refusals: string[] = []
  other.on('console', (message) => refusals.push(message.text()))
  await other.goto(`${thief.url}/thief?of=${encodeURIComponent(checkoutUrl)}`)
  await until('the browser has blocked it', () => refusals.some((text) => /frame-ancestors/.test(text)))
  assert.equal(await other.frameLocator('iframe').getByRole('heading').count(), 0)
})

slow('the demo shop sells and shows the callbacks', async (t) => {
  const page = await newPage(t)
  await page.goto(`${shop.url}/demo-shop`)
  await look(page, 'shop')
  await page.getByText('4111 1111 1111 1111').waitFor()
  await page.getByRole('link', { name: 'More test cards' }).click()
  await page.getByRole('heading', { name: 'Cards', exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Buy Zobo, six bottles' }).click()
  const frame = page.frameLocator('iframe')
  await frame.getByRole('button', { name: 'Bank transfer' }).click()
  const bank = await windowOf(page, frame.getByRole('link', { name: 'Pay with the bank simulator' }))
  await bank.getByText('Demo Shop-Zobo, six bottles').waitFor()
  await bank.getByRole('button', { name: 'Send money' }).click()
  await bank.getByRole('heading', { name: '₦4,250.50 sent' }).waitFor()
  await frame.getByRole('heading', { name: 'Payment received' }).waitFor()
  await frame.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Your Zobo, six bottles will ship soon.').waitFor()
  await page.getByText('onClose', { exact: true }).waitFor()
  assert.deepEqual(await page.locator('.callbacks b').allInnerTexts(), [
    'onLoadStart',
    'onLoadComplete',
    'onComplete',
    'onClose',
  ])
})
