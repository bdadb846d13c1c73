import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { type GatewayOptions, gateway, type TestGateway } from '../../gateway/test/harness/gateway.ts'
import { aTransaction, checkoutReferenceOf, pay } from '../../gateway/test/harness/samples.ts'
import { isShort } from '../../gateway/test/harness/slow.ts'
import { until, WAIT_MILLISECONDS_MAX } from '../../gateway/test/harness/until.ts'
import { findChromium } from '../../tools/chromium.js'
import { buildAndReport } from '../build.js'

/** The folder for screenshots of every checked state; none are taken without it. */
const PICTURES = process.env['KOBO_TEST_PICTURES']
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The checked sizes: a desktop, a cheap phone, and the narrowest. */
const SIZES = [
  { name: 'desk', width: 1280, height: 800 },
  { name: 'phone', width: 360, height: 640 },
  { name: 'narrow', width: 320, height: 568 },
] as const
const PHONE = { width: 360, height: 640 }

/** A gateway for one test file, and pages to use it. */
export interface Site {
  readonly shop: TestGateway
  /** A new page with no stored state. Any error it reports fails the test. */
  readonly page: (t: TestContext, options?: BrowserContextOptions) => Promise<Page>
}

export async function openSite(options: GatewayOptions = {}): Promise<Site> {
  await buildAndReport()
  const shop = await gateway({ after } as unknown as TestContext, options)
  return {
    shop,
    page: async (t, options) => {
      const context = await (options === undefined ? sharedContext() : openContext(options))
      const page = await context.newPage()
      const complaints = complaintsOf(page, new URL(shop.url).host)
      t.after(async () => {
        await (options === undefined ? leave(context, shop.url) : context.close())
        assert.deepEqual(complaints, [])
      })
      return page
    },
  }
}

const ARGUMENTS = [
  '--no-sandbox', // root has no sandbox
  '--disable-background-networking',
  // One process for all pages, so that compiled code is shared.
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
]

let browser: Promise<Browser> | undefined
after(async () => (await browser)?.close())

/** The browser of this process's tests. */
function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: ARGUMENTS, timeout: WAIT_MILLISECONDS_MAX })
}

