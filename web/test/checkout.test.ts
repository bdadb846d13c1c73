import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { updateMerchant } from '../../gateway/src/core/merchants/index.ts'
import { long } from '../../gateway/test/harness/long.ts'
import { pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aPayment, checkAccess, focusOn, look, openSite, type Page, send, shiftOf, shows } from './browser.ts'

const { shop, page: newPage } = await openSite()

/** The merchant's return page; records the requests. */
async function merchantSite(t: TestContext): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.setHeader('content-type', 'text/html').end('<title>Shop</title>Thank you')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/done`, requests }
}

long(
  'a transfer: account, exact amount and countdown; the page updates after a part payment and an overpayment',
  async (t) => {
    const page = await newPage(t, { permissions: ['clipboard-read', 'clipboard-write'] })
    const payment = await aPayment(shop, { amount: '45250.50' })
    await page.goto(payment.checkoutUrl)
    await page.getByRole('heading', { name: 'Pay ₦45,250.50 to Demo Shop' }).waitFor()
    await look(page, 'methods')

    await page.getByRole('button', { name: 'Bank transfer' }).click()
    const number = await page.locator('#account-number').innerText()
    assert.match(number, /^\d{10}$/)
    await shows(page, 'Copied', () => page.getByRole('button', { name: 'Copy the account number' }).click())
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), number)
    await page.getByRole('button', { name: 'Copy the amount' }).click()
    await until(
      'the amount is copied',
      async () => (await page.evaluate('navigator.clipboard.readText()')) === '45250.50',
    )
    assert.match(await page.getByRole('timer').innerText(), /^(40:00|3\d:\d\d)$/)
    await page.getByText('Continue on your phone').click()
    await page.getByRole('img', { name: 'Continue on your phone' }).waitFor()
    await shows(page, 'We have not received your transfer yet.', () =>
      page.getByRole('button', { name: 'I have sent the money' }).click(),
    )
    await look(page, 'transfer')

    await send(shop, payment, 20_000)
    await page.getByText('₦25,250.50 left to pay').waitFor()
    await page.getByRole('heading', { name: 'Transfer exactly ₦25,250.50' }).waitFor()
    await look(page, 'part')
    await page.getByRole('link', { name: 'Other ways to pay' }).click()
    await page.getByText('₦25,250.50 left to pay').waitFor()
    await page.getByRole('link', { name: 'Card' }).click()
    await page.getByRole('button', { name: 'Pay ₦25,250.50' }).waitFor()
    await look(page, 'part-card')

    await send(shop, payment, 26_000)
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
    await page.getByText('You paid ₦749.50 extra.').waitFor()
    await look(page, 'overpaid')
  },
)

slow('a rejected payment shows its amount, the reason, and the state of its return', async (t) => {
  await shop.call(contract.changeSettings, { body: { underpayment: 'REJECT' } })
  t.after(() => shop.call(contract.changeSettings, { body: { underpayment: 'ACCEPT' } }))
  const page = await newPage(t)
  const payment = await aPayment(shop, {})
  await page.goto(payment.checkoutUrl)
  await page.getByRole('button', { name: 'Bank transfer' }).click()
  await page.locator('#account-number').waitFor()
  await shows(page, 'We have not received your transfer yet.', () =>
    page.getByRole('button', { name: 'I have sent the money' }).click(),
  )

  const notice = page.locator('.notice')
  // The payer's bank does not respond for a minute.
  const { account } = await shop.call(contract.getCheckout, { params: payment.params })
  assert.ok(account !== null)
  assert.equal((await pay(shop, account, 4_000, { senderAccountNumber: '0123456002' })).reason, 'UNDER_PAYMENT')
  await notice.getByText('We couldn’t accept your ₦4,000.00').waitFor()
  await notice.getByText('It’s less than the amount due. It is being returned').waitFor()
  assert.equal(
    await page.getByText('We have not received your transfer yet.').isVisible(),
    false,
    'it is no longer waited for',
  )
  await look(page, 'on-its-way-back')
  await page.getByRole('link', { name: 'Pidgin' }).click()
  await page.waitForURL(/lang=pcm/)
  await notice.getByText('₦4,000.00 come, but we no fit take am').waitFor()
  await look(page, 'on-its-way-back-pidgin')
  await page.getByRole('link', { name: 'English' }).click()

  await shop.advance(61)
  await notice.getByText('It was returned to the account it came from.').waitFor()
  await look(page, 'gone-back')
  await send(shop, payment, 5_000)
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  await notice.getByText('It was returned to the account it came from.').waitFor()
  await look(page, 'paid-after-return')
})

/** Opens a page whose time `stopTime` can stop: its timers use the test's clock. */
async function openWithClock(page: Page, url: string): Promise<void> {
  await page.clock.install()
  await page.goto(url)
}

/** Stops the page's time, so that it returns to the merchant only when the test says so. */
const stopTime = ({ clock }: Page): Promise<void> => clock.pauseAt(Date.now() + STOPPED_AHEAD_MILLISECONDS)

/** A page can only be stopped in its future, which must still be there when a slow machine stops it. */
const STOPPED_AHEAD_MILLISECONDS = 600_000

slow(
  'after an exact payment the page shows the receipt, prints, and returns to the merchant with the reference',
  async (t) => {
    const page = await newPage(t, {})
    const site = await merchantSite(t)
    const payment = await aPayment(shop, { redirectUrl: `${site.url}?order=7` })
    await openWithClock(page, payment.checkoutUrl)
    await page.getByRole('button', { name: 'Bank transfer' }).click()
    await page.locator('#account-number').waitFor()
    assert.ok((await shiftOf(page)) < 0.01)
    await stopTime(page)
    await send(shop, payment, 5_000)
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
    assert.ok((await shiftOf(page)) < 0.01, 'nor when the money arrives')
    await page.getByRole('link', { name: 'Back to Demo Shop in 10 s' }).waitFor()
    await page.getByRole('button', { name: 'Stay on this page' }).click()
    await page.clock.resume()
    const receipt = await page.locator('.receipt').innerText()
    for (const text of ['₦5,000.00', 'Demo Shop', 'Two pairs of shoes', 'Bank transfer', payment.paymentReference])
      assert.ok(receipt.includes(text), text)
    await look(page, 'paid')
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.getByRole('button', { name: 'Print receipt' }).isVisible(), false)
    assert.equal(await page.locator('.receipt').isVisible(), true)
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('link', { name: 'Back to Demo Shop' }).click()
    await page.waitForURL(/paymentReference/)
    assert.deepEqual(site.requests.slice(0, 1), [`/done?order=7&paymentReference=${payment.paymentReference}`])
  },
)

slow('the page returns to the merchant automatically, unless the customer stays', async (t) => {
  const site = await merchantSite(t)
  for (const stays of [true, false]) {
    const page = await newPage(t, {})
    const payment = await aPayment(shop, { redirectUrl: site.url })
    await openWithClock(page, payment.checkoutUrl)
    await page.getByRole('button', { name: 'Bank transfer' }).click()
    await page.locator('#account-number').waitFor()
    await stopTime(page)
    await send(shop, payment, 5_000)
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
    if (stays) await page.getByRole('button', { name: 'Stay on this page' }).click()
    await page.clock.runFor(11_000)
    if (stays) assert.equal(await page.getByRole('link', { name: 'Back to Demo Shop' }).isVisible(), true)
    else await page.waitForURL(/paymentReference/)
  }
})

slow('USSD shows the bank’s code to dial, and the payment that follows', async (t) => {
  const page = await newPage(t, { isMobile: true, hasTouch: true })
  const payment = await aPayment(shop, { amount: 9_000 })
  await page.goto(payment.checkoutUrl)
  await page.getByRole('link', { name: 'USSD' }).click()
  await page.getByLabel('Your bank').selectOption({ label: 'GTBank' })
  await page.locator('#ussd-code').waitFor()
  const { account } = await shop.call(contract.getCheckout, { params: payment.params })
  const code = `*737*2*9000*${account?.accountNumber}#`
  assert.equal(await page.locator('#ussd-code').innerText(), code)
  assert.equal(
    await page.getByRole('link', { name: /Dial now/ }).getAttribute('href'),
    `tel:${encodeURIComponent(code)}`,
  )
  await page.getByRole('link', { name: 'Pay with the bank simulator' }).waitFor()
  await look(page, 'ussd')
  await send(shop, payment, 9_000)
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
})

