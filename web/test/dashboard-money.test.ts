import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { SEARCH_BOUNDS } from '../../gateway/src/platform/postgres/list-search.ts'
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
  aTransaction,
  aTransfer,
  CARDS,
  charge,
  checkoutReferenceOf,
  holderOf,
  openTransaction,
  pay,
  reserveAccount,
} from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aTeamMember, type UserOptions } from '../../gateway/test/harness/users.ts'
import { checkAccess, go, look, openSite, type Page, shows } from './browser.ts'

const { shop, page: newPage } = await openSite()
const DESK = { viewport: { width: 1280, height: 800 }, hasTouch: true }
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

slow('the chart’s figures are read by keyboard, touch and pointer', async (t) => {
  const page = await pageOf(t, 'owner')
  await open(page, '', 'Welcome')
  const slider = page.getByRole('slider', { name: 'Collections, last 30 days: day' })
  // Each of some dates ends below the right edge of its bar.
  const plot = (await page.locator('.plot svg').boundingBox()) ?? assert.fail()
  const dates = await page.locator('.plot .dates span').all()
  assert.equal(dates.length, 5)
  for (const [part, date] of dates.entries()) {
    await slider.fill(String((part + 1) * 6 - 1))
    const day = (await slider.getAttribute('aria-valuetext')) ?? ''
    assert.equal(await date.innerText(), day.split(':')[0])
    const box = (await date.boundingBox()) ?? assert.fail()
    assert.ok(Math.abs(box.x + box.width - plot.x - ((part + 1) * plot.width) / 5) < 2, day)
  }
  await page.setViewportSize({ width: 320, height: 800 })
  let end = 0
  for (const date of await page.locator('.plot .dates span').filter({ visible: true }).all()) {
    const { x, width } = (await date.boundingBox()) ?? assert.fail()
    assert.ok(x >= end, 'dates do not touch')
    end = x + width + 4
  }
  await page.setViewportSize(DESK.viewport)
  const today = (await slider.getAttribute('aria-valuetext')) ?? ''
  assert.match(today, /^\d+ \w+: ₦[\d,]+\.\d\d \(Bank transfer ₦[\d,.]+/)
  await page.getByText(today, { exact: true }).waitFor()
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  const yesterday = (await slider.getAttribute('aria-valuetext')) ?? ''
  assert.match(yesterday, /^\d+ \w+: ₦/)
  assert.notEqual(yesterday, today)
  await page.getByText(yesterday, { exact: true }).waitFor()
  const { x, y, width, height } = (await page.locator('.plot svg').boundingBox()) ?? assert.fail()
  await page.touchscreen.tap(x + width - 2, y + height / 2)
  await page.getByText(today, { exact: true }).waitFor()
  await page.mouse.move(x + width - (width / 30) * 1.5, y + height / 2)
  await page.getByText(yesterday, { exact: true }).waitFor()
})

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
    await page.locator('.facts').first().waitFor()
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
    const receipt = (await page.getByRole('link', { name: 'Receipt' }).getAttribute('href')) ?? ''
    assert.equal((await fetch(receipt)).headers.get('content-type'), 'application/pdf')
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
  await anAccount(shop, { amount: 11_000, paymentReference: '00012345678901' })
  const filled = Promise.withResolvers<void>()
  await page.route('**/lists/transactions*', (route) => filled.promise.then(() => route.continue()), { times: 1 })
  await open(page, 'transactions', 'Transactions')
  await page.getByLabel('Minimum amount').fill('10000')
  filled.resolve() // so that the list loads while the user types
  await page.getByRole('cell', { name: '₦7,000.00' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/amountFrom=10000/)
  await page.reload()
  assert.equal(await page.getByLabel('Minimum amount').inputValue(), '10000')
  await page.getByRole('cell', { name: '₦12,500.00' }).waitFor()
  assert.equal(await page.getByRole('cell', { name: '₦7,000.00' }).count(), 0)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export', exact: true }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  const [head = '', newest = '', row = '', ...others] = file.trim().split(/\r?\n/)
  assert.deepEqual(others, [])
  assert.match(row, /12500/)
  // Headings in words, Lagos time, and digits that a spreadsheet keeps.
  const titles = head.replace('\uFEFF', '').replaceAll('"', '').split(',')
  const cellOf = (title: string): string => newest.split(',')[titles.indexOf(title)] ?? assert.fail(title)
  assert.equal(cellOf('Payment reference'), '"=""00012345678901"""')
  const { items } = await (await aTeamMember(shop, 'finance')).call(contract.browseTransactions, {
    query: { amountFrom: 10_000 },
  })
  const lagos = new Date(Date.parse(items[0]?.createdOn ?? '') + 3_600_000).toISOString()
  assert.equal(cellOf('Created (WAT)'), `"${lagos.slice(0, 19).replace('T', ' ')}"`)
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
  await open(page, 'transactions', 'Transactions')
  await page.getByRole('row', { name: later.paymentReference }).getByText('Partially refunded').waitFor()
})

