import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import * as contract from '@kobo/contract'
import { findPersonByEmail } from '../../gateway/src/core/sessions/index.ts'
import { unitOfWork } from '../../gateway/src/core/unit-of-work.ts'
import { demoSignInLink } from '../../gateway/src/features/sandbox/index.ts'
import { createLink, linkAddress } from '../../gateway/src/features/sign-in/index.ts'
import { daysAfter } from '../../gateway/test/harness/mandate-samples.ts'
import { aRefund, ELSEWHERE, paid, refundWithStatus } from '../../gateway/test/harness/refund-samples.ts'
import { aTransfer } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aTeamMember, totpCode } from '../../gateway/test/harness/users.ts'
import { look, openFromMenu, openSite, type Page } from './browser.ts'

const { shop, page: newPage } = await openSite()
const DESK = { viewport: { width: 1280, height: 800 } }
const PASSWORD = 'correct horse battery'

/** Sets up an authenticator app on the profile; returns a function that makes its next code. */
async function setUpAuthenticator(page: Page): Promise<() => string> {
  await page.getByRole('link', { name: 'Set one up' }).click()
  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  const secret = (await page.locator('.key').innerText()).replaceAll(' ', '')
  await look(page, 'dashboard-authenticator')
  const from = shop.core.wall.now()
  await page.getByLabel('Code from the app').fill(totpCode(secret, from))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Save these backup codes').waitFor()
  return () => totpCode(secret, new Date(from.getTime() + 30_000))
}

/** Opens the dashboard as the demo merchant's owner, with the sign-in link that Kobo prints at startup. */
async function asOwner(page: Page): Promise<void> {
  await page.goto((await demoSignInLink(shop.core, shop.url)) ?? '')
  await page.getByRole('heading', { name: 'Welcome, Demo Owner' }).waitFor()
}

/** The link in the newest email to an address. */
async function mailedLink(to: string): Promise<string> {
  const [mail] = await shop.call(contract.readInbox, { query: { to } })
  return /http\S+/.exec(mail?.text ?? '')?.[0] ?? assert.fail('there is a link')
}

slow('invited team members join by email; finance sets up an authenticator and sees no team screen', async (t) => {
  const page = await newPage(t, DESK)
  await asOwner(page)
  await look(page, 'dashboard-home')
  await setUpAuthenticator(page)
  await look(page, 'dashboard-profile')
  await page.getByRole('checkbox', { name: 'New disputes: Company email' }).uncheck()
  await until('emails about disputes are off', async () => {
    const rows = await shop.db`select from merchant where id = ${shop.merchantId} and muted_topics = '{DISPUTES}'`
    return rows.length === 1
  })
  await openFromMenu(page, 'Team')
  await page.getByRole('button', { name: 'Invite team member' }).click()
  await page.getByLabel('Email address').fill('fin@example.com')
  await page.getByLabel('Role', { exact: true }).selectOption('finance')
  await look(page, 'dashboard-invite')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByText('fin@example.com invited.').waitFor()
  await look(page, 'dashboard-team')
  await page.getByRole('button', { name: 'Invite team member' }).click()
  await page.getByLabel('Email address').fill('sue@example.com')
  await page.getByLabel('Role', { exact: true }).selectOption('support')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByText('sue@example.com invited.').waitFor()
  const support = await newPage(t, DESK)
  await support.goto(await mailedLink('sue@example.com'))
  await support.getByLabel('Your name').fill('Sue Port')
  await support.getByLabel('Password').fill(PASSWORD)
  await support.getByRole('button', { name: 'Continue' }).click()
  await support.getByRole('heading', { name: 'Welcome, Sue Port' }).waitFor()
  assert.equal(await support.getByText('Available balance').count(), 0)

  const finance = await newPage(t, DESK)
  await finance.goto(await mailedLink('fin@example.com'))
  await finance.getByRole('heading', { name: 'Welcome to Demo Shop' }).waitFor()
  await look(finance, 'dashboard-invitation')
  await finance.getByLabel('Your name').fill('Fin Ance')
  await finance.getByLabel('Password').fill(PASSWORD)
  await finance.getByRole('button', { name: 'Continue' }).click()
  await finance.getByRole('heading', { name: 'Welcome, Fin Ance' }).waitFor()
  assert.equal(await finance.getByRole('link', { name: 'Team', exact: true }).count(), 0)
  await finance.goto(`${shop.url}/dashboard/team`)
  await finance.getByRole('heading', { name: 'You don’t have access' }).waitFor()
  await look(finance, 'dashboard-forbidden')

  await finance.goto(`${shop.url}/dashboard`)
  const code = await setUpAuthenticator(finance)
  // A lost request is sent again, so that the session does not continue unnoticed.
  await finance.route('**/dashboard/api/sign-out', (route) => route.abort(), { times: 1 })
  await finance.getByRole('button', { name: 'Sign out', exact: true }).click()
  await finance.getByRole('heading', { name: 'Sign in' }).waitFor()
  await look(finance, 'dashboard-sign-in')
  await finance.getByLabel('Email address').fill('fin@example.com')
  await finance.getByLabel('Password').fill('wrong')
  await finance.keyboard.press('Enter')
  await finance.getByText('Wrong email address or password').waitFor()
  await finance.getByLabel('Password').fill(PASSWORD)
  await finance.keyboard.press('Enter')
  await finance.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
  await look(finance, 'dashboard-second-factor')
  // The field has the focus, so the code can be typed at once.
  await finance.keyboard.type(code())
  await finance.keyboard.press('Enter')
  await finance.getByRole('heading', { name: 'Welcome, Fin Ance' }).waitFor()
})

