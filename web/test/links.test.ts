import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { long } from '../../gateway/test/harness/long.ts'
import { anInvoice, aPaymentLink, CARDS } from '../../gateway/test/harness/samples.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { look, openSite } from './browser.ts'

const { shop, page: newPage } = await openSite()

long(
  'a payment link asks for customer and amount, leads to the checkout and back, and sends the receipt by email and as PDF',
  async (t) => {
    const page = await newPage(t)
    const body = aPaymentLink(shop, { amount: null, usage: 'ONCE', description: 'For the new roof of St. Mary’s' })
    const { url } = await shop.call(contract.createPaymentLink, { body })
    await page.goto(url)
    await look(page, 'link')
    await page.getByRole('button', { name: 'Continue to payment' }).waitFor()
    await page.getByLabel('Amount in naira').fill('12')
    await page.getByLabel('Your name').fill('Ada Obi')
    await page.getByLabel('Your email address').fill('ada@example.com')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByText('Enter an amount of ₦20.00 or more').waitFor()
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Ada Obi')
    await look(page, 'link-wrong')
    await page.getByLabel('Amount in naira').fill('1,250')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByRole('heading', { name: 'Pay ₦1,250.00 to Demo Shop' }).waitFor()
    await page.goBack()
    await page.getByText('Enter an amount of ₦20.00 or more').waitFor()
    await page.getByLabel('Amount in naira').fill('1,250')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByRole('link', { name: 'Card' }).click()
    await page.getByLabel('Card number').pressSequentially(CARDS.success)
    await page.getByLabel('Expiry date').pressSequentially('0899')
    await page.getByLabel('CVV').fill('123')
    await page.getByRole('button', { name: 'Pay ₦1,250.00' }).click()
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
    await page.getByRole('button', { name: 'Email me the receipt' }).click()
    await page.getByText('We’ve sent the receipt to your email address.').first().waitFor()
    await look(page, 'receipt')
    const pdf = await page.getByRole('link', { name: 'Save as PDF' }).getAttribute('href')
    assert.equal((await shop.send('GET', pdf ?? '')).headers.get('content-type'), 'application/pdf')
    const inbox = () => shop.call(contract.readInbox, { query: { to: 'ada@example.com' } })
    await until('the receipt is mailed', async () => (await inbox()).some(({ subject }) => /^Receipt/.test(subject)))
    await page.goto(url)
    await page.getByText('This has already been paid. Thank you.').waitFor()
    await look(page, 'link-paid')
  },
)

/** A green square. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

test('an invoice page has the merchant’s branding, customer, due date and PDF, and is accessible', async (t) => {
  const page = await newPage(t)
  const own = { brandColour: '#7a1fa2', supportContact: 'help@shop.example', logo: LOGO }
  await shop.call(contract.changeMerchantSettings, { body: own })
  const body = anInvoice(shop, shop.core.clock.now(), { customerName: 'Chidi Eze' })
  const { checkoutUrl } = await shop.call(contract.createInvoice, { body })
  await page.goto(checkoutUrl)
  await page.getByText('To: Chidi Eze').waitFor()
  await page.getByRole('link', { name: 'Save the invoice as PDF' }).waitFor()
  await page.getByText('Questions? Ask Demo Shop: help@shop.example').waitFor()
  const head = "getComputedStyle(document.querySelector('.summary')).backgroundColor"
  assert.equal(await page.evaluate(head), 'rgb(122, 31, 162)')
  assert.ok(await page.evaluate<boolean>("document.querySelector('.logo').naturalWidth > 0"), 'the logo is shown')
  await look(page, 'invoice')
})