slow('a batch with failed transfers says so, with their number and sum', async (t) => {
  const page = await pageOf(t, 'finance')
  const good = anItem({ destinationAccountName: 'Ada Obi' })
  const bad = (amount: number) => anItem({ amount, destinationAccountNumber: '0000000000' })
  const partly = aBatch(shop, [good, bad(202_000.5), bad(3_000)], { title: 'Partly paid' })
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
  await page.getByRole('row', { name: /Partly failed Partly paid 3 2 \(₦205,000.50\)/ }).waitFor()
  await page.locator('.whole', { hasText: '(₦205,000.50)' }).waitFor()
  await look(page, 'money-batches-failed')
  await page.getByRole('link', { name: partly.batchReference }).click()
  await page.getByRole('heading', { name: 'Batch Partly failed' }).waitFor()
  await page.getByRole('definition').filter({ hasText: '2 (₦205,000.50)' }).waitFor()
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
  await page.getByLabel('Account number').fill('123')
  await page.getByLabel('Amount in naira').fill('2500')
  await page.getByLabel('Narration').fill('Rent')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Account number must be a 10-digit account number').waitFor()
  await page.getByLabel('Account number').fill(transfer.destinationAccountNumber)
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
  await charge(shop, await openTransaction(shop, { amount: 500, ...customer }), CARDS.success)
  await shop.call(contract.createInvoice, { body: anInvoice(shop, shop.core.clock.now(), customer) })
  await reserveAccount(shop, { ...customer, accountName: 'Chioma Stores' })
  await page.getByRole('link', { name: 'chioma@example.com' }).click()
  await page.getByRole('heading', { name: 'Chioma Eze', level: 1 }).waitFor()
  await page.getByText('₦20,000.00').waitFor()
  for (const section of ['Transactions', 'Refunds', 'Disputes', 'Mandates'])
    await page.getByRole('heading', { name: section, level: 2 }).waitFor()
  const section = (name: string) => page.getByRole('region', { name, exact: true })
  await section('Invoices').getByRole('cell', { name: '₦5,000.00' }).waitFor()
  await section('Reserved accounts').getByRole('cell', { name: 'Chioma Stores' }).waitFor()
  await section('Saved cards').getByRole('cell', { name: 'ending in 1111' }).waitFor()
  await look(page, 'money-customer')
  await page.getByRole('link', { name: 'All transactions' }).click()
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  await page.getByRole('cell', { name: 'Chioma Eze' }).first().getByRole('link').click()
  await page.getByRole('heading', { name: 'Chioma Eze', level: 1 }).waitFor()
  await open(page, `transactions/${encodeURIComponent(later.transactionReference)}`, '₦12,500.00')
  await page.getByRole('link', { name: 'chioma@example.com' }).click()
  await page.getByRole('heading', { name: 'Chioma Eze', level: 1 }).waitFor()
  await open(page, 'customers/unknown%40example.com', 'Customer not found')
  const finance = await pageOf(t, 'finance')
  for (const [screen, title] of [
    ['refunds', 'Refunds'],
    ['disputes', 'Disputes'],
    [`new-refunds?reference=${encodeURIComponent(later.transactionReference)}`, 'Refund payments'],
  ] as const) {
    await open(finance, screen, title)
    if (title !== 'Refund payments') await finance.locator('.list tbody tr a').first().click()
    await finance.getByRole('main').getByRole('link', { name: 'Chioma Eze' }).click()
    await finance.getByRole('heading', { name: 'Chioma Eze', level: 1 }).waitFor()
  }

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
  await page.locator('.list tbody tr').first().waitFor()
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
    await open(page, `search?text=${shop.credentials.walletAccountNumber}`, 'Wallet statement')
    const viewer = await aTeamMember(shop, 'viewer')
    const { found } = await viewer.call(contract.search, { query: { text: 'chioma' } })
    assert.deepEqual(found, [])
  },
)

