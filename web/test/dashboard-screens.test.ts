import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { changeSettings, type Reply, whoAmI } from '@kobo/contract'
import { anOperator, aPerson, type TestPerson } from '../../gateway/test/harness/person.ts'
import { anAccount, pay } from '../../gateway/test/harness/samples.ts'
import { until } from '../../gateway/test/harness/wait.ts'
import { glance, openSite, type Page } from './browser.ts'

interface Screen {
  readonly name: string
  readonly title: string
}

/** The list of the dashboard itself, so that nobody forgets a new screen here; it is built for browsers, and typed there. */
const listed = (file: string): Promise<unknown> => import(new URL(`../dashboard/${file}`, import.meta.url).href)
const { SCREENS } = (await listed('screens.ts')) as { readonly SCREENS: readonly Screen[] }
const { isFor } = (await listed('screen.ts')) as {
  readonly isFor: (screen: Screen, me: Reply<typeof whoAmI>) => boolean
}

const { shop, page: newPage } = await openSite()
const DESK = { viewport: { width: 1280, height: 800 } }

async function pageOf(t: TestContext, { cookie }: TestPerson): Promise<Page> {
  const page = await newPage(t, DESK)
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url: shop.url }])
  await page.goto(`${shop.url}/dashboard`)
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  return page
}

/** Goes to a screen as a link inside the dashboard does, and waits until all of it is there. */
async function go(page: Page, path: string): Promise<void> {
  const address = JSON.stringify(`/dashboard/${path}`)
  await page.evaluate(`history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate'))`)
  const isThere = "document.querySelector('h1') !== null && document.querySelector('.waiting') === null"
  await until(`${path} is there`, () => page.evaluate<boolean>(isThere))
}

test('every screen can be used by all, before there is anything in it, on a desk by day and on the narrowest phone by night', async (t) => {
  const people = [await aPerson(shop, 'owner', { secondFactor: 'fresh' }), await anOperator(shop, 'operator')]
  const seen = new Set<string>()
  for (const person of people) {
    const me = await person.call(whoAmI, {})
    const page = await pageOf(t, person)
    for (const screen of SCREENS.filter((one) => isFor(one, me))) {
      await go(page, screen.name)
      assert.equal(await page.title(), `${screen.title} · Kobo`)
      await glance(page, `screen-${screen.name || 'home'}${seen.has(screen.name) ? '-operator' : ''}`)
      seen.add(screen.name)
    }
  }
  // A screen that is for neither would be looked at by nobody.
  assert.deepEqual(
    SCREENS.filter(({ name }) => !seen.has(name)),
    [],
  )
})

test('a screen says what is wrong where the gateway fails, and that there is nothing where there is not', async (t) => {
  const page = await pageOf(t, await aPerson(shop, 'owner'))
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
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  await glance(page, 'screen-unknown')
  await go(page, 'refunds/1')
  await page.getByRole('heading', { name: 'There is no such refund' }).waitFor()
})

test('home follows what is paid and moves nothing; what is newly to be looked at is announced', async (t) => {
  const paid = async (amount: number): Promise<void> =>
    void (await pay(shop, await anAccount(shop, { amount }), amount))
  await paid(5_000)
  const page = await pageOf(t, await aPerson(shop, 'owner'))
  const collected = page.locator('.figure', { hasText: 'Collected today' }).locator('dd').first()
  const before = await collected.innerText()
  const places = (): Promise<readonly unknown[]> =>
    Promise.all(['h1', '.figures', '.chart'].map((part) => page.locator(part).boundingBox()))
  const placed = await places()
  await paid(7_000)
  await until('the figure follows', async () => (await collected.innerText()) !== before)
  await shop.call(changeSettings, { body: { lowBalanceThreshold: 900_000_000 } })
  await paid(9_000)
  const news = page.getByRole('button', { name: 'Something else is to be looked at' })
  await news.waitFor()
  assert.equal(await page.getByText('To be looked at', { exact: true }).count(), 0)
  assert.deepEqual(await places(), placed)
  await news.click()
  await page.getByText('The wallet is lower than you want it to be').waitFor()
})
