import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { demoSignInLink } from '../../gateway/src/app/demo.ts'
import { totpCode } from '../../gateway/test/harness/person.ts'
import { look, openSite, type Page } from './browser.ts'

const { shop, page: newPage } = await openSite()
const DESK = { viewport: { width: 1280, height: 800 } }
const PASSWORD = 'correct horse battery'

/** Sets up an authenticator on the profile; answers what shows its codes, a step ahead each time. */
async function setUpAuthenticator(page: Page): Promise<() => string> {
  await page.getByRole('link', { name: 'Set one up' }).click()
  await page.getByRole('button', { name: 'Set up an authenticator' }).click()
  const secret = (await page.locator('.key').innerText()).replaceAll(' ', '')
  await look(page, 'dashboard-authenticator')
  const from = shop.core.wall.now()
  await page.getByLabel('Code that it shows').fill(totpCode(secret, from))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Keep these backup codes').waitFor()
  return () => totpCode(secret, new Date(from.getTime() + 30_000))
}

/** Opens the dashboard as the demo merchant's owner, by the link that the start prints. */
async function asOwner(page: Page): Promise<void> {
  await page.goto((await demoSignInLink(shop.core, shop.url)) ?? '')
  await page.getByRole('heading', { name: 'Welcome, Demo Owner' }).waitFor()
}

test('the owner invites finance, who comes in by the mail, sets up an authenticator, and sees no team', async (t) => {
  const page = await newPage(t, DESK)
  await asOwner(page)
  await look(page, 'dashboard-home')
  await setUpAuthenticator(page)
  await look(page, 'dashboard-profile')
  await page.getByRole('link', { name: 'Team', exact: true }).click()
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  await page.getByLabel('E-mail address').fill('fin@example.com')
  await page.getByLabel('Role', { exact: true }).selectOption('finance')
  await look(page, 'dashboard-invite')
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByText('fin@example.com is invited.').waitFor()
  await look(page, 'dashboard-team')

  const [mail] = await shop.call(contract.readInbox, { query: { to: 'fin@example.com' } })
  const finance = await newPage(t, DESK)
  await finance.goto(/http\S+/.exec(mail?.text ?? '')?.[0] ?? '')
  await finance.getByRole('heading', { name: 'Welcome to Demo Shop' }).waitFor()
  await look(finance, 'dashboard-invitation')
  await finance.getByLabel('Your name').fill('Fin Ance')
  await finance.getByLabel('Password').fill(PASSWORD)
  await finance.getByRole('button', { name: 'Go on' }).click()
  await finance.getByRole('heading', { name: 'Welcome, Fin Ance' }).waitFor()
  assert.equal(await finance.getByRole('link', { name: 'Team', exact: true }).count(), 0)
  await finance.goto(`${shop.url}/dashboard/team`)
  await finance.getByRole('heading', { name: 'Not for your role' }).waitFor()
  await look(finance, 'dashboard-forbidden')

  await finance.goto(`${shop.url}/dashboard`)
  const code = await setUpAuthenticator(finance)
  await finance.getByRole('button', { name: 'Sign out', exact: true }).click()
  await finance.getByRole('heading', { name: 'Sign in' }).waitFor()
  await look(finance, 'dashboard-sign-in')
  await finance.getByLabel('E-mail address').fill('fin@example.com')
  await finance.getByLabel('Password').fill('wrong')
  await finance.keyboard.press('Enter')
  await finance.getByText('E-mail address or password is wrong').waitFor()
  await finance.getByLabel('Password').fill(PASSWORD)
  await finance.keyboard.press('Enter')
  await finance.getByRole('heading', { name: 'Your second factor' }).waitFor()
  await look(finance, 'dashboard-second-factor')
  await finance.getByLabel('Code').fill(code())
  await finance.keyboard.press('Enter')
  await finance.getByRole('heading', { name: 'Welcome, Fin Ance' }).waitFor()
})

test('a stranger makes a sandbox of their own, and a link leads in once', async (t) => {
  const page = await newPage(t, DESK)
  await page.goto(`${shop.url}/dashboard`)
  await page.getByRole('button', { name: 'New here?' }).click()
  await page.getByLabel('E-mail address').fill('new@example.com')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByLabel('Name of your business').fill('Newcomers')
  const link = page.url()
  await page.getByLabel('Your name').fill('Newa Comer')
  await page.getByLabel('Password').fill(PASSWORD)
  await look(page, 'dashboard-sign-up')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('heading', { name: 'Welcome, Newa Comer' }).waitFor()
  await page.getByRole('link', { name: 'Newcomers' }).waitFor()
  const other = await newPage(t, DESK)
  await other.goto(link)
  await other.getByRole('heading', { name: 'This link leads nowhere' }).waitFor()
  await look(other, 'dashboard-dead-link')
  await other.getByRole('link', { name: 'Go to sign-in' }).click()
  await other.getByRole('button', { name: 'Forgot your password?' }).click()
  await other.getByLabel('E-mail address').fill('new@example.com')
  await other.getByRole('button', { name: 'Mail me a link' }).click()
  await other.getByText('a link is on its way').waitFor()
  await look(other, 'dashboard-reset')
})

test('the colours are the system’s, or those that one chose', async (t) => {
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
