import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { changeSettings, type Reply, whoAmI } from '@kobo/contract'
import { long } from '../../gateway/test/harness/long.ts'
import { anAccount, pay } from '../../gateway/test/harness/samples.ts'
import { isShort, slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { anOperator, aTeamMember, type TestUser } from '../../gateway/test/harness/users.ts'
import { glance, go, openSite, type Page } from './browser.ts'

interface Screen {
  readonly name: string
  readonly title: string
}

/** Imports the dashboard's own list of screens, so that new screens are covered. It is typed by the browser build. */
const importScreens = (file: string): Promise<unknown> => import(new URL(`../dashboard/${file}`, import.meta.url).href)
const { SCREENS } = (await importScreens('screens.ts')) as { readonly SCREENS: readonly Screen[] }
const { isVisibleTo } = (await importScreens('shell/screen.ts')) as {
  readonly isVisibleTo: (screen: Screen, me: Reply<typeof whoAmI>) => boolean
}

const { shop, page: newPage } = await openSite()
/** The short run checks only the narrowest size, so its pages start with it. */
const SIZE = { viewport: isShort ? { width: 320, height: 568 } : { width: 1280, height: 800 } }

async function pageOf(t: TestContext, { cookie }: TestUser): Promise<Page> {
  const page = await newPage(t, SIZE)
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url: shop.url }])
  await page.goto(`${shop.url}/dashboard`)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  return page
}

long('every empty screen is accessible, on a desktop in light and a narrow phone in dark', async (t) => {
  // The short run sees an owner's screens in the test of lists and detail pages.
  const owners = isShort ? [] : [await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })]
  const people = [...owners, await anOperator(shop, 'operator')]
  const seen = new Set<string>()
  for (const person of people) {
    const me = await person.call(whoAmI, {})
    const page = await pageOf(t, person)
    for (const screen of SCREENS.filter((candidate) => isVisibleTo(candidate, me))) {
      await go(page, screen.name)
      assert.equal(await page.title(), `${screen.title} · Kobo`)
      await glance(page, `screen-${screen.name || 'home'}${seen.has(screen.name) ? '-operator' : ''}`)
      seen.add(screen.name)
    }
  }
  // A screen that neither user can open would stay untested.
  assert.deepEqual(
    SCREENS.filter(({ name }) => !isShort && !seen.has(name)),
    [],
  )
})

slow('a screen shows an error if the gateway fails and a message if an item is unknown', async (t) => {
  const page = await pageOf(t, await aTeamMember(shop, 'owner'))
  const failure = { requestSuccessful: false, responseCode: '99', responseMessage: 'Something went wrong here' }
  await page.route('**/dashboard/api/lists/**', (route) => route.fulfill({ status: 500, json: failure }))
  await page.route('**/dashboard/api/team', (route) => route.fulfill({ status: 500, json: failure }))
  for (const name of ['transactions', 'team']) {
    await go(page, name)
    await page.getByText(failure.responseMessage).waitFor()
    await glance(page, `failed-${name}`)
  }
  await page.unrouteAll()
  await go(page, 'nothing-like-it')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await glance(page, 'screen-unknown')
  await go(page, 'refunds/1')
  await page.getByRole('heading', { name: 'Refund not found' }).waitFor()
})

slow('the menu folds, stays as it was left, and marks the current screen, also of a part of it', async (t) => {
  const page = await pageOf(t, await aTeamMember(shop, 'owner', { secondFactor: 'fresh' }))
  await page.setViewportSize({ width: 1280, height: 600 })
  const menu = page.getByRole('navigation', { name: 'Screens' })
  const current = menu.locator('[aria-current]')
  const button = (name: string) => menu.getByRole('button', { name, exact: true })
  const isInView = (): Promise<boolean> =>
    page.evaluate<boolean>(`(() => {
      const entry = document.querySelector('.navigation [aria-current]')
      const [{ top, bottom }, frame] = [entry, entry.closest('nav')].map((one) => one.getBoundingClientRect())
      return top >= frame.top && bottom <= Math.min(frame.bottom, innerHeight)
    })()`)
  for (const name of ['Home', 'Customers', 'Transfers', 'Approvals'])
    assert.ok(await menu.getByRole('link', { name, exact: true }).isVisible(), name)
  assert.equal(await menu.getByRole('link', { name: 'Keys' }).count(), 0)
  await button('Developers').click()
  await button('Payouts').click()
  assert.equal(await button('Developers').getAttribute('aria-expanded'), 'true')
  await page.reload()
  const keys = menu.getByRole('link', { name: 'Keys', exact: true })
  const width = (await keys.boundingBox())?.width
  await keys.click()
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  assert.equal((await keys.boundingBox())?.width, width)
  await button('Payouts').click()
  // Each of these opens its own group, as far down as it may be.
  for (const [path, entry, isPart] of [
    ['audit', 'Audit log', false],
    ['new-batch', 'Batches', true],
    ['new-transfer', 'Transfers', true],
    ['new-refunds', 'Refunds', true],
    ['check-integration', 'Check your integration', false],
  ] as const) {
    await page.goto(`${shop.url}/dashboard/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await current.innerText(), entry)
    assert.equal(await current.getAttribute('aria-current'), isPart ? 'true' : 'page')
    assert.ok(await isInView(), `${entry} is in view`)
    if (isPart) assert.ok(await page.getByRole('main').getByRole('link', { name: entry, exact: true }).isVisible())
  }
})

slow('home lists the steps to the first payment, updates in place, and announces new attention items', async (t) => {
  const paid = async (amount: number): Promise<void> =>
    void (await pay(shop, await anAccount(shop, { amount }), amount))
  const page = await pageOf(t, await aTeamMember(shop, 'owner'))
  await page.getByRole('heading', { name: 'Get started' }).waitFor()
  await page.getByRole('link', { name: 'Set up a second factor for your account' }).waitFor()
  const goLive = page.getByRole('link', { name: 'Go live' })
  const guide = await fetch(shop.url + (await goLive.getAttribute('href')))
  assert.match(await guide.text(), /<h1[^>]*>Go live/)
  const webhook = 'Add a webhook URL, so that we can notify your server of payments'
  await page.getByRole('link', { name: webhook }).waitFor()
  const support = await pageOf(t, await aTeamMember(shop, 'support'))
  await support.getByRole('link', { name: 'Receive your first payment' }).waitFor()
  assert.equal(await support.getByText(webhook).count(), 0, 'support cannot open that screen')
  await paid(5_000)
  await page.locator('.figure', { hasText: 'Next settlement' }).getByText('₦4,925.00').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Get started' }).count(), 0)
  await goLive.waitFor()
  const collected = page.locator('.figure', { hasText: 'Collected today' }).locator('dd').first()
  const before = await collected.innerText()
  const places = (): Promise<readonly unknown[]> =>
    Promise.all(['h1', '.figures', '.chart'].map((part) => page.locator(part).first().boundingBox()))
  const placed = await places()
  await paid(7_000)
  await until('the figure is updated', async () => (await collected.innerText()) !== before)
  await shop.call(changeSettings, { body: { lowBalanceThreshold: 900_000_000 } })
  await paid(9_000)
  const announcement = page.getByRole('button', { name: 'Something new needs attention' })
  await announcement.waitFor()
  assert.equal(await page.getByText('Needs attention', { exact: true }).count(), 0)
  assert.deepEqual(await places(), placed)
  await announcement.click()
  await page.getByText('Wallet balance is below your alert level').waitFor()
})
