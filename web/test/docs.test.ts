import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { anAccount, aTransaction, pay, transferTo } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { look, openSite } from './browser.ts'

const { shop, page: newPage } = await openSite()

slow('a developer finds a call, sends its prefilled example, and reads the response', async (t) => {
  const page = await newPage(t, { viewport: { width: 1280, height: 800 } })
  await page.goto(`${shop.url}/docs`)
  await look(page, 'docs')
  await page.getByLabel('Search the documentation').fill('merchant/transactions/init-transaction')
  await page.keyboard.press('Enter')
  await page.waitForURL(/search/)
  await look(page, 'docs-search')
  await page.getByRole('link', { name: 'POST /api/v1/merchant/transactions/init-transaction' }).click()
  const call = page.locator('#initTransaction')
  await call.getByText('Try it').click()
  assert.match(await call.getByLabel('API key').inputValue(), /^MK_TEST_/)
  await call.getByRole('button', { name: 'Send' }).click()
  await call
    .getByRole('status')
    .filter({ hasText: /^200\s[\s\S]*"checkoutUrl"/ })
    .waitFor()
  const { paymentReference } = JSON.parse(await call.getByLabel('Body').inputValue())
  await call.getByRole('button', { name: 'Send' }).click()
  await call
    .getByRole('status')
    .filter({ hasText: /^200\s[\s\S]*"checkoutUrl"/, hasNotText: paymentReference })
    .waitFor() // a second payment, with a reference of its own
  await look(page, 'docs-try')
})

slow('“Try it” fills in values that exist, also on a page that sent nothing before', async (t) => {
  await pay(shop, await anAccount(shop, { amount: 9_000 }), 9_000)
  await anAccount(shop, { paymentReference: 'order-to-pay' })
  const page = await newPage(t)
  const prefilled = async (group: string, name: string): Promise<void> => {
    await page.goto(`${shop.url}/docs/reference/${group}`)
    const call = page.locator(`#${name}`)
    await call.getByText('Try it').click()
    await call.getByRole('button', { name: 'Send' }).click()
    await call
      .getByRole('status')
      .filter({ hasText: /^\d+\s/ })
      .waitFor()
    assert.match((await call.getByRole('status').textContent()) ?? '', /^200\s/, name)
  }
  await prefilled('transactions', 'queryTransaction')
  await prefilled('transactions', 'getTransaction')
  await prefilled('bank-transfer', 'initBankTransfer')
  await prefilled('refunds', 'initiateRefund')
  await page.evaluate('sessionStorage.clear()')
  await prefilled('refunds', 'getRefund')
  await prefilled('transfers', 'getWalletBalance')
  await prefilled('sandbox', 'fundWallet')
  await transferTo(shop, '456', { reference: 'rent-march' }) // the reference of the example
  await prefilled('transfers', 'initiateTransfer')
  await shop.advance(61) // a code can be sent once a minute
  await prefilled('transfers', 'resendTransferCode')
  await page.locator('#authorizeTransfer').getByRole('link', { name: 'inbox' }).click()
  await page.locator('#readInbox').waitFor()
  await prefilled('event-log', 'getMerchantEvent')
  await pay(shop, await anAccount(shop, { amount: 9_000 }), 9_000) // the first is refunded
  await prefilled('sandbox', 'openSandboxDispute')
  await page.evaluate('sessionStorage.clear()')
  await prefilled('disputes', 'getDispute')
  // An account that was issued for a payment can be paid into, and its checkout opened.
  await prefilled('transactions', 'initTransaction')
  await prefilled('checkout', 'getCheckout')
  await prefilled('bank-transfer', 'initBankTransfer')
  await prefilled('sandbox', 'enquireName')
  await prefilled('sandbox', 'payIntoAccount')
  await page.getByRole('status').filter({ hasText: '"status": "ACCEPTED"' }).waitFor()
  await prefilled('transactions', 'initTransaction')
  await prefilled('cards', 'chargeCard')
  await prefilled('transactions', 'getTransaction')
  await prefilled('recurring-payment', 'chargeCardToken')
  await prefilled('transfers', 'initiateBatch')
  await prefilled('transfers', 'getBatch')
  await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  await prefilled('transactions', 'cancelTransaction')
  const { content } = await shop.call(contract.searchTransactions, { query: { paymentStatus: 'CANCELLED' } })
  assert.equal(content.length, 1)
})

slow('guides and reference are accessible and need no JavaScript', async (t) => {
  const page = await newPage(t)
  for (const path of ['guides/first-payment', 'guides/testing', 'reference/transfers', 'reference/events']) {
    await page.goto(`${shop.url}/docs/${path}`)
    await look(page, `docs-${path.replace('/', '-')}`)
  }
  await page.setViewportSize({ width: 1280, height: 800 }) // a rotated tablet
  await page.locator('.menu').getByRole('link', { name: 'Webhooks' }).waitFor()
  const plain = await newPage(t, { javaScriptEnabled: false })
  await plain.goto(`${shop.url}/docs/reference/refunds`)
  assert.ok(await plain.getByText('POST').first().isVisible())
  assert.equal(await plain.getByText('Try it').first().isVisible(), false)
})

slow('guides show code in the language that the reader chose, on every page', async (t) => {
  const page = await newPage(t, { viewport: { width: 1280, height: 800 } })
  const visible = (code: string) => page.locator('pre:visible').filter({ hasText: code }).count()
  await page.goto(`${shop.url}/docs/guides/payouts`)
  assert.deepEqual([(await visible('curl')) > 0, await visible('client.transfers.')], [true, 0])
  const inPython = page.getByRole('button', { name: 'Python' })
  await inPython.nth(2).click()
  await look(page, 'docs-languages')
  assert.deepEqual([await visible('curl'), (await visible('client.transfers.')) > 0], [0, true])
  await page.goto(`${shop.url}/docs/guides/disputes`)
  assert.deepEqual([await visible('curl'), (await visible('client.disputes.')) > 0], [0, true])
  assert.equal(await inPython.first().getAttribute('aria-pressed'), 'true')

  const plain = await newPage(t, { javaScriptEnabled: false })
  await plain.goto(`${shop.url}/docs/guides/payouts`)
  await plain.getByText('Python', { exact: true }).nth(1).click()
  assert.ok(await plain.getByText('client.sandbox.fund_wallet').isVisible())
})
