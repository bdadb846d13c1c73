import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { disputed } from '../../gateway/test/harness/dispute-samples.ts'
import { aMandate, daysAfter } from '../../gateway/test/harness/mandate-samples.ts'
import { aPerson } from '../../gateway/test/harness/person.ts'
import { refund } from '../../gateway/test/harness/refund-samples.ts'
import { aBatch, anAccount, anInvoice, anItem, aTransfer, pay, reserved } from '../../gateway/test/harness/samples.ts'
import { until } from '../../gateway/test/harness/wait.ts'
import { checkAccess, look, openSite, type Page } from './browser.ts'

const { shop, page: newPage } = await openSite()
const DESK = { viewport: { width: 1280, height: 800 } }
const DAY_SECONDS = 86_400

/** A browser in which somebody with a role is signed in. */
async function pageOf(t: Parameters<typeof newPage>[0], role: contract.Role): Promise<Page> {
  const page = await newPage(t, DESK)
  const { cookie } = await aPerson(shop, role)
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
const account = await reserved(shop)
await shop.call(contract.createInvoice, { body: anInvoice(shop, shop.core.clock.now()) })
const transfer = await aTransfer(shop)
await shop.call(contract.initiateTransfer, { body: transfer })
const later = await anAccount(shop, { amount: 12_500, ...customer })
await pay(shop, later, 12_500)
await oneOfEach()

/** What is in the lists that nothing else fills. */
async function oneOfEach(): Promise<void> {
  await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
  await shop.call(contract.createMandate, { body: aMandate(shop) })
  await disputed(shop, later.transactionReference, { disputeAmount: 1_000 })
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

test('every list and the page of what stands in it can be used by all, day and night, on desk and phone', async (t) => {
  const page = await pageOf(t, 'owner')
  await open(page, '', 'Welcome')
  await page.getByText('Collected in the last 30 days').waitFor()
  await page.getByText('As a table').click()
  await look(page, 'money-home')
  await open(page, 'payment-links', 'Payment links')
  await page.getByRole('button', { name: 'New link, paid often' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What it is for').fill('Church harvest')
  await look(page, 'money-new-link')
  await dialog.getByRole('button', { name: 'New link, paid often' }).click()
  await page.getByRole('cell', { name: 'Church harvest' }).waitFor()
  for (const [screen, title] of SCREENS) {
    await open(page, screen, title)
    const row = page.locator('.list tbody tr a').first()
    await row.or(page.locator('.nothing')).waitFor()
    assert.ok((await row.count()) > 0, `there are ${screen}`)
    await look(page, `money-${screen}`)
    if (screen === 'transactions' || screen === 'statement') continue
    await row.click()
    await page.locator('.facts').waitFor()
    await checkAccess(page, `one of ${screen}`)
  }
  await open(page, 'exports', 'Exports')
  await look(page, 'money-exports')
  await open(page, 'transfers/1', 'There is no such transfer')
})

test('a dispute is contested with words and a file, and both can be read again; its payment tells of it', async (t) => {
  const page = await pageOf(t, 'finance')
  await open(page, 'disputes', 'Disputes')
  await page.locator('.list tbody tr a').first().click()
  await page.getByRole('heading', { name: 'Contest it' }).waitFor()
  await look(page, 'money-contest')
  await page.getByRole('button', { name: 'Send the evidence' }).click()
  await page.getByText('Say why the payment was right.').waitFor()
  await page.getByLabel('Why the payment was right').fill('The courier’s receipt is signed.')
  const receipt = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n') }
  await page.getByLabel('Files that prove it').setInputFiles({ ...receipt, mimeType: 'text/plain', name: 'a.txt' })
  await page.getByRole('button', { name: 'Send the evidence' }).click()
  await page.getByText('a.txt is neither a PDF nor a PNG or JPEG picture.').waitFor()
  await page.getByLabel('Files that prove it').setInputFiles(receipt)
  await page.getByRole('button', { name: 'Send the evidence' }).click()
  await page.getByRole('heading', { name: 'What you said against it' }).waitFor()
  await page.getByText('receipt.pdf 1 kB').waitFor()
  await look(page, 'money-contested')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save' }).click()
  assert.equal((await saving).suggestedFilename(), 'receipt.pdf')
  await page.getByRole('link', { name: later.transactionReference }).click()
  await page.getByText('₦1,000.00 was disputed').waitFor()
})

test('support finds a payment by its account number, hears its whole story, sees no balance and moves no money', async (t) => {
  const page = await pageOf(t, 'support')
  await open(page, '', 'Welcome')
  await page.getByText('Collected today').waitFor()
  assert.equal(await page.getByText('Available in the wallet').count(), 0)
  await page.keyboard.press('/')
  await page.keyboard.type(paid.accountNumber)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '₦7,000.00' }).waitFor()
  for (const heading of ['What happened', 'Payments', 'Refunds', 'What your server was told', 'What was booked'])
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
  await page.getByText('Chioma Eze').first().waitFor()
  await look(page, 'money-story')
  assert.equal(await page.getByRole('button', { name: 'Refund' }).count(), 0)
  for (const screen of ['settlements', 'statement', 'new-transfer', 'new-batch', 'exports']) {
    await open(page, screen, 'Not for your role')
  }
  const support = await aPerson(shop, 'support')
  await support.refused(403, contract.browseStatement, { query: {} })
  await support.refused(403, contract.inDashboard(contract.initiateRefund), { body: {} })
  assert.equal((await support.call(contract.getOwnAccounts, {})).available, null)
})

test('a viewer sees figures and no payers, and changes nothing', async (t) => {
  const page = await pageOf(t, 'viewer')
  await open(page, '', 'Welcome')
  await page.getByText('Available in the wallet').waitFor()
  await open(page, 'transactions', 'Transactions')
  await page.getByRole('cell', { name: '₦7,000.00' }).waitFor()
  assert.equal(await page.getByText('Chioma Eze').count(), 0)
  await open(page, `transactions/${encodeURIComponent(paid.transactionReference)}`, '₦7,000.00')
  assert.equal(await page.getByText('Chioma Eze').count(), 0)
  for (const screen of ['invoices', 'sub-accounts', 'limit-profiles', 'reserved-accounts']) {
    await page.goto(`${shop.url}/dashboard/${screen}`)
    await page.locator('.list tbody tr').first().waitFor()
    assert.equal(await page.locator('main .acts :is(button, a)').count(), 0, screen)
  }
  for (const screen of ['transfers', 'approvals', 'keys', 'team', 'audit', 'exports', 'merchants', 'health'])
    await open(page, screen, 'Not for your role')
})

test('what a list is narrowed down to stands in the address, stays on reload, and is what is exported', async (t) => {
  const page = await pageOf(t, 'finance')
  await open(page, 'transactions', 'Transactions')
  await page.getByLabel('Amount from').fill('10000')
  await page.keyboard.press('Enter')
  await page.waitForURL(/amountFrom=10000/)
  await page.reload()
  assert.equal(await page.getByLabel('Amount from').inputValue(), '10000')
  await page.getByRole('cell', { name: '₦12,500.00' }).waitFor()
  assert.equal(await page.getByRole('cell', { name: '₦7,000.00' }).count(), 0)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export', exact: true }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  const rows = file.trim().split(/\r?\n/)
  assert.equal(rows.length, 2)
  assert.match(rows[1] ?? '', /12500/)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('cell', { name: '₦7,000.00' }).waitFor()
})

test('finance gives a payment back from its page', async (t) => {
  const page = await pageOf(t, 'finance')
  await open(page, `transactions/${encodeURIComponent(later.transactionReference)}`, '₦12,500.00')
  await page.getByRole('button', { name: 'Refund' }).click()
  await page.getByLabel('Amount in naira').fill('500')
  await page.getByLabel('Why').fill('Wrong size')
  await page.getByLabel('Note for the customer').fill('Sorry!')
  await look(page, 'money-refund')
  await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click()
  await page.getByText('The refund is on its way.').waitFor()
  await page.getByRole('cell', { name: 'Wrong size' }).waitFor()
})

test('a batch from a file shows the rows that cannot be sent, and goes once all can', async (t) => {
  const page = await pageOf(t, 'finance')
  await open(page, 'new-batch', 'New batch')
  const { destinationAccountNumber, destinationBankCode } = transfer
  const file = (rows: readonly string[]) => ({
    name: 'salaries.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['Account number;Bank code;Amount', ...rows].join('\n')),
  })
  const good = `${destinationAccountNumber};${destinationBankCode};1,500.50`
  await page.getByLabel('File').setInputFiles(file([good, '12;058;100', `${destinationAccountNumber};999999;100`]))
  await page.getByText('2 rows cannot be sent.').waitFor()
  await page.getByRole('cell', { name: 'The account number must have 10 digits' }).waitFor()
  await look(page, 'money-batch-wrong')
  await page.getByLabel('File').setInputFiles(file([good]))
  await page.getByLabel('Title').fill('Salaries')
  await page.getByLabel('For what').fill('Salary for March')
  await look(page, 'money-batch')
  await page.getByRole('button', { name: 'Send the batch' }).click()
  await page.getByRole('link', { name: 'Show them' }).waitFor()
  await page.getByRole('definition').filter({ hasText: '₦1,500.50' }).waitFor()
})

test('a transfer names its receiver before it is sent, and waits for approval', async (t) => {
  const page = await pageOf(t, 'finance')
  await open(page, 'new-transfer', 'New transfer')
  await page.getByLabel('Bank').selectOption(transfer.destinationBankCode)
  await page.getByLabel('Account number').fill(transfer.destinationAccountNumber)
  await page.getByLabel('Amount in naira').fill('2500')
  await page.getByLabel('For what').fill('Rent')
  await look(page, 'money-new-transfer')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('button', { name: 'Send' }).waitFor()
  await look(page, 'money-new-transfer-named')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Session id').waitFor()
  await page.getByText('Pending authorization').waitFor()
})

test('a reserved account is found by its number', async (t) => {
  const page = await pageOf(t, 'owner')
  await open(page, `search?text=${account.accounts[0]?.accountNumber}`, 'Reserved account')
  await page.getByRole('heading', { name: 'Numbers to pay into' }).waitFor()
})

test('what arrives is announced beside the title and moves nothing, by hints or, where none come through, by looking again', async (t) => {
  for (const isHeard of [true, false]) {
    const page = await newPage(t, DESK)
    // Where hints come, nobody looks again by the clock; where they are swallowed on the way, time passes quickly.
    await page.addInitScript((heard) => {
      const every = globalThis.setInterval
      globalThis.setInterval = ((act: () => void, wait: number) =>
        heard ? 0 : every(act, wait / 100)) as typeof setInterval
    }, isHeard)
    if (!isHeard) await page.route('**/dashboard/api/hints/*', () => {})
    const { cookie } = await aPerson(shop, 'viewer')
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
    await until('the new one is there', async () => (await page.locator('tbody').innerText()) !== rows)
    await pay(shop, account, 5_000)
    await page.getByRole('button', { name: '1 changed' }).click()
    await page.locator('tbody tr').first().getByText('Paid', { exact: true }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
})
