import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { openDispute } from '../../gateway/test/harness/dispute-samples.ts'
import { long } from '../../gateway/test/harness/long.ts'
import { aMandate, daysAfter } from '../../gateway/test/harness/mandate-samples.ts'
import { refund } from '../../gateway/test/harness/refund-samples.ts'
import {
  aBatch,
  anAccount,
  anInvoice,
  anItem,
  aPaymentLink,
  aTransfer,
  checkoutReferenceOf,
  pay,
  reserveAccount,
} from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aTeamMember, type UserOptions } from '../../gateway/test/harness/users.ts'
import { checkAccess, go, look, openSite, type Page } from './browser.ts'

const { shop, page: newPage } = await openSite()
const DESK = { viewport: { width: 1280, height: 800 } }
const DAY_SECONDS = 86_400

/** A browser signed in with a role. */
async function pageOf(t: Parameters<typeof newPage>[0], role: contract.Role, options?: UserOptions): Promise<Page> {
  const page = await newPage(t, DESK)
  const { cookie } = await aTeamMember(shop, role, options)
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url: shop.url, httpOnly: true }])
  return page
}

const open = async (page: Page, screen: string, title: string): Promise<void> => {
  await page.goto(`${shop.url}/dashboard${screen === '' ? '' : `/${screen}`}`)
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
}

const customer = { customerName: 'Chioma Eze', customerEmail: 'chioma@example.com' }
const paid = await anAccount(shop, { amount: 7_000, ...customer })
await pay(shop, paid, 7_000)
await refund(shop, paid.transactionReference)
await shop.advance(DAY_SECONDS)
const account = await reserveAccount(shop)
await shop.call(contract.createInvoice, { body: anInvoice(shop, shop.core.clock.now()) })
const transfer = await aTransfer(shop)
await shop.call(contract.initiateTransfer, { body: transfer })
const later = await anAccount(shop, { amount: 12_500, ...customer })
await pay(shop, later, 12_500)
await oneOfEach()

/** Fills the lists that the samples above leave empty. */
async function oneOfEach(): Promise<void> {
  await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
  await shop.call(contract.createMandate, { body: aMandate(shop) })
  await openDispute(shop, later.transactionReference, { disputeAmount: 1_000 })
  await shop.call(contract.createSubAccounts, {
    body: [
      {
        currencyCode: 'NGN',
        accountNumber: '0123456789',
        bankCode: '058',
        email: 'bisola@example.com',
        defaultSplitPercentage: 20,
      },
    ],
  })
  await shop.call(contract.createLimitProfile, {
    body: {
      limitProfileName: 'Small shops',
      singleTransactionValue: 1_000,
      dailyTransactionValue: 2_500,
      dailyTransactionVolume: 4,
    },
  })
  await shop.call(contract.initiateBatch, { body: aBatch(shop, [anItem()]) })
  await shop.call(contract.createPaycode, {
    body: {
      beneficiaryName: 'Bola Ige',
      amount: 5_000,
      paycodeReference: 'cash-1',
      expiryDate: daysAfter(shop.core.clock.now(), 20),
      clientId: shop.credentials.apiKey,
    },
  })
  await shop.call(contract.vendBill, {
    body: { productCode: 'MTN-AIRTIME', customerId: '08142223149', amount: 1_000, reference: 'bill-1' },
  })
}

const SCREENS = [
  ['transactions', 'Transactions'],
  ['customers', 'Customers'],
  ['refunds', 'Refunds'],
  ['disputes', 'Disputes'],
  ['reserved-accounts', 'Reserved accounts'],
  ['invoices', 'Invoices'],
  ['payment-links', 'Payment links'],
  ['mandates', 'Mandates'],
  ['settlements', 'Settlements'],
  ['statement', 'Wallet statement'],
  ['sub-accounts', 'Sub accounts'],
  ['limit-profiles', 'Limit profiles'],
  ['transfers', 'Transfers'],
  ['batches', 'Batches'],
  ['paycodes', 'Paycodes'],
  ['bills', 'Bills'],
] as const