slow('only the merchant’s payment methods are shown; a single one opens at once', async (t) => {
  const page = await newPage(t)
  const both = await aPayment(shop, { paymentMethods: ['CARD', 'USSD'] })
  await page.goto(both.checkoutUrl)
  assert.deepEqual(await page.locator('.choice b').allInnerTexts(), ['Card', 'USSD'])
  const one = await aPayment(shop, { paymentMethods: ['ACCOUNT_TRANSFER'] })
  await page.goto(one.checkoutUrl)
  await page.getByRole('heading', { name: 'Transfer exactly ₦5,000.00' }).waitFor()
  await look(page, 'one-way')
  await page.getByRole('button', { name: 'Show the account number' }).click()
  await page.locator('#account-number').waitFor()
  await page.getByText('Or dial a USSD code').click()
  await page.getByLabel('Your bank').selectOption({ label: 'Access bank' })
  await page.locator('#ussd-code').waitFor()
})

slow('an open page shows that its payment expired or was cancelled', async (t) => {
  const [expiring, cancelled] = [await aPayment(shop), await aPayment(shop)]
  const page = await newPage(t)
  await page.goto(cancelled.checkoutUrl)
  await page.getByRole('heading', { name: 'How do you want to pay?' }).waitFor()
  await shop.call(contract.cancelTransaction, { params: cancelled.params })
  await page.getByRole('heading', { name: 'This payment was cancelled' }).waitFor()
  await look(page, 'cancelled')
  await page.goto(expiring.checkoutUrl)
  await page.getByRole('button', { name: 'Bank transfer' }).click()
  await page.locator('#account-number').waitFor()
  await shop.advance(2_401)
  await page.getByRole('heading', { name: 'This payment has expired' }).waitFor()
  await look(page, 'expired')
})