slow('a visitor signs up for a sandbox, and the link works only once', async (t) => {
  const page = await newPage(t, DESK)
  await page.goto(`${shop.url}/dashboard`)
  await page.getByRole('button', { name: 'New here?' }).click()
  await page.getByLabel('Email address').fill('new@example.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Business name').fill('Newcomers')
  const link = page.url()
  await page.getByLabel('Your name').fill('Newa Comer')
  await page.getByLabel('Password').fill(PASSWORD)
  await look(page, 'dashboard-sign-up')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Welcome, Newa Comer' }).waitFor()
  await page.getByRole('link', { name: 'Newcomers' }).waitFor()
  const other = await newPage(t, DESK)
  await other.goto(link)
  await other.getByRole('heading', { name: 'This link doesn’t work' }).waitFor()
  await look(other, 'dashboard-dead-link')
  await other.getByRole('link', { name: 'Go to sign-in' }).click()
  await other.getByRole('button', { name: 'Forgot your password?' }).click()
  await other.getByLabel('Email address').fill('new@example.com')
  await other.getByRole('button', { name: 'Email me a link' }).click()
  await other.getByText('we’ve sent a reset link').waitFor()
  await look(other, 'dashboard-reset')
})

test('the theme follows the system or the user’s choice', async (t) => {
  const page = await newPage(t, DESK)
  await page.goto(`${shop.url}/dashboard`)
  const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const light = await paper()
  await page.getByRole('button', { name: 'Theme: auto' }).click()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  assert.notEqual(await paper(), light)
  await page.reload()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  assert.notEqual(await paper(), light)
})

async function bankNameOf(bankCode: string): Promise<string> {
  const banks = await shop.call(contract.listBanks, {})
  return banks.find(({ code }) => code === bankCode)?.name ?? assert.fail(bankCode)
}

slow('an owner approves a transfer by finance with an authenticator and rejects another', async (t) => {
  const page = await newPage(t, DESK)
  const maker = await aTeamMember(shop, 'finance')
  const first = await aTransfer(shop, { amount: 12_500, narration: 'March rent' })
  const second = await aTransfer(shop, { amount: 400, narration: 'A gift' })
  for (const body of [first, second]) await maker.call(contract.initiateTransfer, { body })
  const owner = await newOwner(page)
  await page.getByRole('link', { name: 'Approvals', exact: true }).first().click()
  const rent = page.getByRole('article', { name: `Transfer ${first.reference}` })
  await rent.getByText('March rent').waitFor()
  const bankName = await bankNameOf(first.destinationBankCode)
  await rent.getByText(`${first.destinationAccountNumber}, ${bankName}`).waitFor()
  await look(page, 'dashboard-approvals')
  await rent.getByRole('button', { name: 'Approve' }).click()
  await page.getByText(`${first.reference}: Success.`).waitFor()
  // The second factor is required again after some minutes.
  await shop.db`update session set second_factor_at = second_factor_at - interval '10 minutes' where person_id = ${owner.personId}`
  const gift = page.getByRole('article', { name: `Transfer ${second.reference}` })
  await gift.getByRole('button', { name: 'Reject' }).click()
  await page.getByLabel('Reason').fill('Not ours')
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
  await look(page, 'dashboard-confirm')
  await page.getByLabel('Code').fill(owner.code())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText(`${second.reference}: Rejected.`).waitFor()
  await page.getByText('Nothing to approve').waitFor()
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.getByText('Not ours').waitFor()
  await look(page, 'dashboard-approvals-all')
})