long('every list and detail page is accessible, in light and dark, on desktop and phone', async (t) => {
  const page = await pageOf(t, 'owner')
  await open(page, '', 'Welcome')
  await page.getByText('Collections, last 30 days').waitFor()
  await page.getByText('As a table').click()
  await look(page, 'money-home')
  await open(page, 'payment-links', 'Payment links')
  await page.getByRole('button', { name: 'Create reusable link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Church harvest')
  await look(page, 'money-new-link')
  await dialog.getByRole('button', { name: 'Create reusable link' }).click()
  await page.getByRole('heading', { name: 'Payment link Active' }).waitFor()
  for (const [screen, title] of SCREENS) {
    await go(page, screen)
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    const row = page.locator('.list tbody tr a').first()
    await row.or(page.locator('.nothing')).waitFor()
    assert.ok((await row.count()) > 0, `${screen} has rows`)
    await look(page, `money-${screen}`)
    if (screen === 'transactions' || screen === 'statement') continue
    await row.click()
    await page.locator('.facts').waitFor()
    await checkAccess(page, `detail page of ${screen}`)
  }
  await open(page, 'exports', 'Exports')
  await look(page, 'money-exports')
  await open(page, 'transfers/1', 'Transfer not found')
})

slow(
  'a dispute is challenged with a text and a file, which can be read afterwards; its payment shows it',
  async (t) => {
    const page = await pageOf(t, 'finance')
    await open(page, 'disputes', 'Disputes')
    await page.locator('.list tbody tr a').first().click()
    await page.getByRole('heading', { name: 'Challenge this dispute' }).waitFor()
    await look(page, 'money-challenge')
    await page.getByRole('button', { name: 'Send evidence' }).click()
    await page.getByText('Explain why this payment is valid.').waitFor()
    await page.getByLabel('Why this payment is valid').fill('The courier’s receipt is signed.')
    const receipt = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n') }
    await page.getByLabel('Supporting files').setInputFiles({ ...receipt, mimeType: 'text/plain', name: 'a.txt' })
    await page.getByRole('button', { name: 'Send evidence' }).click()
    await page.getByText('a.txt is not a PDF, PNG or JPEG.').waitFor()
    await page.getByLabel('Supporting files').setInputFiles(receipt)
    await page.getByRole('button', { name: 'Send evidence' }).click()
    await page.getByRole('heading', { name: 'Your evidence' }).waitFor()
    await page.getByText('receipt.pdf 1 kB').waitFor()
    await look(page, 'money-challenged')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    assert.equal((await saving).suggestedFilename(), 'receipt.pdf')
    await page.getByRole('link', { name: later.transactionReference }).click()
    await page.getByText('₦1,000.00 disputed').waitFor()
    const disputes = page.getByRole('region', { name: 'Disputes' })
    await disputes.getByRole('row').filter({ hasText: '₦1,000.00' }).getByRole('link').click()
    await page.getByRole('heading', { name: 'Dispute', level: 1 }).waitFor()
  },
)

slow(
  'support finds a payment by its account number and reads its timeline, but sees no balance and cannot refund',
  async (t) => {
    const page = await pageOf(t, 'support')
    await open(page, '', 'Welcome')
    await page.getByText('Collected today').waitFor()
    assert.equal(await page.getByText('Available balance').count(), 0)
    await page.keyboard.press('/')
    await page.keyboard.type(paid.accountNumber)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '₦7,000.00' }).waitFor()
    for (const heading of ['Timeline', 'Payments', 'Refunds', 'Webhook events', 'Ledger entries'])
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    await page.getByText('Chioma Eze').first().waitFor()
    await look(page, 'money-timeline')
    assert.equal(await page.getByRole('button', { name: 'Refund' }).count(), 0)
    for (const screen of ['settlements', 'statement', 'new-transfer', 'new-batch', 'exports']) {
      await open(page, screen, 'You don’t have access')
    }
    const support = await aTeamMember(shop, 'support')
    await support.rejected(403, contract.browseStatement, { query: {} })
    await support.rejected(403, contract.inDashboard(contract.initiateRefund), { body: {} })
    assert.equal((await support.call(contract.getOwnAccounts, {})).available, null)
  },
)