slow('the search box suggests as you type; arrow keys choose, Enter opens, Escape closes', async (t) => {
  const transactionReference = await openTransaction(shop, { amount: 8_200, customerName: 'Ngozi Bello' })
  await charge(shop, transactionReference, CARDS.success)
  const page = await pageOf(t, 'owner')
  await open(page, '', 'Welcome')
  await page.keyboard.press('/')
  const box = page.getByRole('combobox', { name: 'Search' })
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
  for (const [text, option] of [
    ['chio', 'chioma@example.com Customer · Chioma Eze'],
    [later.paymentReference.slice(3, -3), later.transactionReference],
    ['₦12,500', '₦12,500.00'],
    ['1111', 'Transaction · Ngozi Bello · ₦8,200.00 · Paid'],
    [account.accounts[0]?.accountNumber ?? '', account.accountReference],
    [transfer.reference, 'Transfer'],
  ] as const) {
    await box.fill('')
    await box.pressSequentially(text)
    await options
      .filter({ hasText: option.replace(/^\S+@\S+ /, '') })
      .first()
      .waitFor()
    assert.equal(await box.getAttribute('aria-expanded'), 'true')
  }
  // An outdated response is never shown.
  await box.fill('')
  await options.first().waitFor({ state: 'detached' })
  await page.evaluate(`new MutationObserver(() => {
    window.hasShown ||= document.querySelector('.suggestions').innerText.includes('Chioma')
  }).observe(document.querySelector('.suggestions'), { subtree: true, childList: true })`)
  await page.route(/search\?text=chi&/, async (route) => {
    await until('the next text is typed', async () => (await box.inputValue()) === 'ngozi bel')
    await route.continue()
  })
  await box.pressSequentially('chi')
  await page.waitForRequest(/search\?text=chi&/)
  await box.fill('ngozi bel')
  await options.filter({ hasText: 'Ngozi Bello' }).first().waitFor()
  assert.notEqual(await page.evaluate('window.hasShown'), true)
  await look(page, 'money-search-suggestions')
  await page.keyboard.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  assert.equal(await box.inputValue(), 'ngozi bel')
  await box.press('l')
  await options.first().waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const active = await box.getAttribute('aria-activedescendant')
  assert.equal(await page.locator('.suggestions [aria-selected=true]').getAttribute('id'), active)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '₦8,200.00', level: 1 }).waitFor()

  // Without a chosen suggestion, Enter searches.
  await box.fill('ngozi')
  await options.first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor()
  await options.first().waitFor({ state: 'detached' })

  // Suggestions that arrive after that are not shown.
  let isReleased = false
  await page.route(/search\?text=bello&size/, async (route) => {
    await until('the results are shown', async () => isReleased)
    await route.continue()
  })
  const late = page.waitForRequest(/search\?text=bello&size/)
  await box.fill('bello')
  const response = (await late).response()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Ngozi Bello' }).first().waitFor()
  isReleased = true
  await response
  await page.evaluate('new Promise(requestAnimationFrame)')
  assert.equal(await options.count(), 0)

  const viewer = await pageOf(t, 'viewer')
  await open(viewer, '', 'Welcome')
  await viewer.getByLabel('Search', { exact: true }).fill('8,200')
  await viewer.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first().waitFor()
  assert.equal(await viewer.getByText('Ngozi').count(), 0)
})