async function openContext(options: BrowserContextOptions): Promise<BrowserContext> {
  browser ??= launch()
  // Tests need no animation to be drawn.
  const context = await (await browser).newContext({ viewport: PHONE, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(WAIT_MILLISECONDS_MAX)
  await context.addInitScript(WATCH_SHIFTS)
  return context
}

let shared: Promise<BrowserContext> | undefined

/** A new context takes Chromium two seconds, so tests without special options share one. */
async function sharedContext(): Promise<BrowserContext> {
  shared ??= openContext({}).then(async (context) => {
    await context.newPage() // keeps the window open
    return context
  })
  return shared
}

/** Cleans up the shared context. */
async function leave(context: BrowserContext, origin: string): Promise<void> {
  const [first, ...ours] = context.pages()
  assert.ok(first !== undefined)
  await Promise.all(ours.map((page) => page.close()))
  await context.setOffline(false)
  await context.clearCookies()
  const session = await context.newCDPSession(first)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.detach()
}

/** Script errors, policy violations, and requests to other hosts. */
function complaintsOf(page: Page, host: string): readonly string[] {
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(`error: ${message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) complaints.push(message.text())
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    const isOurs = url.host === host || !/^(http|ws)/.test(url.protocol) || request.isNavigationRequest()
    if (!isOurs && !ELSEWHERE.has(url.origin)) complaints.push(`asks ${url.host}`)
  })
  return complaints
}

/** Origins of merchants' own pages, served by tests. */
export const ELSEWHERE = new Set<string>()

/** Sums up layout shifts, as browsers measure them. */
const WATCH_SHIFTS = `
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
  }).observe({ type: 'layout-shift', buffered: true })`

/** Does something after which the page shows this text, even briefly. */
export async function shows(page: Page, text: string, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(`void (window.shown = new Promise((resolve) => new MutationObserver(() => {
    if (document.body.innerText.includes(${JSON.stringify(text)})) resolve()
  }).observe(document.body, { subtree: true, childList: true, characterData: true })))`)
  await act()
  await page.evaluate('window.shown')
}

/** The most tab stops before the target. */
const STOPS_MAX = 200

/** Presses Tab until the focus is on this text. */
export async function tabTo(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor()
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate<string>('document.activeElement.textContent')) === text) return
  }
  assert.fail(`the keyboard does not come to “${text}”`)
}

/** Waits until the focus is on the element with this id. */
export const focusOn = (page: Page, id: string): Promise<unknown> =>
  page.waitForFunction(`document.activeElement.id === '${id}'`)

/** The total layout shift without user input. */
export const shiftOf = (page: Page): Promise<number> => page.evaluate<number>('window.shifted')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Checks a page at every size, light and dark: nothing sticks out, and it is accessible. The short run checks one size. */
export async function look(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? PHONE
  // The dashboard shows more on a desktop than on a phone; other pages show the same at every size.
  const showsMore = (await page.locator('.dashboard').count()) > 0
  const [desk, phone] = SIZES
  for (const { name: size, ...viewport } of isShort ? [showsMore ? desk : phone] : SIZES) {
    await resize(page, viewport)
    await checkWidth(page, name)
    await takePicture(page, `${name}-${size}`)
    if (size === 'phone' || (showsMore && size === 'desk')) await checkAccess(page, `${name} on a ${size}`)
  }
  if (!isShort) await lookByNight(page, name, showsMore ? [desk, phone] : [phone])
  await resize(page, before)
}

/** Changes the size of a page. The browser lays out and draws it again even if it has this size. */
async function resize(
  page: Page,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<void> {
  const now = page.viewportSize()
  if (now?.width !== width || now.height !== height) await page.setViewportSize({ width, height })
}

async function lookByNight(page: Page, name: string, sizes: readonly (typeof SIZES)[number][]): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const { width, height } of sizes) {
    await page.setViewportSize({ width, height })
    await checkAccess(page, `${name} by night at ${width}`, ['color-contrast'])
  }
  await takePicture(page, `${name}-night`)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Checks a page with few states at the largest size in light and at the narrowest in dark. The short run checks only that it fits the narrowest. */
export async function glance(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? PHONE
  const [desk, , narrow] = SIZES
  if (isShort) {
    await resize(page, narrow)
    await checkWidth(page, name)
  } else {
    for (const [size, colorScheme] of [[desk, 'light'] as const, [narrow, 'dark'] as const]) {
      await page.emulateMedia({ colorScheme })
      await resize(page, size)
      await checkWidth(page, name)
      await takePicture(page, `${name}-${size.name}`)
      await checkAccess(page, `${name} ${size.name}, ${colorScheme}`)
    }
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await resize(page, before)
}

/** Navigates like a link inside the dashboard and waits until the screen has loaded. */
export async function go(page: Page, path: string): Promise<void> {
  const address = JSON.stringify(`/dashboard/${path}`)
  await page.evaluate(`history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate'))`)
  const isLoaded = "document.querySelector('h1') !== null && document.querySelector('.waiting') === null"
  await until(`${path} has loaded`, () => page.evaluate<boolean>(isLoaded))
}

/** Opens a screen from the menu, whose group may be folded. */
export async function openFromMenu(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Screens' })
  // From the page, since a filter looks for it inside each group.
  const has = page.getByRole('link', { name, exact: true, includeHidden: true })
  const link = menu.locator(has)
  await link.waitFor({ state: 'attached' })
  if (!(await link.isVisible())) await menu.locator('.group', { has }).getByRole('button').click()
  await link.click()
}

/** Nothing overflows, and no list is cut off at phone width. The figures behind a chart may scroll. */
async function checkWidth(page: Page, name: string): Promise<void> {
  const [width, window] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
  assert.ok(width <= window, `${name} at ${window}: ${width} wide`)
  if (window < PHONE.width) return
  const cut = await page.evaluate<string[]>(
    "[...document.querySelectorAll('.table-frame:has(.list)')].filter((frame) => frame.scrollWidth > frame.clientWidth).map((frame) => frame.innerText)",
  )
  assert.deepEqual(cut, [], `${name} at ${window}: lists that are cut off`)
}

/** Saves a screenshot if the run asks for them. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true })
}

/** The page is accessible, as far as axe can tell; all rules by default. The short run leaves out the contrast of colours, half of the work. */
export async function checkAccess(page: Page, name: string, rules?: readonly string[]): Promise<void> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  const options = JSON.stringify({
    resultTypes: ['violations'],
    ...(rules !== undefined && { runOnly: rules }),
    ...(isShort && { rules: { 'color-contrast': { enabled: false } } }),
  })
  const violations = await page.evaluate<Violation[]>(`axe.run(${options}).then(({ violations }) => violations)`)
  const reported = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`)
  assert.deepEqual(reported, [], name)
}

type NewTransaction = Input<typeof contract.initTransaction>['body']

export interface Payment extends Reply<typeof contract.initTransaction> {
  readonly params: { readonly transactionReference: string; readonly checkoutReference: string }
}

/** A payment waiting for its customer. */
export async function aPayment(shop: TestGateway, changes: Partial<NewTransaction> = {}): Promise<Payment> {
  const response = await shop.call(contract.initTransaction, { body: aTransaction(shop, changes) })
  const { transactionReference, checkoutUrl } = response
  return { ...response, params: { transactionReference, checkoutReference: checkoutReferenceOf(checkoutUrl) } }
}

/** The customer pays into the account shown by the checkout. */
export async function send(shop: TestGateway, { params }: Payment, amount: number | string): Promise<void> {
  const { account } = await shop.call(contract.getCheckout, { params })
  assert.ok(account !== null, 'the checkout has an account')
  assert.equal((await pay(shop, account, amount)).status, 'ACCEPTED')
}

export type { BrowserContext, Locator, Page }