slow('money that arrives after the end, or after the payment, is shown on an open page', async (t) => {
  const payment = await aPayment(shop)
  const { account } = await shop.call(contract.checkoutTransfer, { params: payment.params, body: {} })
  await shop.advance(2_401)
  const page = await newPage(t)
  await page.addInitScript(`{
    const every = setInterval
    globalThis.everySecond = []
    globalThis.setInterval = (act, wait) => {
      everySecond.push(act)
      return every(act, wait)
    }
  }`)
  await page.goto(payment.checkoutUrl)
  await page.getByRole('heading', { name: 'This payment has expired' }).waitFor()
  await pay(shop, account ?? assert.fail(), 5_000)
  // The page looks for late money every 15 seconds: they pass at once.
  await page.evaluate('for (let second = 0; second < 15; second++) for (const act of everySecond) act()')
  await page.locator('b', { hasText: 'We couldn’t accept your ₦5,000.00' }).waitFor()

  const paid = await aPayment(shop)
  const open = (await shop.call(contract.checkoutTransfer, { params: paid.params, body: {} })).account ?? assert.fail()
  await pay(shop, open, 5_000)
  await page.goto(paid.checkoutUrl)
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  await pay(shop, open, 2_000)
  await page.locator('b', { hasText: 'We couldn’t accept your ₦2,000.00' }).waitFor()
})

