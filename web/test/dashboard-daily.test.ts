import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import { openDispute } from '../../gateway/test/harness/dispute-samples.ts'
import { anAccount, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aTeamMember, type UserOptions } from '../../gateway/test/harness/users.ts'
import { look, openSite, type Page } from './browser.ts'

const { shop, page: newPage } = await openSite()
const DESK = { viewport: { width: 1280, height: 800 } }

const SUB_ACCOUNT = {
  currencyCode: 'NGN',
  accountNumber: '0123456789',
  bankCode: '058',
  email: 'bisola@example.com',
} as const

/** A dashboard screen, opened by a new team member. */
async function open(t: TestContext, role: contract.Role, screen: string, options?: UserOptions): Promise<Page> {
  const page = await newPage(t, DESK)
  const { cookie } = await aTeamMember(shop, role, options)
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url: shop.url, httpOnly: true }])
  await page.goto(`${shop.url}/dashboard/${screen}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

slow('every screen says what needs attention; each topic can be turned off, on screen and by email', async (t) => {
  const paid = await anAccount(shop, { amount: 9_000 })
  await pay(shop, paid, 9_000)
  await openDispute(shop, paid.transactionReference, { disputeAmount: 1_000 })
  const page = await open(t, 'finance', 'refunds')
  const bell = page.getByRole('button', { name: 'Notifications 1' })
  await bell.click()
  await look(page, 'dashboard-notifications')
  await page.getByRole('link', { name: '1 open dispute' }).click()
  await page.getByRole('heading', { name: 'Disputes', level: 1 }).waitFor()
  assert.match(page.url(), /disputes\?status=OPEN$/)

  await bell.click()
  await page.getByRole('link', { name: 'Choose notifications' }).click()
  await page.getByRole('heading', { name: 'Your profile' }).waitFor()
  const choices = page.getByRole('region', { name: 'Notifications' })
  assert.equal(await choices.getByRole('checkbox', { name: 'Webhooks' }).count(), 0)
  await look(page, 'dashboard-notification-choices')
  let saved = 0
  page.on('response', (response) => {
    if (response.request().method() === 'PUT' && response.ok()) saved++
  })
  await choices.getByRole('checkbox', { name: 'New disputes: by email' }).check()
  await choices.getByRole('checkbox', { name: 'New disputes: on screen' }).uncheck()
  await until('both are saved', async () => saved === 2)
  await page.reload()
  await choices.getByRole('checkbox', { name: 'New disputes: on screen', checked: false }).waitFor()
  await choices.getByRole('checkbox', { name: 'New disputes: by email', checked: true }).waitFor()
  await page.goto(`${shop.url}/dashboard`)
  await page.getByText('Available balance').waitFor()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  assert.equal(await page.getByText('Needs attention').filter({ visible: true }).count(), 0)
})

slow('a list is shown oldest first, page by page', async (t) => {
  const page = await open(t, 'owner', 'transactions')
  for (let count = 0; count < contract.LIST_SIZE_DEFAULT; count++) await anAccount(shop, { amount: 100 + count })
  const firstAmount = (): Promise<string> =>
    page.getByRole('region', { name: 'Transactions' }).locator('tbody tr').first().innerText()
  await page.getByLabel('Order', { exact: true }).selectOption('Oldest first')
  await until('the oldest comes first', async () => (await firstAmount()).includes('₦9,000.00'))
  await page.getByText(`Showing the oldest ${contract.LIST_SIZE_DEFAULT}`).waitFor()
  await page.getByRole('link', { name: 'Newer' }).click()
  await until('the newest comes last', async () => (await firstAmount()).includes('₦149.00'))
  await page.getByText('End of list').waitFor()
  await page.getByRole('link', { name: 'Oldest', exact: true }).click()
  await until('the first page is back', async () => (await firstAmount()).includes('₦9,000.00'))
  // The title of the time says the order and changes it.
  const created = page.getByRole('columnheader', { name: 'Created', exact: true })
  assert.equal(await created.getAttribute('aria-sort'), 'ascending')
  await created.getByRole('link').click()
  await until('the newest comes first', async () => (await firstAmount()).includes('₦149.00'))
  assert.equal(await created.getAttribute('aria-sort'), 'descending')
  assert.equal(await page.getByLabel('Order', { exact: true }).inputValue(), '')
  await page.goto(`${shop.url}/dashboard/customers`)
  await page.getByRole('columnheader', { name: 'Last activity', exact: true }).waitFor()
  assert.equal(await page.locator('[aria-sort]').count(), 0, 'this list has one order')
})

slow('a payment page shows its metadata and what sub accounts get', async (t) => {
  const [{ subAccountCode = '' } = {}] = await shop.call(contract.createSubAccounts, {
    body: [{ ...SUB_ACCOUNT, defaultSplitPercentage: 20 }],
  })
  const paid = await anAccount(shop, {
    amount: 10_000,
    metaData: { orderColour: 'green', size: { eu: 42 } },
    incomeSplitConfig: [{ subAccountCode, feeBearer: false }],
  })
  await pay(shop, paid, 10_000)
  const page = await open(t, 'owner', `transactions/${encodeURIComponent(paid.transactionReference)}`)
  await page.getByRole('region', { name: 'Metadata' }).getByRole('row', { name: 'orderColour green' }).waitFor()
  await page.getByRole('row', { name: 'size {"eu":42}' }).waitFor()
  await page
    .getByRole('region', { name: 'Splits' })
    .getByRole('row', { name: `${subAccountCode} ₦2,000.00` })
    .waitFor()
  await look(page, 'dashboard-payment-with-metadata')
})

slow('an invoice with items adds them up, and its page, PDF and email list them', async (t) => {
  const page = await open(t, 'owner', 'invoices')
  await page.getByRole('button', { name: 'Create invoice' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Description').fill('School things')
  await dialog.getByRole('button', { name: 'Add item' }).click()
  await dialog.getByLabel('Item', { exact: true }).fill('Pair of shoes')
  await dialog.getByLabel('Quantity').fill('2')
  await dialog.getByLabel('Unit price in naira').fill('12,500.50')
  await dialog.getByRole('button', { name: 'Add item' }).click()
  await dialog.getByLabel('Item', { exact: true }).nth(1).fill('Socks')
  await dialog.getByLabel('Unit price in naira').nth(1).fill('999')
  await look(page, 'dashboard-invoice-items')
  await dialog.getByLabel('Customer name').fill('Ada Obi')
  await dialog.getByLabel('Customer email').fill('ada@example.com')
  const lastDay = (await dialog.getByLabel('Due date').getAttribute('max')) ?? ''
  await dialog.getByLabel('Due date').fill(lastDay)
  // An amount that differs is rejected at its field.
  await dialog.getByLabel('Amount in naira').fill('25,000')
  await dialog.getByRole('button', { name: 'Create invoice' }).click()
  await dialog.getByText('₦26,000.00').waitFor()
  await dialog.getByLabel('Amount in naira').fill('')
  await dialog.getByRole('button', { name: 'Create invoice' }).click()
  await page.getByText('Invoice created.').waitFor()
  const { items: invoices } = await (await aTeamMember(shop, 'owner')).call(contract.browseInvoices, { query: {} })
  assert.equal(invoices[0]?.expiresOn.slice(0, 10), lastDay, 'the last day that can be chosen is accepted')
  await page
    .getByRole('region', { name: 'Invoices' })
    .getByRole('row', { name: '₦26,000.00' })
    .getByRole('link')
    .first()
    .click()
  const items = page.getByRole('region', { name: 'Items' })
  await items.getByRole('row', { name: 'Pair of shoes 2 ₦12,500.50 ₦25,001.00' }).waitFor()
  await look(page, 'dashboard-invoice-with-items')

  const address = (await page.getByRole('link', { name: 'Open payment page' }).getAttribute('href')) ?? ''
  await page.goto(address)
  await page.getByRole('listitem').filter({ hasText: '2 × Pair of shoes' }).getByText('₦25,001.00').waitFor()
  await look(page, 'invoice-with-items')
})
