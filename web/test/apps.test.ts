import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as contract from '@kobo/contract'
import { CARDS } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aPayment, openSite } from './browser.ts'

const { shop, page: newPage } = await openSite()

const PHONE = {
  isMobile: true,
  hasTouch: true,
  viewport: { width: 412, height: 915 },
  userAgent:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36',
}

slow('on a phone, the hosted checkout is paid in a browser tab and returns to the app by its deep link', async (t) => {
  // The merchant's server sends the tab on to the app.
  const server = createServer(({ url = '' }, response) =>
    response.writeHead(302, { location: `myshop://paid${new URL(url, 'http://shop').search}` }).end(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/app-return`
  const payment = await aPayment(shop, { redirectUrl, paymentMethods: ['CARD'] })
  const page = await newPage(t, PHONE)
  await page.goto(payment.checkoutUrl)
  await page.getByLabel('Card number').pressSequentially(CARDS.success)
  await page.getByLabel('Expiry date').pressSequentially('0899')
  await page.getByLabel('CVV').fill('123')
  await page.getByRole('button', { name: 'Pay ₦5,000.00' }).click()
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  const links: (string | undefined)[] = []
  page.on('response', (response) => {
    if (response.url().startsWith(redirectUrl)) links.push(response.headers()['location'])
  })
  await page.getByRole('link', { name: /^Back to Demo Shop/ }).click()
  await until('the tab has returned to the app', () => links.length > 0)
  assert.deepEqual(links, [`myshop://paid?paymentReference=${payment.paymentReference}`])
  const query = { paymentReference: payment.paymentReference }
  assert.equal(
    (await shop.call(contract.queryTransaction, { query })).paymentStatus,
    'PAID',
    'what the app’s server sees',
  )
})