slow('an expired part payment shows the amount received', async (t) => {
  const page = await newPage(t)
  const payment = await aPayment(shop)
  await page.goto(payment.checkoutUrl)
  await page.getByRole('button', { name: 'Bank transfer' }).click()
  await page.locator('#account-number').waitFor()
  await send(shop, payment, 1_000)
  await page.getByText('₦4,000.00 left to pay').waitFor()
  await shop.advance(2_401)
  await page.getByRole('heading', { name: 'Paid in part' }).waitFor()
  await checkAccess(page, 'part over')
})

test('an unknown payment link shows an error page in the same style', async (t) => {
  const page = await newPage(t)
  await page.goto(`${shop.url}/checkout/KOBO%7C00%7C20260301093000%7C000001`)
  await page.getByText('Payment not found').waitFor()
  await look(page, 'unknown')
})

slow('everything works with a keyboard, and the focus follows the screen', async (t) => {
  const page = await newPage(t)
  const payment = await aPayment(shop)
  await page.goto(payment.checkoutUrl)
  const focusOnText = (part: string): Promise<unknown> =>
    page.waitForFunction(
      `(document.activeElement.innerText || document.activeElement.getAttribute('aria-label') || '').includes('${part}')`,
    )
  await page.keyboard.press('Tab')
  await focusOnText('Bank transfer')
  await page.keyboard.press('Enter')
  await page.locator('#account-number').waitFor()
  await focusOn(page, 'panel')
  await page.keyboard.press('Tab')
  await focusOnText('Other ways to pay')
  await page.keyboard.press('Tab')
  assert.match(
    await page.evaluate<string>('document.activeElement.getAttribute("aria-label")'),
    /Copy the account number/,
  )
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'How do you want to pay?' }).waitFor()
  await focusOn(page, 'panel')
  for (const _ of [1, 2, 3]) await page.keyboard.press('Tab')
  await focusOnText('USSD')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Pay by USSD' }).waitFor()
  await focusOn(page, 'panel')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.id'), 'bank')
})

slow('a chosen language is remembered', async (t) => {
  const page = await newPage(t)
  const payment = await aPayment(shop)
  await page.goto(payment.checkoutUrl)
  await page.getByRole('link', { name: 'Pidgin' }).click()
  await page.getByRole('heading', { name: 'How you wan take pay?' }).waitFor()
  assert.equal(await page.evaluate('document.documentElement.lang'), 'pcm')
  await page.reload()
  await page.getByRole('button', { name: 'Bank transfer' }).click()
  await page.getByRole('heading', { name: 'Transfer ₦5,000.00 exact' }).waitFor()
  await look(page, 'pidgin')
})

test('on a phone the page does not offer to continue on a phone', async (t) => {
  const page = await newPage(t, { hasTouch: true, isMobile: true })
  await page.goto((await aPayment(shop)).checkoutUrl)
  await page
    .getByRole('link', { name: 'Bank transfer' })
    .or(page.getByRole('button', { name: 'Bank transfer' }))
    .click()
  await page.getByRole('button', { name: 'I have sent the money' }).waitFor()
  assert.ok(!(await page.getByText('Continue on your phone').isVisible()))
})

