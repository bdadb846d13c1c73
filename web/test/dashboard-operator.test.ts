import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import { setTable } from '../../gateway/src/core/routing/index.ts'
import { findPersonByEmail } from '../../gateway/src/core/sessions/index.ts'
import { unitOfWork } from '../../gateway/src/core/unit-of-work.ts'
import { createLink, linkAddress } from '../../gateway/src/features/sign-in/index.ts'
import { dayText, lagosDay, lagosMoment } from '../../gateway/src/kernel/dates.ts'
import { kobo } from '../../gateway/src/kernel/money.ts'
import { openDispute } from '../../gateway/test/harness/dispute-samples.ts'
import type { TestGateway } from '../../gateway/test/harness/gateway.ts'
import { aConflict, anUnresolvedTransfer, aWaitingReturn, codeOf } from '../../gateway/test/harness/operator-samples.ts'
import { paid } from '../../gateway/test/harness/refund-samples.ts'
import { anAccount, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { commandsFor, gatewayOf, reportCreditFrom, testBank } from '../../gateway/test/harness/test-banks.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { anOperator, totpCode } from '../../gateway/test/harness/users.ts'
import { dayText as shown } from '../ui/dates.ts'
import { naira } from '../ui/money.ts'
import { ELSEWHERE, look, openFromMenu, openSite, type Page, tabTo } from './browser.ts'

const { shop, page: newPage } = await openSite({ env: { KOBO_FLOAT_MINIMUM: 'simulated=900000000' } })
const DESK = { viewport: { width: 1280, height: 800 } }
const code = await codeOf(shop)

/** The dashboard, signed in as an operator with a role. */
async function as(t: TestContext, role: contract.OperatorRole, at: TestGateway = shop): Promise<Page> {
  const page = await newPage(t, DESK)
  if (at !== shop) ELSEWHERE.add(at.url)
  const { cookie } = await anOperator(at, role)
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url: at.url }])
  await page.goto(`${at.url}/dashboard`)
  await page.getByRole('heading', { name: `Welcome, Test ${role}` }).waitFor()
  return page
}

const open = async (page: Page, name: string): Promise<void> => {
  await openFromMenu(page, name)
  await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
}

/** Opens the first row of a list. */
const openFirst = async (page: Page): Promise<void> => {
  await page.locator('.list tbody tr a').first().click()
  await page.locator('.facts').first().waitFor()
}

/** A second operator with an authenticator, signed in by a link; returns their id and code generator. */
async function secondOperator(page: Page): Promise<{ readonly personId: bigint; readonly code: () => string }> {
  const email = 'second-operator@example.com'
  const { token } = await unitOfWork(shop.core, (unit) =>
    createLink(unit, { kind: 'INVITATION', email, role: 'operator', at: shop.core.wall.now() }),
  )
  await page.goto(linkAddress(shop.url, token))
  await page.getByLabel('Your name').fill('Second Operator')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Welcome, Second Operator' }).waitFor()
  await page.getByRole('link', { name: 'Set one up' }).click()
  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  const secret = (await page.locator('.key').innerText()).replaceAll(' ', '')
  const from = shop.core.wall.now()
  await page.getByLabel('Code from the app').fill(totpCode(secret, from))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Save these backup codes').waitFor()
  const person = await findPersonByEmail(shop.db, email)
  return { personId: person?.id ?? assert.fail(), code: () => totpCode(secret, new Date(from.getTime() + 30_000)) }
}

