import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { insertMembership, startSession } from '../../gateway/src/core/sessions/index.ts'
import { unitOfWork } from '../../gateway/src/core/unit-of-work.ts'
import { createLink, linkAddress } from '../../gateway/src/features/sign-in/index.ts'
import { addMerchant } from '../../gateway/test/harness/gateway.ts'
import { anAccount, aTransfer, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aTeamMember, type TestUser, totpCode, type UserOptions } from '../../gateway/test/harness/users.ts'
import { naira } from '../ui/money.ts'
import { go, look, openSite, type Page } from './browser.ts'

const { shop, page: newPage } = await openSite()
const DESK = { viewport: { width: 1440, height: 900 } }
const PHONE = { width: 390, height: 800 }

/** A dashboard screen, opened by a new team member. */
const open = async (t: TestContext, role: contract.Role, screen: string, options?: UserOptions): Promise<Page> =>
  openAs(t, await aTeamMember(shop, role, options ?? { secondFactor: 'fresh' }), screen)

async function openAs(t: TestContext, { cookie }: Pick<TestUser, 'cookie'>, screen: string): Promise<Page> {
  const page = await newPage(t, DESK)
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url: shop.url, httpOnly: true }])
  await page.goto(`${shop.url}/dashboard/${screen}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const dialogOf = (page: Page) => page.getByRole('dialog')
const focusOnText = (page: Page, text: string): Promise<unknown> =>
  page.waitForFunction(`document.activeElement.textContent === '${text}'`)
const transfer = await aTransfer(shop)

/** A paid transaction, opened by finance. */
async function openPaid(t: TestContext, amount: number): Promise<Page> {
  const account = await anAccount(shop, { amount })
  await pay(shop, account, amount)
  return open(t, 'finance', `transactions/${encodeURIComponent(account.transactionReference)}`)
}

slow('every dialog starts empty, so neither a refund nor an approver’s right is repeated unseen', async (t) => {
  const page = await openPaid(t, 9_000)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await page.getByLabel('Amount in naira').fill('500')
  await page.getByLabel('Reason').fill('Wrong size')
  await page.getByLabel('Note for the customer').fill('Sorry!')
  await dialogOf(page).getByRole('button', { name: 'Refund' }).click()
  await page.getByText('Refund requested.').waitFor()
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  assert.equal(await page.getByLabel('Reason').inputValue(), '')
  assert.equal(await page.getByLabel('Note for the customer').inputValue(), '')

  const team = await open(t, 'owner', 'team')
  const invite = async (email: string, act: () => Promise<void>): Promise<void> => {
    await team.getByRole('button', { name: 'Invite team member' }).click()
    assert.equal(await team.getByLabel('Email address').inputValue(), '')
    await team.getByLabel('Email address').fill(email)
    await act()
    await team.getByRole('button', { name: 'Send invitation' }).click()
    await team.getByText(`${email} invited.`).waitFor()
  }
  await invite('approver@example.com', async () => {
    await team.getByText('Read-only, without customer data').waitFor()
    await team.getByLabel('Role', { exact: true }).selectOption('finance')
    await team.getByText('Payouts, refunds and exports').waitFor()
    await team.getByLabel('Can approve payouts').check()
  })
  await invite('clerk@example.com', async () => {
    await team.getByLabel('Role', { exact: true }).selectOption('finance')
    assert.equal(await team.getByLabel('Can approve payouts').isChecked(), false)
  })
  await invite('helper@example.com', async () => {
    assert.equal(await team.getByLabel('Can approve payouts').count(), 0)
  })
})

slow('a member is removed and a role is changed only after a question, which can be cancelled', async (t) => {
  const member = await aTeamMember(shop, 'support')
  const page = await open(t, 'owner', 'team')
  const row = page.getByRole('row').filter({ hasText: member.email })
  await row.getByRole('button', { name: 'Change role' }).click()
  await page.getByLabel('Role', { exact: true }).selectOption('developer')
  await look(page, 'dashboard-team-role')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await row.getByRole('cell', { name: 'Support', exact: true }).waitFor()
  await row.getByRole('button', { name: 'Change role' }).click()
  await page.getByLabel('Role', { exact: true }).selectOption('developer')
  await page.getByRole('button', { name: 'Save role' }).click()
  await row.getByRole('cell', { name: 'Developer', exact: true }).waitFor()
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'Remove Test support?' }).waitFor()
  await look(page, 'dashboard-team-remove')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await row.getByRole('button', { name: 'Remove' }).click()
  await dialogOf(page).getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
  await focusOnText(page, 'Test support removed.')
})

slow(
  'a transfer of “₦50,000” shows bank, fee and total, takes the focus, and Cancel keeps what was typed',
  async (t) => {
    const page = await open(t, 'finance', 'new-transfer')
    await page.getByLabel('Bank').selectOption(transfer.destinationBankCode)
    await page.getByLabel('Account number').fill(transfer.destinationAccountNumber)
    await page.getByLabel('Amount in naira').fill('fifty')
    await page.getByLabel('Narration').fill('Rent')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Enter an amount, such as').waitFor()
    assert.equal(await page.getByLabel('Amount in naira').getAttribute('aria-invalid'), 'true')
    await page.getByLabel('Amount in naira').fill('₦ 50,000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: `Send ₦50,000.00 to ${transfer.destinationAccountName}?` }).waitFor()
    await page.waitForFunction("document.activeElement.textContent.startsWith('Send ₦50,000.00 to ')")
    const [bank] = (await shop.call(contract.listBanks, {})).filter(({ code }) => code === transfer.destinationBankCode)
    const facts = await page.locator('.facts').innerText()
    assert.match(facts, new RegExp(`Bank\\s+${bank?.name}`))
    const member = await aTeamMember(shop, 'finance')
    const { fee, total } = await member.call(contract.getTransferFee, { query: { amount: 50_000 } })
    assert.equal(total, 50_000 + fee)
    assert.match(facts, new RegExp(`Fee\\s+${naira(fee)}\\s+Total\\s+${naira(total)}`))
    await look(page, 'dashboard-new-transfer-summary')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await until('the bank is chosen', async () => {
      return (await page.getByLabel('Bank').inputValue()) === transfer.destinationBankCode
    })
    assert.equal(await page.getByLabel('Account number').inputValue(), transfer.destinationAccountNumber)
    assert.equal(await page.getByLabel('Amount in naira').inputValue(), '50000.00')
    assert.equal(await page.getByLabel('Narration').inputValue(), 'Rent')
  },
)

slow(
  'every form and filter takes an amount with commas, and errors appear at their field in plain words',
  async (t) => {
    const page = await openPaid(t, 12_500)
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    const amount = page.getByLabel('Amount in naira')
    await amount.fill('50,000')
    await page.getByLabel('Reason').fill('Wrong size')
    await page.getByLabel('Note for the customer').fill('Sorry!')
    await dialogOf(page).getByRole('button', { name: 'Refund' }).click()
    await dialogOf(page)
      .getByText(/^Amount must be at most ₦12,500\.00/)
      .waitFor()
    assert.equal(await amount.getAttribute('aria-invalid'), 'true')
    await page.waitForFunction("document.activeElement.name === 'refundAmount'")
    await look(page, 'dashboard-refund-error')
    await amount.fill('1,000')
    await dialogOf(page).getByRole('button', { name: 'Refund' }).click()
    await page.getByText('Refund requested.').waitFor()
    await page.goto(`${shop.url}/dashboard/transactions?amountFrom=12%2C500&amountTo=12%2C500`)
    await page.getByRole('cell', { name: '₦12,500.00' }).waitFor()
    await page.goto(`${shop.url}/dashboard/transactions?amountFrom=many`)
    await page.getByText('Enter an amount, such as').waitFor()

    const keys = await open(t, 'owner', 'keys')
    await keys.getByRole('button', { name: 'Create secret key' }).click()
    await keys.getByLabel('Hours the old key stays valid').fill('9999')
    await keys.getByRole('button', { name: 'Create key' }).click()
    await keys.getByText('Hours the old key stays valid must be at most 720').waitFor()
  },
)

test('the second-factor dialog names its field, also above another form', async (t) => {
  const page = await open(t, 'owner', 'keys', { secondFactor: 'shown' })
  await page.getByRole('button', { name: 'Create secret key' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  const code = page.getByRole('dialog', { name: 'Confirm it’s you' }).getByRole('textbox', { name: 'Code' })
  await code.waitFor()
  await page.waitForFunction("document.activeElement.name === 'code'")
})

test('an action without a second factor leads to its set-up, and keeps what was typed', async (t) => {
  const account = await anAccount(shop, { amount: 9_000 })
  await pay(shop, account, 9_000)
  const page = await open(t, 'owner', `transactions/${encodeURIComponent(account.transactionReference)}`, {})
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await page.getByLabel('Reason').fill('Wrong size')
  await page.getByLabel('Note for the customer').fill('Sorry!')
  await dialogOf(page).getByRole('button', { name: 'Refund' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' })
  const opened = page.waitForEvent('popup')
  await confirm.getByRole('link', { name: 'Set one up in a new tab' }).click()
  await setUpAuthenticator(await opened)
  await confirm.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Refund requested.').waitFor()
})

/** Adds an authenticator app on the profile. */
async function setUpAuthenticator(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  const secret = (await page.locator('.key').innerText()).replaceAll(' ', '')
  await page.getByLabel('Code from the app').fill(totpCode(secret, shop.core.wall.now()))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Save these backup codes').waitFor()
}

slow('in live mode the first second factor is set up at once, and its backup codes stay on the page', async (t) => {
  const { shop: live, page: livePage } = await openSite({ env: { KOBO_ENVIRONMENT: 'live' } })
  const page = await livePage(t, DESK)
  const { cookie } = await aTeamMember(live, 'owner')
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  const secure = live.url.replace('http:', 'https:')
  await page.context().addCookies([{ name, value, url: secure, httpOnly: true, secure: true }])
  await page.goto(`${live.url}/dashboard`)
  await setUpAuthenticator(page)
  await page.getByRole('heading', { name: 'Your details' }).waitFor()
  assert.equal(await page.locator('.codes li').count(), 10)
})

test('a new password asks a known user for no name', async (t) => {
  const page = await newPage(t, DESK)
  const { email } = await aTeamMember(shop, 'owner')
  const { token } = await unitOfWork(shop.core, (unit) =>
    createLink(unit, { kind: 'RESET', email, at: shop.core.wall.now() }),
  )
  await page.goto(linkAddress(shop.url, token))
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  assert.equal(await page.getByLabel('Your name').count(), 0)
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Welcome, Test owner' }).waitFor()
})

slow(
  'a second factor is removed, new codes are made and other browsers signed out, only after a question',
  async (t) => {
    const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
    const page = await openAs(t, owner, 'profile')
    const answer = async (button: RegExp, choice: string): Promise<void> => {
      await page.getByRole('button', { name: button }).click()
      await dialogOf(page).getByRole('button', { name: choice }).click()
    }
    await answer(/^Create new backup codes/, 'Cancel')
    assert.equal(await page.locator('.codes').count(), 0)
    await answer(/^Create new backup codes/, 'Create new codes')
    await page.getByText('Save these backup codes').waitFor()
    const factor = page.getByRole('button', { name: 'Remove Test' })
    await answer(/^Remove Test/, 'Cancel')
    await factor.waitFor()
    await look(page, 'dashboard-profile-codes')
    await answer(/^Remove Test/, 'Remove')
    await factor.waitFor({ state: 'detached' })
    const { personId } = owner
    const other = { personId, merchantId: shop.merchantId, deviceId: personId, address: '127.0.0.1', agent: 'a test' }
    const at = shop.core.wall.now()
    for (const agent of ['Firefox/1 Windows', 'Firefox/1 Linux'])
      await unitOfWork(shop.core, async (unit) => startSession(unit, { ...other, agent, secondFactorAt: null, at }))
    await shop.db`
      insert into device (person_id, id, token_hash, agent, first_at, last_at)
      values (${personId}, ${shop.core.ids.id()}, '', 'Firefox/1 Linux', ${at}, ${at})`
    await page.reload()
    const one = page.getByRole('button', { name: 'Sign out Firefox on Windows' })
    await answer(/^Sign out Firefox on Windows/, 'Cancel')
    assert.equal((await owner.call(contract.getProfile, {})).sessions.length, 3)
    await answer(/^Sign out Firefox on Windows/, 'Sign out')
    await one.waitFor({ state: 'detached' })
    const device = page.getByRole('button', { name: 'Forget Firefox on Linux' })
    await answer(/^Forget Firefox on Linux/, 'Cancel')
    assert.equal((await owner.call(contract.getProfile, {})).devices.length, 1)
    await answer(/^Forget Firefox on Linux/, 'Forget')
    await device.waitFor({ state: 'detached' })
    const signOut = page.getByRole('button', { name: 'Sign out everywhere else' })
    await answer(/^Sign out everywhere else/, 'Cancel')
    assert.equal((await owner.call(contract.getProfile, {})).sessions.length, 2)
    await answer(/^Sign out everywhere else/, 'Sign out')
    await signOut.waitFor({ state: 'detached' })
    assert.equal((await owner.call(contract.getProfile, {})).sessions.length, 1)
  },
)

test('the skip link leads past the navigation, and Help to the guide', async (t) => {
  const page = await open(t, 'viewer', 'transactions')
  const help = (await page.getByRole('link', { name: 'Help' }).filter({ visible: true }).getAttribute('href')) ?? ''
  assert.match(await (await fetch(shop.url + help)).text(), /<h1[^>]*>Dashboard/)
  await page.keyboard.press('Tab')
  await focusOnText(page, 'Skip to content')
  await page.keyboard.press('Enter')
  await page.waitForFunction("document.activeElement.id === 'screen'")
})

slow('after an approval the focus is on what happened, not at the top of the page', async (t) => {
  const maker = await aTeamMember(shop, 'finance')
  const body = await aTransfer(shop, { amount: 3_100 })
  await maker.call(contract.initiateTransfer, { body })
  const page = await open(t, 'owner', 'approvals')
  const waiting = page.getByRole('article', { name: `Transfer ${body.reference}` })
  // The transfer itself can be looked at first.
  await waiting.getByRole('link', { name: body.reference }).click()
  await page.getByRole('heading', { name: 'Transfer Pending authorization' }).waitFor()
  await page.goBack()
  await waiting.getByRole('button', { name: 'Approve' }).click()
  await page.getByText(`${body.reference}: Success.`).waitFor()
  await focusOnText(page, `${body.reference}: Success.`)
})

slow('an approval without buttons says why', async (t) => {
  const maker = await aTeamMember(shop, 'finance', { secondFactor: 'fresh', approves: true })
  const body = await aTransfer(shop, { amount: 3_200 })
  await maker.call(contract.initiateTransfer, { body })
  const textFor = async (page: Page, text: string): Promise<void> => {
    const waiting = page.getByRole('article', { name: `Transfer ${body.reference}` })
    await waiting.getByText(text, { exact: true }).waitFor()
    assert.equal(await waiting.getByRole('button').count(), 0)
  }
  await textFor(await openAs(t, maker, 'approvals'), 'You requested this, so someone else must approve it.')
  const admin = await open(t, 'admin', 'approvals')
  await textFor(admin, 'Your role cannot approve this.')
  await go(admin, 'audit')
  await admin.getByRole('link', { name: 'Send money to a bank account' }).first().click()
  await admin.getByText('POST /api/v2/disbursements/single').waitFor()
})

slow('an admin is offered only the members and the roles that an admin may change', async (t) => {
  const owner = await aTeamMember(shop, 'owner')
  const member = await aTeamMember(shop, 'viewer')
  const page = await open(t, 'admin', 'team')
  const rowOf = ({ email }: TestUser) => page.getByRole('row').filter({ hasText: email })
  await rowOf(owner).waitFor()
  assert.equal(await rowOf(owner).getByRole('button').count(), 0)
  await rowOf(member).getByRole('button', { name: 'Remove' }).waitFor()
  await rowOf(member).getByRole('button', { name: 'Change role' }).click()
  const roles = await page.getByLabel('Role', { exact: true }).locator('option').allInnerTexts()
  assert.deepEqual(roles, ['Cashier', 'Viewer', 'Support', 'Developer', 'Admin'])
})

slow('an owner sees the approval policy, requests another, and drops it again', async (t) => {
  const page = await open(t, 'owner', 'approval-policy')
  await page.getByText('Every payout needs 1 approval.').waitFor()
  await page.getByRole('button', { name: 'Change policy' }).click()
  await page.getByLabel('No approval below').fill('10,000')
  await page.getByLabel('Two approvals from').fill('1,000,000')
  await page.getByLabel('Payouts through the API need approval too').check()
  await look(page, 'dashboard-approval-policy-change')
  await dialogOf(page).getByRole('button', { name: 'Request change' }).click()
  await page.getByText('Change requested.').waitFor()
  const change = page.getByRole('region', { name: 'Requested change' })
  await change.getByText('Payouts below ₦10,000.00 need no approval.').waitFor()
  await change.getByText('Payouts from ₦1,000,000.00 need 2 approvals.').waitFor()
  await look(page, 'dashboard-approval-policy')
  // Someone else must approve it.
  assert.equal(await change.getByRole('button', { name: 'Approve change' }).count(), 0)
  const second = await open(t, 'owner', 'approval-policy')
  await second.getByRole('button', { name: 'Approve change' }).waitFor()
  await go(page, 'audit?act=approval-policy.request')
  await page.getByRole('link', { name: 'Approval policy: request' }).waitFor()
  await go(page, 'approval-policy')
  await change.getByRole('button', { name: 'Withdraw change' }).click()
  await dialogOf(page).getByRole('button', { name: 'Withdraw' }).click()
  await change.waitFor({ state: 'detached' })
  const reader = await open(t, 'finance', 'approval-policy')
  await reader.getByText('Every payout needs 1 approval.').waitFor()
  assert.equal(await reader.getByRole('button', { name: 'Change policy' }).count(), 0)
})

const OWN_ID = "fetch('/dashboard/api/me').then(async (me) => (await me.json()).responseBody.id)"

slow('a user in two teams switches between them', async (t) => {
  const page = await open(t, 'owner', 'profile')
  assert.equal(await page.getByRole('button', { name: 'Switch team' }).count(), 0)
  const other = await addMerchant({ ...shop, environment: 'sandbox' })
  const personId = BigInt(await page.evaluate<string>(OWN_ID))
  const joined = { role: 'viewer', approves: false, createdAt: shop.core.wall.now() } as const
  await unitOfWork(shop.core, ({ tx }) => insertMembership(tx, { merchantId: other, personId, ...joined }))
  await page.reload()
  await page.getByRole('button', { name: 'Switch team' }).first().click()
  await look(page, 'dashboard-switch-team')
  await page.getByRole('button', { name: 'Open Another Shop' }).click()
  await page.getByRole('link', { name: 'Another Shop' }).waitFor()
})

slow(
  'a refund offers all of it, names maximum and fee, and shows as refunded in the list and on the page',
  async (t) => {
    const page = await openPaid(t, 6_400)
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    assert.equal(await page.getByLabel('Amount in naira').inputValue(), '6,400.00')
    await page.getByText('₦6,400.00 can be refunded').waitFor()
    await dialogOf(page)
      .getByText(/^Refund \S+ of [A-Z].*\. The fee is ₦[1-9]\S* for the full amount\.$/)
      .waitFor()
    await look(page, 'dashboard-refund-all')
    await page.getByLabel('Reason').fill('Returned')
    await page.getByLabel('Note for the customer').fill('Done')
    await dialogOf(page).getByRole('button', { name: 'Refund' }).click()
    // The page follows the refund to its end on its own.
    await page.getByRole('heading', { name: '₦6,400.00 Refunded' }).waitFor()
    await look(page, 'dashboard-refunded')
    await page.getByRole('link', { name: 'Transactions', exact: true }).first().click()
    await page.getByRole('row').filter({ hasText: '₦6,400.00' }).getByText('Refunded', { exact: true }).waitFor()
    await look(page, 'dashboard-transactions-refunded')
  },
)

slow('a rejected transfer says that it was rejected, by whom and why', async (t) => {
  const maker = await aTeamMember(shop, 'finance')
  const body = await aTransfer(shop, { amount: 4_700 })
  await maker.call(contract.initiateTransfer, { body })
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  const { requests } = await owner.call(contract.listApprovals, { query: {} })
  const { id = '' } = requests.find(({ reference }) => reference === body.reference) ?? {}
  await owner.call(contract.reject, { params: { id }, body: { reason: 'Not this month' } })
  const page = await open(t, 'finance', `search?text=${body.reference}`)
  await page.getByRole('heading', { name: 'Transfer Rejected' }).waitFor()
  const facts = await page.locator('.facts').first().innerText()
  assert.match(facts, /Failure reason\s+Not this month/)
  assert.match(facts, /Rejected by\s+Test owner/)
})

slow(
  'a batch shows each name at the bank, needs a tick for different names and repeats, and rejects unknown accounts',
  async (t) => {
    const page = await open(t, 'finance', 'new-batch')
    const {
      destinationAccountNumber: number,
      destinationBankCode: bank,
      destinationAccountName: holder = '',
    } = transfer
    const upload = (...rows: readonly string[]): Promise<void> =>
      page.getByLabel('CSV file').setInputFiles({
        name: 'salaries.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(rows.join('\n')),
      })
    await upload(`${number},${bank},1000`)
    await page.getByText('The first row must name the columns.').waitFor()
    const head = 'Account number,Bank code,Account name,Amount'
    await upload(head, `0000000000,${bank},Ada Obi,1000`, `${number},${bank},${holder},2000`)
    await page.getByRole('cell', { name: 'The bank does not know this account number' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Send / }).count(), 0)
    await look(page, 'dashboard-batch-unknown')
    await page.setViewportSize(PHONE)
    for (const text of ['0000000000', 'Ada Obi']) await page.getByRole('cell', { name: text }).waitFor()
    await page.setViewportSize(DESK.viewport)
    await upload(
      head,
      `${number},${bank},COMPLETELY SOMEBODY ELSE,1000`,
      `${number},${bank},${holder.toLowerCase()},2000`,
      `${number},${bank},,"2,000.00"`,
    )
    await page
      .getByRole('row', { name: new RegExp(`COMPLETELY SOMEBODY ELSE.*${holder}.*Different name.*₦1,000.00`) })
      .waitFor()
    await page.getByRole('row', { name: new RegExp(`${holder} Matches – ₦2,000.00`) }).waitFor()
    await page.getByRole('row', { name: new RegExp(`– ${holder} Not compared Same as row 3 ₦2,000.00`) }).waitFor()
    const { fee } = await (await aTeamMember(shop, 'finance')).call(contract.getTransferFee, {
      query: { amount: 1_000 },
    })
    await page.locator('.figure', { hasText: `Fees${naira(3 * fee)}` }).waitFor()
    await page.getByText('Balance afterwards', { exact: true }).waitFor()
    await page.setViewportSize(PHONE)
    await page.getByRole('cell', { name: 'COMPLETELY SOMEBODY ELSE' }).waitFor()
    await page.setViewportSize(DESK.viewport)
    await look(page, 'dashboard-batch-names')
    await page.getByLabel('Title').fill('Salaries')
    await page.getByLabel('Narration').fill('March')
    const send = page.getByRole('button', { name: 'Send 3 transfers, ₦5,000.00' })
    const isMissing = (name: string): Promise<boolean> =>
      page.evaluate<boolean>(`document.querySelector('[name=${name}]').validity.valueMissing`)
    await send.click()
    assert.equal(await isMissing('differencesChecked'), true)
    await page.getByLabel('1 name differs from the bank’s').check()
    await send.click()
    assert.equal(await isMissing('repeatsChecked'), true)
    await page.getByLabel('1 row has the same account and amount as an earlier row').check()
    await send.click()
    await page.getByRole('link', { name: 'View transfers' }).click()
    await page.getByRole('row').filter({ hasText: '₦1,000.00' }).getByRole('cell', { name: holder }).waitFor()
  },
)