slow('without JavaScript, transfer and USSD still work', async (t) => {
  const page = await newPage(t, { javaScriptEnabled: false })
  const payment = await aPayment(shop)
  await page.goto(payment.checkoutUrl)
  await page.getByRole('button', { name: 'Bank transfer' }).click()
  assert.match(await page.locator('#account-number').innerText(), /^\d{10}$/)
  assert.equal(await page.getByText('updates automatically').count(), 0, 'it does not')
  await page.getByRole('link', { name: 'Other ways to pay' }).click()
  await page.getByRole('link', { name: 'USSD' }).click()
  await page.getByLabel('Your bank').selectOption('058')
  await page.getByRole('button', { name: 'Show the code' }).click()
  assert.match(await page.locator('#ussd-code').innerText(), /^\*737\*2\*5000\*\d{10}#$/)
})

slow(
  'on a slow connection the page can be read before its script, moves nothing when it comes, and is light',
  async (t) => {
    const page = await newPage(t)
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 300,
      downloadThroughput: 50_000,
      uploadThroughput: 20_000,
    })
    const received: { url: string; type: string; bytes: number }[] = []
    const kinds = new Map<string, { url: string; type: string }>()
    network.on('Network.responseReceived', ({ requestId, response, type }) =>
      kinds.set(requestId, { url: response.url, type }),
    )
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId)
      if (kind !== undefined) received.push({ ...kind, bytes: encodedDataLength })
    })
    const read = Promise.withResolvers<void>()
    await page.route('**/*.js', (route) => read.promise.then(() => route.continue()))
    const payment = await aPayment(shop)
    const answered = page.goto(payment.checkoutUrl)
    await page.getByText('How do you want to pay?').waitFor()
    read.resolve()
    await answered
    await page.getByRole('button', { name: 'Bank transfer' }).click()
    await page.locator('#account-number').waitFor()
    const bytesOf = (type: string): number =>
      received.filter((one) => one.type === type).reduce((total, { bytes }) => total + bytes, 0)
    assert.ok(bytesOf('Script') > 0 && bytesOf('Script') <= 30_000, `${bytesOf('Script')} bytes of script`)
    assert.equal(received.filter(({ type }) => type === 'Stylesheet').length, 1)
    assert.ok((await shiftOf(page)) < 0.01)
  },
)

slow(
  'where the stream does not come through, the page asks; where the network is away, it says so and catches up',
  async (t) => {
    const page = await newPage(t)
    await page.route('**/events', (route) => route.abort())
    const payment = await aPayment(shop)
    await page.goto(payment.checkoutUrl)
    await page.getByRole('button', { name: 'Bank transfer' }).click()
    await page.locator('#account-number').waitFor()
    await send(shop, payment, 1_000)
    await page.getByText('₦4,000.00 left to pay').waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await send(shop, payment, 4_000)
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  },
)

test('reduced motion disables animations', async (t) => {
  const page = await newPage(t, { reducedMotion: 'reduce' })
  const payment = await aPayment(shop)
  await page.goto(payment.checkoutUrl)
  await page.getByRole('button', { name: 'Bank transfer' }).click()
  await page.locator('#account-number').waitFor()
  assert.equal(await page.evaluate('document.getAnimations().length'), 0)
})

slow('the largest amounts and longest names fit the page', async (t) => {
  const page = await newPage(t)
  const payment = await aPayment(shop, { amount: '9999999999999.99', paymentDescription: 'Shoes'.repeat(51) })
  await page.goto(payment.checkoutUrl)
  await page.getByRole('button', { name: 'Bank transfer' }).click()
  await page.locator('#account-number').waitFor()
  await look(page, 'longest')
})

slow('while the merchant is paused the page says so in every language and offers no payment method', async (t) => {
  const page = await newPage(t, {})
  const payment = await aPayment(shop)
  const { core, merchantId } = shop
  const stand = (status: 'ACTIVE' | 'SUSPENDED') =>
    core.directory.change(merchantId, (unit) => updateMerchant(unit.tx, merchantId, { standing: status }))
  await page.goto(payment.checkoutUrl)
  await page.getByRole('button', { name: 'Bank transfer' }).waitFor()
  await stand('SUSPENDED')
  t.after(() => stand('ACTIVE'))
  await shows(page, 'Demo Shop is not accepting payments at the moment.', () =>
    page.getByRole('button', { name: 'Bank transfer' }).click(),
  )
  assert.equal(await page.getByRole('button').count(), 0)
  await look(page, 'paused')
  for (const [language, text] of [
    ['Pidgin', 'Demo Shop no dey collect payment for now.'],
    ['Hausa', 'Demo Shop ba ya karɓar kuɗi a yanzu.'],
    ['Yorùbá', 'Demo Shop kò gba owó lọ́wọ́lọ́wọ́.'],
    ['Igbo', 'Demo Shop anaghị anara ụgwọ ugbu a.'],
  ] as const) {
    await page.getByRole('link', { name: language }).click()
    await page.getByText(text).waitFor()
  }
})
