import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import * as contract from '@kobo/contract'
import { wallClock } from '../../gateway/src/kernel/clock.ts'
import { CARDS, checkoutReferenceOf, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { ELSEWHERE, openSite, type Page, takePicture } from './browser.ts'
import { noWordPress, startWordPress } from './wordpress/wordpress.ts'

const { shop, page: newPage } = await openSite({ wall: wallClock, env: { KOBO_COMPAT: 'woocommerce' } })
const DESK = { viewport: { width: 960, height: 640 } }

/** A customer places an order; the shop's payment page opens the checkout. Returns the number and key of the order. */
async function placeOrder(page: Page, url: string): Promise<URLSearchParams> {
  await page.goto(url)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('button', { name: 'Place order' }).click()
  await page.frameLocator('iframe').getByRole('heading', { name: 'Pay ₦4,250.50 to Demo Shop' }).waitFor()
  return new URL(page.url()).searchParams
}

slow(
  'a WordPress shop sells by card and by transfer, and a closed checkout leads back to the cart',
  {
    skip: noWordPress,
  },
  async (t) => {
    const { apiKey, secretKey, contractCode } = shop.credentials
    const { url, password } = await startWordPress(t, shop.url, {
      key: apiKey,
      secret: secretKey,
      contract: contractCode,
    })
    ELSEWHERE.add(url)
    const webhookUrl = `${url}/?wc-api=wc_monnify_gateway`
    // As in live mode: only this site, and only with its own references.
    await shop.call(contract.changeSettings, { body: { webhookUrl, inlineOrigins: [`${url} MNFY_WP_`] } })
    const page = await newPage(t, DESK)
    const statusOf = async (order: URLSearchParams): Promise<string> => {
      await page.goto(`${url}/?pagename=order&order_id=${order.get('order_id')}&key=${order.get('key')}`)
      return page.getByText(/^Order \d+ is/).innerText()
    }

    await t.test('a customer who closes the checkout is back in the cart', async () => {
      const closed = await placeOrder(page, url)
      await page.frameLocator('iframe').getByRole('button', { name: 'Close' }).click()
      await page.getByText('1 × Zobo, six bottles').waitFor()
      await takePicture(page, 'wordpress-cart')
      assert.match(await statusOf(closed), /is pending\.$/)
    })

    await t.test('a customer pays by card and is back in the shop with a completed order', async () => {
      await placeOrder(page, url)
      const frame = page.frameLocator('iframe')
      await frame.getByRole('link', { name: 'Card' }).click()
      await frame.getByLabel('Card number').pressSequentially(CARDS.success)
      await frame.getByLabel('Expiry date').pressSequentially('0899')
      await frame.getByLabel('CVV').fill('123')
      await takePicture(page, 'wordpress-pay')
      await frame.getByRole('button', { name: 'Pay ₦4,250.50' }).click()
      await page.getByText(/^Order \d+ is completed\. Confirmed by (webhook|status query)\.$/).waitFor()
      await takePicture(page, 'wordpress-order')
    })

    await t.test('the webhook completes the order of a customer who left before the transfer arrived', async () => {
      const left = await placeOrder(page, url)
      await page.frameLocator('iframe').getByRole('button', { name: 'Bank transfer' }).click()
      await page.frameLocator('iframe').locator('#account-number').waitFor()
      const params = { checkoutReference: checkoutReferenceOf(page.frames().at(-1)?.url() ?? '') }
      const { account } = await shop.call(contract.getCheckout, { params })
      assert.match(await statusOf(left), /is pending\.$/)
      await pay(shop, account ?? assert.fail('an account'), 4_250.5)
      await until('the order is completed', async () =>
        /is completed\. Confirmed by webhook\.$/.test(await statusOf(left)),
      )
    })

    await t.test('a forged webhook completes no order', async () => {
      const order = await placeOrder(page, url)
      const paymentReference = `MNFY_WP_${order.get('order_id')}_1_1`
      const body = JSON.stringify({
        eventType: 'SUCCESSFUL_TRANSACTION',
        eventData: { paymentReference, amountPaid: 4_250.5 },
      })
      const headers = { 'monnify-signature': createHmac('sha512', 'another key').update(body).digest('hex') }
      assert.equal((await fetch(webhookUrl, { method: 'POST', body, headers })).status, 400)
      assert.match(await statusOf(order), /is pending\.$/)
    })

    await t.test('the administrator sees Kobo’s plugin among those that are always active', async () => {
      await page.goto(`${url}/wp-login.php`)
      await page.getByLabel('Username or Email Address').fill('ada')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Log In' }).click()
      await page.goto(`${url}/wp-admin/plugins.php?plugin_status=mustuse`)
      await page.getByText('Points the Monnify plugins of this site to a Kobo gateway.').waitFor()
      await takePicture(page, 'wordpress-plugin')
    })
  },
)