slow('a recipient that was paid before is chosen by name; the bank checks the name again', async (t) => {
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const { reference } = await shop.call(contract.initiateTransfer, {
    body: await aTransfer(shop, { destinationAccountNumber: '0223456780' }),
  })
  await until('it is paid', async () => {
    const { status } = await shop.call(contract.getTransfer, { query: { reference } })
    return status === 'SUCCESS'
  })
  const name = await holderOf(shop, '0223456780')
  const page = await pageOf(t, 'finance', { secondFactor: 'fresh' })
  await open(page, 'new-transfer', 'New transfer')
  const field = page.getByRole('combobox', { name: 'Find an earlier recipient (optional)' })
  await page.getByLabel('Narration').fill('Rent again')
  await field.pressSequentially(name.slice(0, 6).toLowerCase())
  await page.getByRole('option', { name }).waitFor()
  await look(page, 'money-recipients')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await page.getByLabel('Account number', { exact: true }).inputValue(), '0223456780')
  assert.equal(await page.getByLabel('Narration').inputValue(), 'Rent again')
  await page.getByLabel('Amount in naira').fill('2,000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: `Send ₦2,000.00 to ${name}?` }).waitFor()
  // Chosen again, it replaces an account number that was changed by hand, and nothing else.
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByLabel('Account number', { exact: true }).fill('0123456789')
  await field.pressSequentially(name.slice(0, 6).toLowerCase())
  await page.getByRole('option', { name }).click()
  assert.equal(await page.getByLabel('Account number', { exact: true }).inputValue(), '0223456780')
  assert.equal(await page.getByLabel('Narration').inputValue(), 'Rent again')
  assert.equal(await page.getByLabel('Amount in naira').inputValue(), '2000.00')
})