slow('an operator requests a permission, and only a second one can approve it, with a second factor', async (t) => {
  const page = await as(t, 'operator')
  await open(page, 'Merchants')
  await look(page, 'operator-merchants')
  await page.getByRole('link', { name: 'Demo Shop' }).click()
  await page.getByRole('heading', { name: 'Permissions' }).waitFor()
  await page.getByText('Collected in the last 30 days').waitFor()
  await page.getByRole('button', { name: 'Suspend', exact: true }).click()
  await page.getByRole('dialog', { name: 'Suspend' }).locator('.danger').getByText('Suspend').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await look(page, 'operator-merchant')
  await page.getByRole('button', { name: 'Change permissions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change permissions' })
  await dialog.getByLabel('Bills').check()
  await dialog.getByLabel('Reason').fill('their contract of March')
  await look(page, 'operator-permissions')
  await dialog.getByRole('button', { name: 'Change permissions' }).click()
  await page.getByText('Requested. It takes effect once another operator approves it').waitFor()
  await open(page, 'Changes to approve')
  await look(page, 'operator-changes')
  await page.getByRole('link', { name: 'Grant permissions: bills' }).click()
  await page.getByRole('button', { name: 'Withdraw' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)

  const second = await newPage(t, DESK)
  const { personId, code: next } = await secondOperator(second)
  await second.goto(`${shop.url}/dashboard`)
  await second.getByRole('link', { name: '1 change waiting for approval' }).click()
  await second.getByRole('link', { name: 'Grant permissions: bills' }).click()
  await second.getByRole('button', { name: 'Approve' }).click()
  await second.getByRole('dialog', { name: 'Approve' }).getByText('Grant permissions: bills').waitFor()
  await look(second, 'operator-change')
  await shop.db`update session set second_factor_at = second_factor_at - interval '10 minutes' where person_id = ${personId}`
  await second.getByRole('dialog', { name: 'Approve' }).getByRole('button', { name: 'Approve' }).click()
  await second.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
  await second.getByLabel('Code').fill(next())
  await second.getByRole('button', { name: 'Confirm' }).click()
  await second.getByText('Change approved.').waitFor()
  const { permissions } = await shop.call(contract.getMerchantSettings, {})
  assert.equal(permissions.bills, true)
})

slow('an operator creates a merchant, requests its price and settlement account, and suspends it', async (t) => {
  const page = await as(t, 'operator')
  await open(page, 'Merchants')
  await page.getByRole('button', { name: 'Create merchant' }).click()
  await page.getByLabel('Business name').fill('Ada’s Books')
  await page.getByLabel('Owner’s email address').fill('ada@books.example')
  await look(page, 'operator-new-merchant')
  await page.getByRole('dialog').getByRole('button', { name: 'Create merchant' }).click()
  await page.getByText('Merchant created.').waitFor()
  await page.getByRole('link', { name: 'Ada’s Books' }).click()
  await page.getByText('Invited as owner until').waitFor()
  assert.equal(await page.getByText('Mail', { exact: true }).count(), 0, 'a setting of the sandbox')
  await page.getByRole('button', { name: 'Set price' }).click()
  const price = page.getByRole('dialog', { name: 'Set price' })
  await price.getByLabel('Percent').fill('1.2')
  await price.getByLabel('Maximum in naira').fill('1500')
  await price.getByLabel('Reason').fill('agreed by mail')
  await look(page, 'operator-price')
  await price.getByRole('button', { name: 'Set price' }).click()
  await page.getByText('Requested.').waitFor()
  await page.getByRole('button', { name: 'Change settlement account' }).click()
  const settle = page.getByRole('dialog', { name: 'Change settlement account' })
  await settle.getByLabel('Destination').selectOption('BANK')
  await settle.getByLabel('Bank', { exact: true }).selectOption('058')
  await settle.getByLabel('Account number').fill('0123456789')
  await settle.getByLabel('Account name').fill('ADA BOOKS')
  await settle.getByLabel('Reason').fill('agreed by mail')
  await settle.getByRole('button', { name: 'Change settlement account' }).click()
  await page.getByRole('link', { name: 'Requested changes' }).click()
  await page.getByText('settlementDestination: BANK').waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('their bank asked for it')
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await page.getByText('Merchant suspended.').waitFor()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
})

let imported: Promise<void> | undefined
/** Imports, once, a statement with a fee and a credit that were not reported, and without entries of the ledger. */
function aStatementThatDisagrees(): Promise<void> {
  imported ??= importStatement()
  return imported
}

async function importStatement(): Promise<void> {
  const { prints } = commandsFor(shop)
  const number = '0123456789'
  const bank = testBank(number, shop)
  const today = lagosDay(shop.core.clock.now())
  await prints('statement', 'account', 'simulated', '--number', number, '--from', dayText(today), '--opening', '0')
  bank.addLine({ amount: kobo(-10_000n), bankReference: 'SMS', narration: 'SMS ALERTS OF THE DAY', isFee: true })
  bank.addLine({ amount: kobo(660_000n), bankReference: 'SESSION-MISSED', narration: 'NIP FROM ADA OBI' })
  await prints('statement', 'import', 'simulated', bank.write(today))
}

slow('two operators resolve a reconciliation exception, by keyboard only', async (t) => {
  await aStatementThatDisagrees()
  const [one, two] = [await as(t, 'operator'), await as(t, 'operator')]
  for (const page of [one, two]) {
    await tabTo(page, 'Reconciliation')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Exceptions' }).waitFor()
  }
  await look(one, 'operator-reconciliation')
  const fee = one.getByRole('row', { name: 'Fee that the ledger does not expect' }).getByRole('link')
  const address = await fee.getAttribute('href')
  await fee.focus()
  await one.keyboard.press('Enter')
  await tabTo(one, 'Book as cost')
  await one.keyboard.press('Enter')
  await one.getByRole('dialog', { name: 'Book as cost' }).waitFor()
  await one.keyboard.type('their price list')
  await one.keyboard.press('Enter')
  await one.getByText('Resolution proposed. A second operator has to confirm it.').waitFor()
  await look(one, 'operator-exception')

  await two.goto(`${shop.url}${address}`)
  await tabTo(two, 'Confirm: book as cost')
  await two.keyboard.press('Enter')
  await two.getByRole('dialog', { name: 'Confirm: book as cost' }).waitFor()
  await two.keyboard.type('their price list')
  await look(two, 'operator-exception-confirm')
  await two.keyboard.press('Enter')
  await two.getByRole('heading', { name: 'Exception resolved' }).waitFor()
})

slow('a confirmed credit offers no decision while it is being received, and shows when it is over', async (t) => {
  await aStatementThatDisagrees()
  const page = await as(t, 'operator')
  let state = 'CREDITING'
  await page.route('**/api/operator/reconciliation', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    await route.fulfill({ response, body: text.replaceAll('"state":"OPEN"', `"state":"${state}"`) })
  })
  await open(page, 'Reconciliation')
  await page.getByRole('row', { name: 'Credit without a notification from the bank' }).getByRole('link').click()
  await page.getByRole('heading', { name: 'Crediting' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Receive as credit' }).count(), 0)
  state = 'OPEN'
  await page.getByRole('button', { name: 'Receive as credit' }).waitFor()
})

slow('an operator uploads a statement, sees what matched, explains the rest and closes the day', async (t) => {
  const own = await gatewayOf(t, ['wema'])
  const { prints } = commandsFor(own)
  const today = lagosDay(own.core.clock.now())
  await prints('statement', 'account', 'wema', '--number', '0123456780', '--from', dayText(today), '--opening', '0')
  const bank = testBank('0123456780', own)
  for (const [railReference, naira] of [['SESSION-1', 5_000] as const, ['SESSION-LATE', 700] as const]) {
    const { accountNumber, bankCode } = await anAccount(own, { amount: naira })
    await reportCreditFrom(own, 'wema', { railReference, bankCode, accountNumber, amount: naira * 100 })
  }
  bank.addLine({ amount: kobo(500_000n), bankReference: 'SESSION-1', narration: 'NIP FROM ADA OBI' })
  const file = bank.write(today)
  await own.advance(Math.ceil((lagosMoment(today + 1, 61).getTime() - own.core.clock.now().getTime()) / 1_000))

  const shownDay = shown(dayText(today))
  const page = await as(t, 'operator', own)
  await open(page, 'Reconciliation')
  await page.getByRole('link', { name: 'wema' }).click()
  await page.getByText(`${shownDay}: the statement of ${shownDay} is missing`).waitFor()
  await page.getByRole('button', { name: 'Import statement' }).click()
  const upload = page.getByRole('dialog', { name: 'Import statement' })
  await upload.getByLabel('Statement').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('no') })
  await upload.getByRole('button', { name: 'Import statement' }).click()
  await upload.getByRole('alert').getByText(/./).waitFor()
  await look(page, 'operator-import')
  await upload.getByLabel('Statement').setInputFiles(file)
  await upload.getByRole('button', { name: 'Import statement' }).click()
  await page.getByText('Imported 1 new line: 1 matched, 1 exception to review.').waitFor()
  await page.getByRole('cell', { name: 'Not in the bank’s statement' }).waitFor()

  await page.getByRole('button', { name: 'Close days' }).click()
  const close = page.getByRole('dialog', { name: 'Close days' })
  await close.getByRole('button', { name: 'Close days' }).click()
  await close.getByText(/one exception is neither decided nor explained/).waitFor()
  await look(page, 'operator-close-day')
  await close.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('row', { name: 'Not in the bank’s statement' }).getByRole('link').click()
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByLabel('Explanation').fill('the bank books it tomorrow')
  await page.getByRole('dialog').getByRole('button', { name: 'Explain' }).click()
  await page.getByText('Explained.', { exact: true }).waitFor()
  await look(page, 'operator-explained')
  await page.goto(`${own.url}/dashboard/reconciliation/wema`)
  await page.getByText(`${shownDay}: ready`).waitFor()
  await page.getByRole('button', { name: 'Close days' }).click()
  await close.getByRole('button', { name: 'Close days' }).click()
  await page.getByText('Day closed.').waitFor()
  await page.getByRole('heading', { name: 'Closed days' }).waitFor()
  await page.getByRole('cell', { name: file.split('/').at(-1) ?? '' }).waitFor()
  await look(page, 'operator-partner')
})

