import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { CARDS } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { aPayment, focusOn, look, openSite, type Page, type Payment } from './browser.ts'

const { shop, page: newPage } = await openSite()

/** Fills in the card form like a person, and pays. */
async function payBy(page: Page, number: string, { expiry = '0899', cvv = '123', pin = '1234' } = {}): Promise<void> {
  await page.getByLabel('Card number').fill('')
  await page.getByLabel('Card number').pressSequentially(number)
  await page.getByLabel('Expiry date').fill('')
  await page.getByLabel('Expiry date').pressSequentially(expiry)
  await page.getByLabel('CVV').fill(cvv)
  if ((await page.getByLabel('Card PIN').count()) > 0) await page.getByLabel('Card PIN').fill(pin)
  await page.getByRole('button', { name: 'Pay ₦5,000.00' }).click()
}

async function openCardForm(page: Page, redirectUrl?: string): Promise<Payment> {
  const payment = await aPayment(shop, redirectUrl === undefined ? {} : { redirectUrl })
  await page.goto(payment.checkoutUrl)
  await page.getByRole('link', { name: 'Card' }).click()
  await page.getByRole('heading', { name: 'Pay by card' }).waitFor()
  return payment
}

const statusOf = async ({ params }: Payment): Promise<string> =>
  (await shop.call(contract.getCheckout, { params })).paymentStatus

test('the card form groups the digits, shows the brand, and pays', async (t) => {
  const page = await newPage(t)
  const payment = await openCardForm(page)
  await look(page, 'card')
  await page.getByLabel('Card number').pressSequentially('4111111111111111')
  assert.equal(await page.getByLabel('Card number').inputValue(), '4111 1111 1111 1111')
  await page.getByText('Visa', { exact: true }).waitFor()
  assert.equal(await page.getByLabel('Card PIN').count(), 0)
  await page.getByLabel('Expiry date').pressSequentially('899')
  assert.equal(await page.getByLabel('Expiry date').inputValue(), '08/99')
  await page.getByLabel('CVV').pressSequentially('12x3')
  assert.equal(await page.getByLabel('CVV').inputValue(), '123')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  const receipt = await page.locator('.receipt').innerText()
  for (const text of ['Visa •••• 1111', 'Ada Obi', 'WAT', 'R-']) assert.ok(receipt.includes(text), text)
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.getByText('Sandbox', { exact: true }).isVisible(), true, 'on paper too')
  await page.emulateMedia({ media: 'screen' })
  assert.equal(await statusOf(payment), 'PAID')
})

test('card errors appear at their fields, before anything is sent', async (t) => {
  const page = await newPage(t)
  await openCardForm(page)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await payBy(page, '')
  await page.getByText('Enter the card number.').waitFor()
  await payBy(page, '5060995994247094', { expiry: '0120', cvv: '1', pin: '12' })
  for (const text of [
    'This card number is invalid. Check the digits.',
    'This card has expired.',
    'The CVV has 3 or 4 digits.',
    'The PIN has 4 digits.',
  ])
    await page.getByText(text).waitFor()
  await focusOn(page, 'number')
  assert.equal(await page.getByLabel('Card number').getAttribute('aria-invalid'), 'true')
  await look(page, 'card-wrong')
  assert.deepEqual(sent, [])
})

slow('a declined card shows the reason, clears the CVV, and the next card pays', async (t) => {
  const page = await newPage(t)
  const payment = await openCardForm(page)
  await payBy(page, CARDS.insufficientFunds)
  await page.getByRole('alert').getByText('There is not enough money in this card’s account.').waitFor()
  await page.getByText('You have not been charged.').waitFor()
  assert.equal(await page.getByLabel('CVV').inputValue(), '')
  await look(page, 'card-declined')
  await payBy(page, CARDS.success)
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  assert.equal(await statusOf(payment), 'PAID')
})