slow('an owner sees and approves a refund to another account, a paycode and a bill where transfers wait', async (t) => {
  await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
  const maker = await aTeamMember(shop, 'finance', { secondFactor: 'fresh' })
  const refund = aRefund(await paid(shop, 5_000), { refundAmount: 2_000, ...ELSEWHERE })
  await maker.call(contract.initiateRefund, { body: refund })
  const paycodeReference = 'cash-to-approve'
  const [expiryDate, clientId] = [daysAfter(shop.core.clock.now(), 3), shop.credentials.apiKey]
  const cash = { beneficiaryName: 'Bola Ige', amount: 5_000, paycodeReference, expiryDate, clientId }
  await maker.call(contract.createPaycode, { body: cash })
  const airtime = { productCode: 'MTN-AIRTIME', customerId: '08142223149', amount: 1_000, reference: 'bill-to-approve' }
  await maker.call(contract.vendBill, { body: airtime })
  const page = await newPage(t, DESK)
  await newOwner(page, 'fourth-owner@example.com')
  await page.getByRole('link', { name: 'Approvals', exact: true }).first().click()
  const waiting = page.getByRole('article', { name: `Refund to another account ${refund.refundReference}` })
  await waiting.getByText('₦2,000.00').waitFor()
  await waiting.getByText('2087654321').waitFor()
  await page.getByText('Cash for Bola Ige').waitFor()
  await page.getByText('MTN Airtime for 08142223149').waitFor()
  await look(page, 'dashboard-approvals-kinds')
  for (const name of [
    `Refund to another account ${refund.refundReference}`,
    `Paycode ${paycodeReference}`,
    `Bill ${airtime.reference}`,
  ]) {
    const article = page.getByRole('article', { name })
    await article.getByRole('button', { name: 'Approve' }).click()
    await article.waitFor({ state: 'detached' })
  }
  await page.getByText('Nothing to approve').waitFor()
  await refundWithStatus(shop, refund, 'COMPLETED')
})

/** Signs in as a new owner of the shop, with an authenticator. */
async function newOwner(
  page: Page,
  email = 'second-owner@example.com',
): Promise<{ readonly personId: bigint; readonly code: () => string }> {
  const { token } = await unitOfWork(shop.core, (unit) =>
    createLink(unit, {
      kind: 'INVITATION',
      email,
      merchantId: shop.merchantId,
      role: 'owner',
      at: shop.core.wall.now(),
    }),
  )
  await page.goto(linkAddress(shop.url, token))
  await page.getByLabel('Your name').fill('Second Owner')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Welcome, Second Owner' }).waitFor()
  const code = await setUpAuthenticator(page)
  const { id: personId } = (await findPersonByEmail(shop.db, email)) ?? assert.fail()
  // A day passes, after which a new owner has all rights.
  await shop.db`update membership set rights_from = null where merchant_id = ${shop.merchantId} and person_id = ${personId}`
  return { personId, code }
}

slow('finance uploads a batch, and an owner approves it with a second factor', async (t) => {
  const { cookie } = await aTeamMember(shop, 'finance')
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  const finance = await newPage(t, DESK)
  await finance.context().addCookies([{ name, value, url: shop.url }])
  await finance.goto(`${shop.url}/dashboard/new-batch`)
  const transfer = await aTransfer(shop)
  const { destinationAccountNumber: number, destinationBankCode: bank, destinationAccountName: holder } = transfer
  const rows = [
    'Account number,Bank code,Account name,Amount',
    `${number},${bank},${holder},1500.50`,
    `${number},${bank},,2000`,
  ]
  const buffer = Buffer.from(rows.join('\n'))
  await finance.getByLabel('CSV file').setInputFiles({ name: 'salaries.csv', mimeType: 'text/csv', buffer })
  await finance.getByLabel('Title').fill('Salaries')
  await finance.getByLabel('Narration').fill('Salary for March')
  await finance.getByRole('button', { name: 'Send 2 transfers, ₦3,500.50' }).click()
  await finance.getByText('Pending authorization').waitFor()

  const page = await newPage(t, DESK)
  const owner = await newOwner(page, 'third-owner@example.com')
  await page.getByRole('link', { name: 'Approvals', exact: true }).first().click()
  const batch = page.getByRole('article', { name: /^Batch/ })
  await batch.getByText('2 transfers').waitFor()
  await batch.getByRole('button', { name: 'Show transfers' }).click()
  const bankName = await bankNameOf(bank)
  await batch.getByRole('row', { name: new RegExp(`${holder}.*${number}.*${bankName}.*₦1,500.50`) }).waitFor()
  await batch.getByRole('row', { name: new RegExp(`${holder}.*${number}.*₦2,000.00`) }).waitFor()
  await look(page, 'dashboard-approvals-batch')
  await shop.db`update session set second_factor_at = second_factor_at - interval '10 minutes' where person_id = ${owner.personId}`
  await batch.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
  await page.getByLabel('Code').fill(owner.code())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Nothing to approve').waitFor()
  await finance.reload()
  await finance.getByText('₦3,500.50').first().waitFor()
  await until('the batch is completed', async () => {
    const [row] = await shop.db<{ status: string }[]>`select status from transfer_batch where title = 'Salaries'`
    return row?.status === 'COMPLETED'
  })
})

