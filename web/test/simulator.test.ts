import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { aPayment, focusOn, look, openSite, shiftOf } from './browser.ts'

const { shop, page: newPage } = await openSite()

test('the banking app tells whose account it is, pays, and remembers what this window has sent', async (t) => {
  const page = await newPage(t)
  const payment = await aPayment(shop, { paymentDescription: 'Talking drum' })
  const { account } = await shop.call(contract.checkoutTransfer, { params: payment.params, body: {} })
  await page.goto(`${shop.url}/simulator`)
  await page.getByLabel('Bank', { exact: true }).selectOption({ label: account?.bankName ?? '' })
  await page.getByLabel('Account number', { exact: true }).fill(account?.accountNumber ?? '')
  await page.getByText('Demo Shop-Talking drum').waitFor()
  await page.getByLabel('Amount in naira').fill('2000')
  await look(page, 'simulator')
  await page.getByRole('button', { name: 'Send money' }).click()
  await page.getByRole('heading', { name: '₦2,000.00 sent' }).waitFor()
  assert.equal((await shop.call(contract.getCheckout, { params: payment.params })).paymentStatus, 'PARTIALLY_PAID')
  await page.getByRole('button', { name: 'Send more' }).click()
  await page.getByText('From ADAEZE OKAFOR').click()
  await page.getByLabel('Sender’s name').fill('Bola Ade')
  await page.getByLabel('Amount in naira').fill('3000')
  await page.getByRole('button', { name: 'Send money' }).click()
  await page.getByRole('heading', { name: '₦3,000.00 sent' }).waitFor()
  const { accountDetails, paymentStatus } = await shop.call(contract.getTransaction, { params: payment.params })
  assert.deepEqual([paymentStatus, accountDetails?.accountName], ['PAID', 'Bola Ade'])

  await page.getByRole('button', { name: 'Send more' }).click()
  await page.getByLabel('Amount in naira').fill('5')
  await page.getByRole('button', { name: 'Send money' }).click()
  await page.getByText('The payment has been paid already.').waitFor()
  await look(page, 'simulator-back')
  await page.reload()
  assert.deepEqual(await page.locator('.history .number').allInnerTexts(), ['₦5.00', '₦3,000.00', '₦2,000.00'])
  await page.getByRole('button', { name: 'Clear the list' }).click()
  assert.equal(await page.locator('.history').count(), 0)
  assert.ok((await shiftOf(page)) < 0.01)
})

test('the banking app says what is missing, and knows no account that is not there', async (t) => {
  const page = await newPage(t)
  await page.goto(`${shop.url}/simulator?bankCode=232&accountNumber=0000000000`)
  await page.getByText('There is no such account at this bank.').waitFor()
  await page.getByRole('button', { name: 'Send money' }).click()
  await page.getByText('Write an amount, as 5000 or 5000.50.').waitFor()
  await focusOn(page, 'amount')
  await page.keyboard.type('100')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'The money came back' }).waitFor()
  await page.getByText('There is no such account at this bank.').waitFor()
})

test('a wallet is paid as any other account', async (t) => {
  const page = await newPage(t)
  await page.goto(
    `${shop.url}/simulator?bankCode=50515&accountNumber=${shop.credentials.walletAccountNumber}&amount=1000`,
  )
  await page.locator('.owner b').waitFor()
  await page.getByRole('button', { name: 'Send money' }).click()
  await page.getByRole('heading', { name: '₦1,000.00 sent' }).waitFor()
})