slow('a viewer sees figures but no customers and no actions', async (t) => {
  const page = await pageOf(t, 'viewer')
  await open(page, '', 'Welcome')
  await page.getByText('Available balance').waitFor()
  await open(page, 'transactions', 'Transactions')
  await page.getByRole('cell', { name: '₦7,000.00' }).waitFor()
  assert.equal(await page.getByText('Chioma Eze').count(), 0)
  await open(page, `transactions/${encodeURIComponent(paid.transactionReference)}`, '₦7,000.00')
  assert.equal(await page.getByText('Chioma Eze').count(), 0)
  for (const screen of ['invoices', 'sub-accounts', 'limit-profiles', 'reserved-accounts']) {
    await page.goto(`${shop.url}/dashboard/${screen}`)
    await page.locator('.list tbody tr').first().waitFor()
    assert.equal(await page.locator('main .actions :is(button, a)').count(), 0, screen)
  }
  for (const screen of ['transfers', 'approvals', 'keys', 'team', 'audit', 'exports', 'merchants', 'health'])
    await open(page, screen, 'You don’t have access')
})

slow('filters are kept in the URL, survive a reload and apply to exports', async (t) => {
  const page = await pageOf(t, 'finance')
  await open(page, 'transactions', 'Transactions')
  await page.getByLabel('Minimum amount').fill('10000')
  await page.keyboard.press('Enter')
  await page.waitForURL(/amountFrom=10000/)
  await page.reload()
  assert.equal(await page.getByLabel('Minimum amount').inputValue(), '10000')
  await page.getByRole('cell', { name: '₦12,500.00' }).waitFor()
  assert.equal(await page.getByRole('cell', { name: '₦7,000.00' }).count(), 0)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export', exact: true }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  const rows = file.trim().split(/\r?\n/)
  assert.equal(rows.length, 2)
  assert.match(rows[1] ?? '', /12500/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('cell', { name: '₦7,000.00' }).waitFor()
})

slow('finance refunds a payment from its page', async (t) => {
  const page = await pageOf(t, 'finance', { secondFactor: 'fresh' })
  await open(page, `transactions/${encodeURIComponent(later.transactionReference)}`, '₦12,500.00')
  await page.getByRole('button', { name: 'Refund' }).click()
  await page.getByLabel('Amount in naira').fill('500')
  await page.getByLabel('Reason').fill('Wrong size')
  await page.getByLabel('Note for the customer').fill('Sorry!')
  await look(page, 'money-refund')
  await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click()
  await page.getByText('Refund requested.').waitFor()
  await page.getByRole('cell', { name: 'Wrong size' }).waitFor()
})

slow('a batch with failed transfers says so, with their number and sum', async (t) => {
  const page = await pageOf(t, 'finance')
  const good = anItem({ destinationAccountName: 'Ada Obi' })
  const bad = (amount: number) => anItem({ amount, destinationAccountNumber: '0000000000' })
  const partly = aBatch(shop, [good, bad(2_000), bad(3_000)], { title: 'Partly paid' })
  const failed = aBatch(shop, [bad(4_000)], { title: 'Not paid' })
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  t.after(() => shop.call(contract.changeSettings, { body: { otpEnabled: true } }))
  for (const body of [partly, failed]) {
    await shop.call(contract.initiateBatch, { body })
    await until('the batch is completed', async () => {
      const query = { reference: body.batchReference }
      return (await shop.call(contract.getBatch, { query })).batchStatus === 'COMPLETED'
    })
  }
  await open(page, 'batches', 'Batches')
  await page.getByRole('row', { name: /Failed Not paid 1 1 \(₦4,000.00\)/ }).waitFor()
  await page.getByRole('row', { name: /Partly failed Partly paid 3 2 \(₦5,000.00\)/ }).waitFor()
  await look(page, 'money-batches-failed')
  await page.getByRole('link', { name: partly.batchReference }).click()
  await page.getByRole('heading', { name: 'Batch Partly failed' }).waitFor()
  await page.getByRole('definition').filter({ hasText: '2 (₦5,000.00)' }).waitFor()
})

slow('a batch file shows its invalid rows and is sent once all rows are valid', async (t) => {
  const page = await pageOf(t, 'finance')
  await open(page, 'new-batch', 'New batch')
  const { destinationAccountNumber, destinationBankCode } = transfer
  const file = (rows: readonly string[]) => ({
    name: 'salaries.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Account number;Bank code;Amount', ...rows].join('\n')),
  })
  const good = `${destinationAccountNumber};${destinationBankCode};1,500.50`
  await page.getByLabel('CSV file').setInputFiles(file([good, '12;058;100', `${destinationAccountNumber};999999;100`]))
  await page.getByText('2 rows have errors.').waitFor()
  await page.getByRole('cell', { name: 'Account number must have 10 digits' }).waitFor()
  await look(page, 'money-batch-invalid')
  await page.getByLabel('CSV file').setInputFiles(file([good]))
  await page.getByLabel('Title').fill('Salaries')
  await page.getByLabel('Narration').fill('Salary for March')
  await look(page, 'money-batch')
  await page.getByRole('button', { name: 'Send 1 transfer, ₦1,500.50' }).click()
  await page.getByRole('link', { name: 'View transfers' }).waitFor()
  await page.getByRole('definition').filter({ hasText: '₦1,500.50' }).waitFor()
})