slow('a payment page says what is left or was overpaid, and what to copy', async (t) => {
  const page = await pageOf(t, 'owner')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = async (name: string): Promise<string> => {
    await shows(page, 'Copied', () => page.getByRole('button', { name, exact: true }).click())
    return page.evaluate<string>('navigator.clipboard.readText()')
  }
  for (const [amount, fact] of [
    [2_000, /^Amount left\s*₦3,000\.00$/],
    [6_500, /^Overpaid by\s*₦1,500\.00$/],
  ] as const) {
    const account = await anAccount(shop, { amount: 5_000 })
    await pay(shop, account, amount)
    await open(page, `transactions/${encodeURIComponent(account.transactionReference)}`, '₦5,000.00')
    await page.locator('.facts > div').filter({ hasText: fact }).waitFor()
    assert.equal(await page.getByText(/^(Amount left|Overpaid by)$/).count(), 1)
    assert.equal(await copied('Copy transaction reference'), account.transactionReference)
    if (amount === 2_000) {
      assert.match(await copied('Copy link to the payment page'), /^http\S+\/checkout\//)
      await look(page, 'money-payment-open')
    } else assert.equal(await page.getByRole('heading', { name: 'Payment page' }).count(), 0)
  }
  const { payments } = await (await aTeamMember(shop, 'owner')).call(contract.getTransactionTimeline, {
    params: { transactionReference: paid.transactionReference },
  })
  await open(page, `transactions/${encodeURIComponent(paid.transactionReference)}`, '₦7,000.00')
  assert.equal(await copied('Copy session id'), payments[0]?.sessionId)
  const [bank] = account.accounts
  await open(page, `search?text=${bank?.accountNumber}`, 'Reserved account')
  assert.equal(await copied('Copy account number'), bank?.accountNumber)
})

slow('invoices, mandates and links show how to pay them, and a link what was paid', async (t) => {
  const page = await pageOf(t, 'owner')
  await open(page, 'invoices', 'Invoices')
  await page.locator('.list tbody tr a').first().click()
  await page.getByRole('row', { name: /[Bb]ank \d{10} / }).waitFor()
  await page.getByRole('link', { name: 'Open payment page' }).waitFor()
  const pdf = await page.getByRole('link', { name: 'Open PDF' }).getAttribute('href')
  assert.equal((await fetch(pdf ?? '')).headers.get('content-type'), 'application/pdf')
  await open(page, 'mandates', 'Mandates')
  await page.locator('.list tbody tr a').first().click()
  await page.getByText('pay a token of').waitFor()
  await page.getByRole('link', { name: 'Open authorization page' }).waitFor()

  // Chromium on a desktop cannot share.
  await page.addInitScript('navigator.share = async (link) => void (window.shared = link)')
  const link = await shop.call(contract.createPaymentLink, { body: aPaymentLink(shop) })
  const body = new URLSearchParams({ name: 'Ngozi Ade', email: 'ngozi@example.com' })
  const opened = await fetch(link.url, { method: 'POST', body, redirect: 'manual' })
  const params = { checkoutReference: checkoutReferenceOf(opened.headers.get('location') ?? '') }
  await open(page, `search?text=${link.linkReference}`, 'Payment link')
  await page.getByText('0 payments').waitFor()
  await page.getByRole('img', { name: 'The link as a QR code' }).waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await shows(page, 'Copied', () => page.getByRole('button', { name: 'Copy link' }).click())
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), link.url)
  await page.getByRole('button', { name: 'Share link' }).click()
  assert.deepEqual(await page.evaluate('window.shared'), { title: link.title, url: link.url })
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
    // With live updates polling is switched off; without them it runs ten times faster.
    await page.addInitScript((live) => {
      const every = globalThis.setInterval
      globalThis.setInterval = ((act: () => void, wait: number) =>
        live && wait === 20_000 ? 0 : every(act, wait / 10)) as typeof setInterval
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

slow('a search that stopped early says how far it got and continues from there', async (t) => {
  const page = await pageOf(t, 'owner')
  const { transactionReference } = await anAccount(shop, { amount: 8_642.75 })
  // The first step reads the newest 250 payments, and without time there is no second one.
  for (const payments of [125, 130]) {
    await shop.advance(10)
    const body = () => aTransaction(shop)
    await Promise.all(Array.from({ length: payments }, () => shop.call(contract.initTransaction, { body: body() })))
  }
  const { milliseconds } = SEARCH_BOUNDS
  t.after(() => Object.assign(SEARCH_BOUNDS, { milliseconds }))
  Object.assign(SEARCH_BOUNDS, { milliseconds: 0 })
  await open(page, 'search?text=8642.75', 'Search')
  await page.getByText(/^Nothing found back to \d+ \w+ \d{4}, [\d:]+ WAT\.$/).waitFor()
  await look(page, 'money-search-further')
  await page.getByRole('link', { name: 'Search further back' }).click()
  await page.getByRole('heading', { name: '₦8,642.75' }).waitFor()
  assert.ok(page.url().endsWith(encodeURIComponent(transactionReference)))
})

slow('editing a limit profile begins with its limits', async (t) => {
  const limits = { singleTransactionValue: 1_000, dailyTransactionValue: 2_500.5, dailyTransactionVolume: 4 }
  await shop.call(contract.createLimitProfile, { body: { limitProfileName: 'Shop floor', ...limits } })
  const page = await pageOf(t, 'owner')
  await open(page, 'limit-profiles', 'Limit profiles')
  await page.getByRole('link', { name: 'Shop floor' }).click()
  await page.getByRole('button', { name: 'Edit limit profile' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit limit profile' })
  const values = ['Name', 'Maximum per payment', 'Maximum per day', 'Maximum number of payments per day'].map((label) =>
    dialog.getByLabel(label).inputValue(),
  )
  assert.deepEqual(await Promise.all(values), ['Shop floor', '1000', '2500.5', '4'])
  await dialog.getByLabel('Maximum number of payments per day').fill('5')
  await dialog.getByRole('button', { name: 'Edit limit profile' }).click()
  await page.getByText('Limit profile updated.').waitFor()
})
