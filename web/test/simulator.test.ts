import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { slow } from '../../gateway/test/harness/slow.ts'
import { aPayment, focusOn, look, openSite, shiftOf } from './browser.ts'

const { shop, page: newPage } = await openSite()

slow('the bank simulator shows the account name, pays, and lists the transfers of its window', async (t) => {
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
  await page.getByRole('button', { name: 'Send another' }).click()
  await page.getByText('From ADAEZE OKAFOR').click()
  await page.getByLabel('Sender’s name').fill('Bola Ade')
  await page.getByLabel('Amount in naira').fill('3000')
  await page.getByRole('button', { name: 'Send money' }).click()
  await page.getByRole('heading', { name: '₦3,000.00 sent' }).waitFor()
  const { accountDetails, paymentStatus } = await shop.call(contract.getTransaction, { params: payment.params })
  assert.deepEqual([paymentStatus, accountDetails?.accountName], ['PAID', 'Bola Ade'])

  await page.getByRole('button', { name: 'Send another' }).click()
  await page.getByLabel('Amount in naira').fill('5')
  await page.getByRole('button', { name: 'Send money' }).click()
  await page.getByText('The payment was already paid.').waitFor()
  await look(page, 'simulator-back')
  await page.reload()
  assert.deepEqual(await page.locator('.history .number').allInnerTexts(), ['₦5.00', '₦3,000.00', '₦2,000.00'])
  const destination = `${account?.accountNumber} · ${account?.bankName}` // no time: the sandbox has its own clock
  assert.equal(await page.locator('.history small').first().innerText(), destination)
  await page.getByRole('button', { name: 'Clear list' }).click()
  assert.equal(await page.locator('.history').count(), 0)
  assert.ok((await shiftOf(page)) < 0.01)
})

test('the bank simulator reports missing fields and unknown accounts', async (t) => {
  const page = await newPage(t)
  await page.goto(`${shop.url}/simulator?bankCode=232&accountNumber=0000000000`)
  await page.getByText('This account does not exist at this bank.').waitFor()
  await page.getByRole('button', { name: 'Send money' }).click()
  await page.getByText('Enter an amount, e.g. 5000 or 5000.50.').waitFor()
  await focusOn(page, 'amount')
  await page.keyboard.type('100')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Money returned' }).waitFor()
  await page.getByText('This account does not exist at this bank.').waitFor()
})

test('a wallet is paid like any other account', async (t) => {
  const page = await newPage(t)
  await page.goto(
    `${shop.url}/simulator?bankCode=50515&accountNumber=${shop.credentials.walletAccountNumber}&amount=1000`,
  )
  await page.locator('.owner b').waitFor()
  await page.getByRole('button', { name: 'Send money' }).click()
  await page.getByRole('heading', { name: '₦1,000.00 sent' }).waitFor()
})