slow('a transfer shows the account name before it is sent, and then needs approval', async (t) => {
  const page = await pageOf(t, 'finance')
  await open(page, 'new-transfer', 'New transfer')
  await page.getByLabel('Bank').selectOption(transfer.destinationBankCode)
  await page.getByLabel('Account number').fill(transfer.destinationAccountNumber)
  await page.getByLabel('Amount in naira').fill('2500')
  await page.getByLabel('Narration').fill('Rent')
  await look(page, 'money-new-transfer')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Send money' }).waitFor()
  await look(page, 'money-new-transfer-confirm')
  await page.getByRole('button', { name: 'Send money' }).click()
  await page.getByText('Session ID').waitFor()
  await page.getByText('Pending authorization').waitFor()
})

slow('a customer is found by phone number, and each place that names one leads to everything about them', async (t) => {
  const page = await pageOf(t, 'support')
  await shop.call(contract.createMandate, {
    body: aMandate(shop, { customerEmailAddress: 'CHIOMA@example.com', customerPhoneNumber: '08055550000' }),
  })
  await open(page, 'customers?customer=08055550000', 'Customers')
  await page.getByRole('link', { name: 'chioma@example.com' }).click()
  await page.getByRole('heading', { name: 'Chioma Eze', level: 1 }).waitFor()
  await page.getByText('₦19,500.00').waitFor()
  for (const section of ['Transactions', 'Refunds', 'Disputes', 'Mandates'])
    await page.getByRole('heading', { name: section, level: 2 }).waitFor()
  await look(page, 'money-customer')
  await page.getByRole('link', { name: 'All transactions' }).click()
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  await page.getByRole('cell', { name: 'Chioma Eze' }).first().getByRole('link').click()
  await page.getByRole('heading', { name: 'Chioma Eze', level: 1 }).waitFor()
  await open(page, `transactions/${encodeURIComponent(later.transactionReference)}`, '₦12,500.00')
  await page.getByRole('link', { name: 'chioma@example.com' }).click()
  await page.getByRole('heading', { name: 'Chioma Eze', level: 1 }).waitFor()
  await open(page, 'customers/unknown%40example.com', 'Customer not found')

  const developer = await pageOf(t, 'developer')
  await open(developer, `transactions/${encodeURIComponent(later.transactionReference)}`, '₦12,500.00')
  await developer.getByText('c***@example.com').waitFor()
  assert.equal(await developer.getByRole('link', { name: 'c***@example.com' }).count(), 0)
  assert.equal(await developer.getByRole('link', { name: 'Customers' }).count(), 0)
})