slow('a passkey signs in without a password and confirms sensitive actions', async (t) => {
  const page = await newPage(t, DESK)
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${shop.url}/dashboard`)
  await page.getByRole('button', { name: 'New here?' }).click()
  await page.getByLabel('Email address').fill('key@example.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Business name').fill('Keys')
  await page.getByLabel('Your name').fill('Kay Key')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Set one up' }).click()
  // A passkey renews the session. Sign-out works before the page has read its new CSRF token.
  const signedOut = Promise.withResolvers<void>()
  await page.route('**/dashboard/api/me', (route) => signedOut.promise.then(() => route.abort()).catch(() => {}), {
    times: 1,
  })
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('Save these backup codes').waitFor()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  signedOut.resolve()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { name: 'Welcome, Kay Key' }).waitFor()
  await page.getByRole('link', { name: 'Kay Key' }).click()
  await shop.db`update session set second_factor_at = second_factor_at - interval '10 minutes' where second_factor_at is not null`
  await page.getByRole('button', { name: /Create new backup codes/ }).click()
  await page.getByRole('button', { name: 'Create new codes' }).click()
  await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('Save these backup codes').waitFor()
})

/** A signed-in viewer's page, with the first screen open. */
async function asViewer(t: Parameters<typeof newPage>[0]): Promise<Page> {
  const page = await newPage(t, DESK)
  const { cookie } = await aTeamMember(shop, 'viewer')
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url: shop.url }])
  return page
}

slow('an unreachable gateway is not a missing payment: the page says so, and recovers on its own', async (t) => {
  const page = await asViewer(t)
  await page.goto(`${shop.url}/dashboard/transactions/MNFY|none`)
  await page.getByRole('heading', { name: 'Transaction not found' }).waitFor()
  await look(page, 'dashboard-not-found')
  const transactions = '**/dashboard/api/transactions/*'
  await page.route(transactions, (route) => route.abort())
  await page.route('**/dashboard/api/lists/*', (route) => route.abort())
  await page.reload()
  await page.getByRole('heading', { name: 'Transaction couldn’t be loaded' }).waitFor()
  await look(page, 'dashboard-not-reached')
  await page.getByRole('link', { name: 'Transactions' }).last().click()
  await page.getByRole('alert').getByText('We couldn’t reach the gateway').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').getByText('We couldn’t reach the gateway').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Transactions' }).waitFor()

  await page.route('**/dashboard/api/home', (route) => route.fulfill({ status: 503, body: '<h1>Restarting</h1>' }))
  await page.goto(`${shop.url}/dashboard`)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.unrouteAll()
  // Every response takes longer than the page waits before it tries again.
  await page.route('**/dashboard/api/home', (route) => pause(7_000).then(() => route.continue()))
  await page.getByText('Collected today').waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

/** Opens a screen from the menu, unless the page has already noticed by itself that the session has ended. */
const clickIfShown = (page: Page, path: string): Promise<void> =>
  page.evaluate(`document.querySelector('.navigation a[href="${path}"]')?.click()`)

slow('a failing /me never shows the sign-in form to a signed-in user, and an expired session says so', async (t) => {
  const page = await asViewer(t)
  await page.route('**/dashboard/api/me', (route) => route.fulfill({ status: 503, body: '<h1>Restarting</h1>' }))
  await page.goto(`${shop.url}/dashboard/transactions`)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  assert.equal(await page.getByLabel('Password').count(), 0)
  await page.unrouteAll()
  await page.getByRole('heading', { name: 'Transactions' }).waitFor()
  await page.context().clearCookies()
  await clickIfShown(page, '/dashboard/refunds')
  await page.getByText('Your session has ended. Sign in to continue.').waitFor()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.reload()
  await page.getByText('Your session has ended. Sign in to continue.').waitFor()
})

slow('an expired session says so on a screen with several calls; a sign-out does not', async (t) => {
  const page = await asViewer(t)
  await page.goto(`${shop.url}/dashboard/transactions`)
  await page.getByRole('heading', { name: 'Transactions' }).waitFor()
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await clickIfShown(page, '/dashboard')
  await page.getByText('Your session has ended. Sign in to continue.').waitFor()
  await page.context().addCookies(cookies)
  await page.reload()
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.equal(await page.getByText('Your session has ended').count(), 0)
})