slow('a wrong card code shows an error, and the right one pays', async (t) => {
  const page = await newPage(t)
  const payment = await openCardForm(page)
  await payBy(page, CARDS.otp)
  await page.getByRole('heading', { name: 'Confirm with a code' }).waitFor()
  await look(page, 'card-otp')
  await page.getByLabel('One-time code').fill('000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('This code is wrong. You have 4 more tries.').waitFor()
  // A phone reloads the page when its user returns from reading the message.
  await page.reload()
  await page.getByRole('heading', { name: 'Confirm with a code' }).waitFor()
  await page.getByText('Verve •••• 7093').waitFor()
  await page.getByRole('link', { name: 'Igbo' }).click()
  await page.getByRole('heading', { name: 'Jiri koodu mesie ya ike' }).waitFor()
  await look(page, 'card-otp-igbo')
  await page.getByRole('link', { name: 'English' }).click()
  await page.getByLabel('One-time code').fill('123456')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  assert.equal(await statusOf(payment), 'PAID')
})

slow('five wrong codes end the charge, and another card can be used', async (t) => {
  const page = await newPage(t)
  await openCardForm(page)
  await payBy(page, CARDS.otp)
  for (let tries = 0; tries < 5; tries++) {
    await page.getByLabel('One-time code').fill('000000')
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page
      .getByText(tries < 3 ? `You have ${4 - tries} more tries` : tries < 4 ? 'one more try' : 'Too many wrong codes.')
      .first()
      .waitFor()
  }
  await payBy(page, CARDS.success)
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
})

slow(
  'while the issuer is silent the page says so, also after a reload, and shows what it says in the end',
  async (t) => {
    const page = await newPage(t)
    await openCardForm(page, 'https://shop.example/done')
    const cancel = page.getByRole('link', { name: 'Cancel and go back to Demo Shop' })
    await cancel.waitFor()
    await payBy(page, CARDS.silent)
    await page.getByRole('heading', { name: 'Your bank has not responded yet' }).waitFor()
    assert.equal(await cancel.count(), 0, 'the payment may still succeed')
    await look(page, 'card-pending')
    await page.reload()
    await page.getByRole('heading', { name: 'Your bank has not responded yet' }).waitFor()
    await shop.advance(60)
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  },
)

slow('3-D Secure leads to the bank’s page and back, approved or declined', async (t) => {
  const page = await newPage(t)
  const rejected = await openCardForm(page)
  await payBy(page, CARDS.secure3d)
  await page.getByRole('button', { name: 'Not my payment' }).waitFor()
  await look(page, 'card-bank')
  await page.getByRole('link', { name: 'Hausa' }).click()
  await page.getByRole('heading', { name: 'Ka amince da wannan biya?' }).waitFor()
  await page.getByLabel('Lambar tabbatarwa').fill('000000')
  await page.getByRole('button', { name: 'Amince' }).click()
  await page.getByRole('alert').getByText('Lambar ba daidai ba ce.').waitFor()
  await look(page, 'card-bank-hausa')
  await page.getByRole('link', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Not my payment' }).click()
  await page.getByText('The payment was not confirmed with your bank. You have not been charged.').waitFor()
  assert.equal(new URL(page.url()).pathname, new URL(rejected.checkoutUrl).pathname)
  await look(page, 'card-refused')
  await page.getByRole('link', { name: 'Card' }).click()
  await payBy(page, CARDS.secure3d)
  await page.getByLabel('One-time code').fill('123456')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  assert.equal(await statusOf(rejected), 'PAID')
})

slow('a card is saved only if the customer ticks the box, which is unticked by default', async (t) => {
  const page = await newPage(t)
  const tokenOf = async ({ params }: Payment): Promise<string | null | undefined> =>
    (await shop.call(contract.getTransaction, { params })).cardDetails?.cardToken
  for (const isTicked of [false, true]) {
    const payment = await openCardForm(page)
    const box = page.getByRole('checkbox', { name: 'Save this card for next time' })
    assert.equal(await box.isChecked(), false)
    if (isTicked) await page.getByText('Save this card for next time').click()
    await payBy(page, CARDS.success)
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
    assert.equal(typeof (await tokenOf(payment)), isTicked ? 'string' : 'object')
  }
})

test('card data goes to the gateway in one request and is not stored in the browser', async (t) => {
  const page = await newPage(t)
  const bodies: (readonly [string, string])[] = []
  page.on('request', (request) => bodies.push([new URL(request.url()).pathname, request.postData() ?? '']))
  await openCardForm(page)
  await payBy(page, CARDS.success)
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  const holding = bodies.filter(([path, body]) => (path + body).includes(CARDS.success))
  assert.deepEqual(
    holding.map(([path]) => path.split('/').at(-1)),
    ['card'],
  )
  const stored = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.documentElement.outerHTML])',
  )
  assert.ok(!stored.replace(/\D/g, '').includes(CARDS.success))
})
