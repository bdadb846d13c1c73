import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import type { Locator } from 'playwright-core'
import { unitOfWork } from '../../gateway/src/core/unit-of-work.ts'
import { createLink, linkAddress } from '../../gateway/src/features/sign-in/index.ts'
import { paid } from '../../gateway/test/harness/refund-samples.ts'
import { aTransfer } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { aTeamMember, totpCode } from '../../gateway/test/harness/users.ts'
import { openSite, type Page } from './browser.ts'

const { shop, page: newPage } = await openSite()
const DESK = { viewport: { width: 1280, height: 800 } }
const PASSWORD = 'correct horse battery'
const STOPS_MAX = 150

/** Presses Tab until the focus is on an element, which is named only as assistive technology names it. */
async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`the keyboard does not reach ${target}`)
}

type Place = Pick<Page, 'getByRole' | 'getByLabel'>

async function press(page: Page, role: 'button' | 'link', name: string, within: Place = page): Promise<void> {
  await reach(page, within.getByRole(role, { name, exact: true }).first())
  await page.keyboard.press('Enter')
}

async function write(page: Page, label: string, text: string): Promise<void> {
  await reach(page, page.getByLabel(label, { exact: true }))
  await page.keyboard.type(text)
}

const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name }).first().waitFor()

slow('an owner signs in with a second factor, refunds, approves and manages the team by keyboard only', async (t) => {
  const transactionReference = await paid(shop, 7_300)
  const maker = await aTeamMember(shop, 'finance')
  const transfer = await aTransfer(shop, { amount: 12_500 })
  await maker.call(contract.initiateTransfer, { body: transfer })
  const email = 'keyboard-owner@example.com'
  const { token } = await unitOfWork(shop.core, (unit) =>
    createLink(unit, {
      kind: 'INVITATION',
      email,
      merchantId: shop.merchantId,
      role: 'owner',
      at: shop.core.wall.now(),
    }),
  )
  const page = await newPage(t, DESK)
  await page.goto(linkAddress(shop.url, token))
  await write(page, 'Your name', 'Key Board')
  await write(page, 'Password', PASSWORD)
  await page.keyboard.press('Enter')
  await heading(page, 'Welcome, Key Board')
  await press(page, 'link', 'Set one up')
  await press(page, 'button', 'Set up authenticator app')
  const secret = (await page.locator('.key').innerText()).replaceAll(' ', '')
  const from = shop.core.wall.now()
  await write(page, 'Code from the app', totpCode(secret, from))
  await page.keyboard.press('Enter')
  await page.getByText('Save these backup codes').waitFor()
  // A day passes, after which a new owner has all rights.
  await shop.db`update membership set rights_from = null where merchant_id = ${shop.merchantId}`

  await press(page, 'button', 'Sign out')
  await heading(page, 'Sign in')
  await write(page, 'Email address', email)
  await write(page, 'Password', PASSWORD)
  await page.keyboard.press('Enter')
  await heading(page, 'Two-factor authentication')
  await write(page, 'Code', totpCode(secret, new Date(from.getTime() + 30_000)))
  await page.keyboard.press('Enter')
  await heading(page, 'Welcome, Key Board')

  await page.keyboard.press('/')
  await page.keyboard.type(transactionReference)
  await page.keyboard.press('Enter')
  await heading(page, '₦7,300.00')
  await press(page, 'button', 'Refund')
  const dialog = page.getByRole('dialog')
  await write(page, 'Reason', 'Wrong size')
  await write(page, 'Note for the customer', 'Sorry!')
  await press(page, 'button', 'Refund', dialog)
  await page.getByText('Refund requested.').waitFor()

  await press(page, 'link', 'Approvals')
  const waiting = page.getByRole('article', { name: `Transfer ${transfer.reference}` })
  await press(page, 'button', 'Approve', waiting)
  await page.getByText(`${transfer.reference}: Success.`).waitFor()

  const settings = page.getByRole('button', { name: 'Settings', exact: true })
  assert.equal(await settings.getAttribute('aria-expanded'), 'false')
  await press(page, 'button', 'Settings')
  assert.equal(await settings.getAttribute('aria-expanded'), 'true')
  await press(page, 'link', 'Team')
  await press(page, 'button', 'Invite team member')
  await write(page, 'Email address', 'keys@example.com')
  await press(page, 'button', 'Send invitation', dialog)
  await page.getByText('keys@example.com invited.').waitFor()
  const row = page.getByRole('row').filter({ hasText: maker.email })
  await reach(page, row.getByRole('button', { name: /^Remove/ }))
  await page.keyboard.press('Enter')
  await press(page, 'button', 'Remove', dialog)
  await row.waitFor({ state: 'detached' })
})

slow('finance sends a transfer by keyboard only, and it waits for approval', async (t) => {
  const { cookie } = await aTeamMember(shop, 'finance')
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  const transfer = await aTransfer(shop)
  const page = await newPage(t, DESK)
  await page.context().addCookies([{ name, value, url: shop.url, httpOnly: true }])
  await page.goto(`${shop.url}/dashboard/transfers`)
  await press(page, 'link', 'Create transfer')
  const bank = page.getByLabel('Bank', { exact: true })
  await reach(page, bank)
  for (let stop = 0; stop < STOPS_MAX && (await bank.inputValue()) !== transfer.destinationBankCode; stop++)
    await page.keyboard.press('ArrowDown')
  await write(page, 'Account number', transfer.destinationAccountNumber)
  await write(page, 'Amount in naira', '2,500')
  await write(page, 'Narration', 'Rent')
  await page.keyboard.press('Enter')
  await press(page, 'button', 'Send money')
  await page.getByText('Pending authorization').waitFor()
})