slow('on a phone filters are folded, and a dialog’s action is above Go back', async (t) => {
  const page = await pageOf(t, 'owner')
  await open(page, 'transactions', 'Transactions')
  const fold = page.getByRole('button', { name: 'Filters' })
  await page.getByLabel('Status').waitFor()
  assert.equal(await fold.isVisible(), false)
  await page.setViewportSize({ width: 390, height: 844 })
  await fold.waitFor()
  assert.equal(await page.getByLabel('Status').isVisible(), false)
  assert.ok(await page.locator('.list tbody tr').first().isVisible())
  await fold.click()
  await page.getByLabel('Status').selectOption('PAID')
  await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
  await look(page, 'money-filters')

  await open(page, 'invoices?status=PENDING', 'Invoices')
  await page.locator('.list tbody tr a').first().click()
  await page.getByRole('button', { name: 'Cancel invoice' }).click()
  const dialog = page.getByRole('dialog')
  const top = async (name: string) =>
    (await dialog.getByRole('button', { name, exact: true }).boundingBox())?.y ?? assert.fail(name)
  assert.ok((await top('Cancel invoice')) < (await top('Go back')))
  assert.match((await dialog.locator('[type=submit]').getAttribute('class')) ?? '', /danger/)
  await look(page, 'money-dialog')
})