slow('the operator’s home counts exceptions, unknown outcomes and disputes due; lists name the merchant', async (t) => {
  await aStatementThatDisagrees()
  await anUnresolvedTransfer(shop, 2_000) // of an amount other than below: the same would look like a repetition
  await aConflict(shop, 'FT-NAMED')
  await openDispute(shop, await paid(shop, 5_000), { disputeType: 'RECALL' })
  const page = await as(t, 'auditor')
  await page.getByRole('link', { name: /reconciliation exceptions?$/ }).waitFor()
  await page.getByRole('link', { name: /\d unknown outcomes?$/ }).waitFor()
  await page.getByRole('link', { name: /disputes? due within three days$/ }).waitFor()
  await page.getByRole('link', { name: 'The ledger was never verified' }).waitFor()
  await page.getByText('Collected today, all merchants').waitFor()
  for (const list of ['Conflicting credits', 'Unknown outcomes']) {
    await open(page, list)
    await page.getByRole('cell', { name: 'Demo Shop' }).first().waitFor()
  }
  await openFirst(page)
  await page.locator('.facts').getByRole('link', { name: 'Demo Shop' }).waitFor()
})

slow('an auditor finds a payment of a merchant by its reference', async (t) => {
  const reference = await paid(shop, 5_000)
  const page = await as(t, 'auditor')
  await open(page, 'Payments')
  await page.getByText('Find a payment', { exact: true }).waitFor()
  assert.ok(((await page.getByLabel('Reference').boundingBox())?.width ?? 0) > 400, 'a whole reference can be read')
  await look(page, 'operator-payments')
  await page.getByLabel('Reference').fill(reference)
  await page.getByLabel('Reference').press('Enter')
  await page.getByRole('link', { name: reference }).click()
  await page.locator('.facts').getByText('ada@example.com').waitFor()
  await look(page, 'operator-payment')
})

