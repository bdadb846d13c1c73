import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { CLIENT, realProvider } from '../../gateway/test/harness/identity-providers.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aTeamMember } from '../../gateway/test/harness/users.ts'
import { look, openSite, type Page } from './browser.ts'

const { shop, page: newPage } = await openSite()
const DESK = { viewport: { width: 1280, height: 800 } }

/** Logs in at the provider's own page. */
async function logIn(page: Page, user: string): Promise<void> {
  await page.getByLabel('User').fill(user)
  await page.getByRole('button', { name: 'Log in' }).click()
}

slow('an owner sets single sign-on up, signs in and confirms an action there; turning it off asks', async (t) => {
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  const { redirectUri, address } = await owner.call(contract.getSignOn, {})
  const issuer = await realProvider(t, [redirectUri], ['mfa'])
  const page = await newPage(t, DESK)
  const [name = '', value = ''] = owner.cookie.split('=')
  await page.context().addCookies([{ name, value, url: shop.url }])
  await page.goto(`${shop.url}/dashboard/team`)
  await page.getByRole('button', { name: 'Set up single sign-on' }).click()
  await page.getByText(redirectUri).waitFor()
  await page.getByLabel('Issuer').fill(issuer)
  await page.getByLabel('Client ID').fill(CLIENT.clientId)
  await page.getByLabel('Client secret').fill(CLIENT.clientSecret)
  await page.getByLabel('Email domains').fill('example.com')
  await page.getByLabel('Provider’s second factor').fill('mfa')
  await look(page, 'dashboard-sign-on-form')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Single sign-on saved.').waitFor()
  await look(page, 'dashboard-sign-on-settings')
  // There is another owner, so the provider's second factor counts once a second one agrees.
  const second = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  const settings = { issuer, clientId: CLIENT.clientId, domains: ['example.com'], isRequired: false }
  await second.call(contract.setSignOn, { body: { ...settings, secondFactor: ['mfa'] } })
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await page.getByRole('button', { name: 'Single sign-on' }).click()
  await page.getByRole('heading', { name: 'Single sign-on' }).waitFor()
  await look(page, 'dashboard-sign-on-mail')

  await page.goto(address)
  await page.getByRole('button', { name: 'Continue with single sign-on' }).waitFor()
  await look(page, 'dashboard-sign-on')
  await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
  await logIn(page, 'stranger@example.com')
  await page.getByText('no one with your email address is in this team').waitFor()
  await look(page, 'dashboard-sign-on-rejected')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
  await logIn(page, owner.email)
  await page.getByRole('heading', { name: 'Welcome, Test owner' }).waitFor()
  assert.equal(new URL(page.url()).search, '')
  await page.goto(`${shop.url}/dashboard/profile`)
  await page.getByText('You signed in through your team’s identity provider.').waitFor()
  await look(page, 'dashboard-sign-on-profile')

  await shop.core.db`update session set second_factor_at = second_factor_at - interval '1 hour'`
  await page.goto(`${shop.url}/dashboard/team`)
  await page.getByRole('button', { name: 'Invite team member' }).click()
  await page.getByLabel('Email address').fill('new@example.com')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
  await look(page, 'dashboard-sign-on-confirm')
  const popup = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Confirm with single sign-on' }).click()
  await logIn(await popup, owner.email)
  await page.getByText('new@example.com invited.').waitFor()

  const turnOff = async (choice: string): Promise<void> => {
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: choice }).click()
  }
  await turnOff('Cancel')
  assert.notEqual((await second.call(contract.getSignOn, {})).settings, null)
  await turnOff('Turn off single sign-on')
  await until('single sign-on is off', async () => (await second.call(contract.getSignOn, {})).settings === null)
})