slow('a team member adds a note to a payment, and a colleague reads it', async (t) => {
  const page = await pageOf(t, 'support')
  const address = `transactions/${encodeURIComponent(later.transactionReference)}`
  await open(page, address, '₦12,500.00')
  await page.getByRole('button', { name: 'Add note' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note').fill('The customer called about delivery.')
  await dialog.getByRole('button', { name: 'Add note' }).click()
  await page.getByText('Note added.').waitFor()
  const colleague = await pageOf(t, 'finance')
  await open(colleague, address, '₦12,500.00')
  await colleague.getByText('The customer called about delivery.').waitFor()
  await look(colleague, 'money-notes')
})

test('a search for an account number opens its reserved account', async (t) => {
  const page = await pageOf(t, 'owner')
  await open(page, `search?text=${account.accounts[0]?.accountNumber}`, 'Reserved account')
  await page.getByRole('heading', { name: 'Account numbers' }).waitFor()
})

slow(
  'a search finds payments by name, part of a reference or amount, and disputes, links and sub accounts',
  async (t) => {
    const page = await pageOf(t, 'owner')
    const dispute = await openDispute(shop, later.transactionReference, { disputeAmount: 200 })
    const { linkReference } = await shop.call(contract.createPaymentLink, { body: aPaymentLink(shop) })
    const [subAccount] = await shop.call(contract.listSubAccounts, {})
    const odd = await anAccount(shop, { amount: 4_321.5, paymentReference: 'harvest-2026-000777' })
    await open(page, `search?text=${encodeURIComponent('chioma')}`, 'Search')
    await page.getByRole('cell', { name: 'Chioma Eze' }).first().waitFor()
    for (const text of ['2026-000777', '₦4,321.50', odd.paymentReference])
      await open(page, `search?text=${encodeURIComponent(text)}`, '₦4,321.50')
    await open(page, `search?text=${dispute.disputeReference}`, 'Dispute')
    await open(page, `search?text=${linkReference}`, 'Payment link')
    await open(page, `search?text=${subAccount?.subAccountCode}`, 'Sub account')
    const viewer = await aTeamMember(shop, 'viewer')
    const { found } = await viewer.call(contract.search, { query: { text: 'chioma' } })
    assert.deepEqual(found, [])
  },
)

slow('a search that stopped early says how far it got and continues from there', async (t) => {
  const page = await pageOf(t, 'owner')
  const { transactionReference } = await anAccount(shop, { amount: 8_642 })
  const searchedBackTo = new Date(shop.core.clock.now().getTime() + 60_000)
  // A search stops early only among many payments, so the first reply is made up.
  await page.route(/\/api\/search\?text=8642$/, (route) =>
    route.fulfill({
      json: { responseBody: { found: [], searchedBackTo } },
    }),
  )
  await open(page, 'search?text=8642', 'Search')
  await page.getByText(/^Nothing found back to \d+ \w+ \d{4}, [\d:]+ WAT\.$/).waitFor()
  await look(page, 'money-search-further')
  await page.getByRole('link', { name: 'Search further back' }).click()
  await page.getByRole('heading', { name: '₦8,642.00' }).waitFor()
  assert.ok(page.url().endsWith(encodeURIComponent(transactionReference)))
})

slow('a payment page says what is left or was overpaid', async (t) => {
  const page = await pageOf(t, 'owner')
  for (const [amount, fact] of [
    [2_000, /^Amount left\s*₦3,000\.00$/],
    [6_500, /^Overpaid by\s*₦1,500\.00$/],
  ] as const) {
    const account = await anAccount(shop, { amount: 5_000 })
    await pay(shop, account, amount)
    await open(page, `transactions/${encodeURIComponent(account.transactionReference)}`, '₦5,000.00')
    await page.locator('.facts > div').filter({ hasText: fact }).waitFor()
    assert.equal(await page.getByText(/^(Amount left|Overpaid by)$/).count(), 1)
  }
})

slow('invoices, mandates and links show how to pay them, and a link what was paid', async (t) => {
  const page = await pageOf(t, 'owner')
  await open(page, 'invoices', 'Invoices')
  await page.locator('.list tbody tr a').first().click()
  await page.getByText(/^\d{10}, .* [Bb]ank, /).waitFor()
  await page.getByRole('link', { name: 'Open payment page' }).waitFor()
  const pdf = await page.getByRole('link', { name: 'Open PDF' }).getAttribute('href')
  assert.equal((await fetch(pdf ?? '')).headers.get('content-type'), 'application/pdf')
  await open(page, 'mandates', 'Mandates')
  await page.locator('.list tbody tr a').first().click()
  await page.getByText('pay a token of').waitFor()
  await page.getByRole('link', { name: 'Open authorization page' }).waitFor()

  const link = await shop.call(contract.createPaymentLink, { body: aPaymentLink(shop) })
  const body = new URLSearchParams({ name: 'Ngozi Ade', email: 'ngozi@example.com' })
  const opened = await fetch(link.url, { method: 'POST', body, redirect: 'manual' })
  const params = { checkoutReference: checkoutReferenceOf(opened.headers.get('location') ?? '') }
  await open(page, `search?text=${link.linkReference}`, 'Payment link')
  await page.getByText('0 payments').waitFor()
  await page.getByRole('img', { name: 'The link as a QR code' }).waitFor()
  const { account } = await shop.call(contract.checkoutTransfer, { params, body: {} })
  await pay(shop, account ?? assert.fail(), 5_000)
  await page.getByText('1 payment', { exact: true }).waitFor()
  await page.getByRole('definition').filter({ hasText: '₦5,000.00' }).first().waitFor()
  await page.getByRole('row', { name: 'Ngozi Ade' }).getByRole('link').first().click()
  await page.getByRole('heading', { name: '₦5,000.00 Paid' }).waitFor()
})

slow('a list announces new and changed rows without moving, by live updates or by polling', async (t) => {
  for (const hasLiveUpdates of [true, false]) {
    const page = await newPage(t, DESK)
    // With live updates polling is switched off; without them it runs 100 times faster.
    await page.addInitScript((live) => {
      const every = globalThis.setInterval
      globalThis.setInterval = ((act: () => void, wait: number) =>
        live ? 0 : every(act, wait / 100)) as typeof setInterval
    }, hasLiveUpdates)
    if (!hasLiveUpdates) await page.route('**/dashboard/api/hints/*', () => {})
    const { cookie } = await aTeamMember(shop, 'viewer')
    const [name = '', value = ''] = cookie.split('=')
    await page.context().addCookies([{ name, value, url: shop.url }])
    await anAccount(shop)
    await page.goto(`${shop.url}/dashboard/transactions`)
    await page.locator('tbody tr').first().waitFor()
    const rows = await page.locator('tbody').innerText()
    const account = await anAccount(shop)
    await page.getByRole('button', { name: '1 new' }).waitFor()
    assert.equal(await page.locator('tbody').innerText(), rows)
    await page.getByRole('button', { name: '1 new' }).click()
    await until('the new row is shown', async () => (await page.locator('tbody').innerText()) !== rows)
    await pay(shop, account, 5_000)
    await page.getByRole('button', { name: '1 changed' }).click()
    await page.locator('tbody tr').first().getByText('Paid', { exact: true }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
})