slow('an auditor sees every operator screen and can change nothing', async (t) => {
  await aStatementThatDisagrees()
  await anUnresolvedTransfer(shop)
  await aWaitingReturn(shop, 'FT-RETURN')
  await aConflict(shop, 'FT-CONFLICT')
  // No server listens there.
  await shop.call(contract.changeSettings, { body: { webhookUrl: 'http://127.0.0.1:1/' } })
  await pay(shop, await anAccount(shop, { amount: 4_200 }), 4_200)
  await openDispute(shop, await paid(shop, 5_000))
  await until('an event waits', async () => {
    const [row] = await shop.db`select from event where status = 'WAITING'`
    return row !== undefined
  })
  await shop.db`update webhook_endpoint set paused_at = now() where merchant_id = ${shop.merchantId}`
  const rule = { name: 'large', when: { amountFrom: 5_000 }, use: ['simulated'] }
  const routes = { 'transfer/send': { rules: [rule], otherwise: ['simulated'] } }
  await setTable(shop.core, { routes, basedOn: undefined, by: { actor: 'gateway' } })

  const page = await as(t, 'auditor')
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
  await look(page, 'operator-home')
  await open(page, 'Unknown outcomes')
  await look(page, 'operator-orders')
  await openFirst(page)
  await look(page, 'operator-order')
  await open(page, 'Suspense')
  await look(page, 'operator-suspense')
  await openFirst(page)
  await look(page, 'operator-suspended')
  await open(page, 'Conflicting credits')
  await look(page, 'operator-conflicts')
  await openFirst(page)
  await look(page, 'operator-conflict')
  await open(page, 'Disputes')
  await look(page, 'operator-disputes')
  await openFirst(page)
  await look(page, 'operator-dispute')
  await open(page, 'Reconciliation')
  await page.getByText('Credit without a notification from the bank').waitFor()
  await page
    .getByRole('row', { name: 'Credit without a notification from the bank' })
    .first()
    .getByRole('link')
    .first()
    .click()
  await page.getByRole('heading', { name: 'Bank statement lines' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Book as cost' }).count(), 0)
  await open(page, 'Deliveries')
  await page.getByRole('heading', { name: 'Paused webhook endpoints' }).waitFor()
  await look(page, 'operator-deliveries')
  await page.getByRole('link', { name: 'SUCCESSFUL_TRANSACTION' }).first().click()
  await page.locator('.facts').first().waitFor()
  await look(page, 'operator-delivery')
  await open(page, 'Partners and routing')
  await page.getByLabel('Amount in naira').fill('100')
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByText('Skipped rule large: it is below 5000 naira.').waitFor()
  await look(page, 'operator-routing')
  await open(page, 'Health')
  await page.getByRole('heading', { name: 'Nodes' }).waitFor()
  await look(page, 'operator-health')
  await open(page, 'Operators')
  await look(page, 'operator-operators')
  await openFirst(page)
  await look(page, 'operator-operator')
  await open(page, 'Audit log')
  await look(page, 'operator-audit')
  await openFirst(page)
  await look(page, 'operator-act')
  for (const path of [`merchants/${code}`, 'merchants', 'suspense', 'operators']) {
    await page.goto(`${shop.url}/dashboard/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.locator('main .actions button').count(), 0, path)
  }
  await page.goto(`${shop.url}/dashboard/transactions`)
  await page.getByRole('heading', { name: 'You don’t have access' }).waitFor()
})

slow('an auditor sees what each partner holds, its minimum, what is owed and whether it is covered', async (t) => {
  await pay(shop, await anAccount(shop, { amount: 4_200 }), 4_200)
  const { code: exit, stderr } = await commandsFor(shop).run('ledger', 'verify')
  assert.equal(exit, 0, stderr)
  const page = await as(t, 'auditor')
  await page.getByRole('link', { name: '1 partner below the minimum' }).waitFor()
  await open(page, 'Float')
  const row = page.getByRole('region', { name: 'Partners' }).getByRole('row').filter({ hasText: 'simulated' })
  await row.getByText('Below minimum').waitFor()
  await row.getByText('₦900,000,000.00').waitFor()
  const { partners, surplus, owed } = await (await anOperator(shop, 'auditor')).call(contract.getFloat, {})
  const held = partners.find(({ partner }) => partner === 'simulated')?.held ?? 0
  assert.ok(held >= 4_200 && surplus >= 0, `${held}, ${surplus}`)
  await row.getByText(naira(held)).first().waitFor()
  await page
    .locator('.figure')
    .filter({ hasText: 'Surplus' })
    .getByText(/^Ledger verified /)
    .waitFor()
  for (const { amount } of owed)
    await page.getByRole('region', { name: 'Owed' }).getByText(naira(amount)).first().waitFor()
  await look(page, 'operator-float')
})

slow('an operator invites another, a second approves it, and the invited operator signs in', async (t) => {
  const page = await as(t, 'operator')
  await open(page, 'Operators')
  await page.getByRole('button', { name: 'Invite operator' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite operator' })
  await dialog.getByLabel('Email address').fill('chi@operator.example')
  await dialog.getByLabel('Role').selectOption('auditor')
  await dialog.getByLabel('Reason').fill('audits the year')
  await look(page, 'operator-invitation')
  await dialog.getByRole('button', { name: 'Invite operator' }).click()
  await page.getByText('Requested. It takes effect once another operator approves it').waitFor()

  const second = await as(t, 'operator')
  await second.goto(`${shop.url}/dashboard/changes`)
  await second.getByRole('link', { name: 'chi@operator.example is invited as auditor' }).click()
  await second.getByRole('button', { name: 'Approve' }).click()
  await second.getByRole('dialog', { name: 'Approve' }).getByRole('button', { name: 'Approve' }).click()
  await second.getByText('Change approved.').waitFor()
  const [mail] = await shop.db<{ text: string }[]>`
    select text from sandbox_mail where recipient = 'chi@operator.example'`
  const link = /https?:\S+/.exec(mail?.text ?? '')?.[0] ?? assert.fail('the link is mailed')
  const invited = await newPage(t, DESK)
  await invited.goto(link)
  await invited.getByLabel('Your name').fill('Chi')
  await invited.getByLabel('Password').fill('correct horse battery')
  await invited.getByRole('button', { name: 'Continue' }).click()
  await invited.getByRole('heading', { name: 'Welcome, Chi' }).waitFor()

  await page.goto(`${shop.url}/dashboard/operators`)
  await page.getByRole('link', { name: 'chi@operator.example' }).click()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('dialog', { name: 'Disable' }).getByLabel('Reason').fill('the year is audited')
  await page.getByRole('dialog', { name: 'Disable' }).getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Requested. It takes effect once another operator approves it').waitFor()
  await second.goto(`${shop.url}/dashboard/changes`)
  await second.getByRole('link', { name: 'chi@operator.example is no longer auditor' }).click()
  await second.getByRole('button', { name: 'Approve' }).click()
  await second.getByRole('dialog', { name: 'Approve' }).getByRole('button', { name: 'Approve' }).click()
  await second.getByText('Change approved.').waitFor()
  await invited.goto(`${shop.url}/dashboard/operators`)
  await invited.getByRole('heading', { name: 'Sign in' }).waitFor()
})

slow('two operators record an order’s outcome, and it is concluded', async (t) => {
  const reference = (
    await shop.db<{ reference: string }[]>`select reference from rail_order where state = 'UNRESOLVED'`
  )[0]?.reference
  const page = await as(t, 'operator')
  const decide = async (by: Page, button: string): Promise<void> => {
    await by.goto(`${shop.url}/dashboard/orders/${encodeURIComponent(reference ?? '')}`)
    await by.getByRole('button', { name: button }).click()
    const dialog = by.getByRole('dialog')
    await dialog.getByLabel('Session id').fill('000013260301100000123456789012')
    await dialog.getByLabel('How you know').fill('the bank’s desk said so')
    await dialog.getByRole('button', { name: button }).click()
  }
  await decide(page, 'Mark as succeeded')
  await page.getByText('Outcome proposed. A second operator has to confirm it.').waitFor()
  const other = await as(t, 'operator')
  await decide(other, 'Confirm: succeeded')
  await other.getByText('Outcome confirmed.').waitFor()
  await until('it is concluded', async () => {
    const [row] = await shop.db<{ state: string }[]>`select state from rail_order where reference = ${reference ?? ''}`
    return row?.state === 'CONCLUDED'
  })
})
