import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { gateway, type TestGateway } from '../../gateway/test/harness/gateway.ts'
import { aTransaction, checkoutReferenceOf, pay } from '../../gateway/test/harness/samples.ts'
import { WAIT_MILLISECONDS_MAX } from '../../gateway/test/harness/wait.ts'
import { findChromium } from '../../tools/chromium.js'
import { buildAndTell } from '../build.js'

/** Where pictures go of every state of a page that is looked at; none are taken where no folder is named. */
const PICTURES = process.env['KOBO_TEST_PICTURES']
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The sizes at which every state of a page is looked at: a desk, a cheap phone, and the narrowest there is. */
const SIZES = [
  { name: 'desk', width: 1280, height: 800 },
  { name: 'phone', width: 360, height: 640 },
  { name: 'narrow', width: 320, height: 568 },
] as const
const PHONE = { width: 360, height: 640 }

/** A gateway for one file of tests, and pages to look at it with. */
export interface Site {
  readonly shop: TestGateway
  /** A new page with nothing kept from another. Whatever it complains about fails the test. */
  readonly page: (t: TestContext, options?: BrowserContextOptions) => Promise<Page>
}

export async function openSite(): Promise<Site> {
  await buildAndTell()
  const shop = await gateway({ after } as unknown as TestContext)
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
  '--no-sandbox', // root has none
  '--disable-background-networking',
  // One process for all pages, so that what it has compiled for one it need not for the next.
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
]

let browser: Promise<Browser> | undefined
after(async () => (await browser)?.close())

/** The browser of all tests of this process. */
function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: ARGUMENTS, timeout: WAIT_MILLISECONDS_MAX })
}

async function openContext(options: BrowserContextOptions): Promise<BrowserContext> {
  browser ??= launch()
  const context = await (await browser).newContext({ viewport: PHONE, ...options })
  context.setDefaultTimeout(WAIT_MILLISECONDS_MAX)
  await context.addInitScript(WATCH_SHIFTS)
  return context
}

let shared: Promise<BrowserContext> | undefined

/** Chromium works for two seconds on every new context, so those who have no wishes share one. */
async function sharedContext(): Promise<BrowserContext> {
  shared ??= openContext({}).then(async (context) => {
    await context.newPage() // stays, and keeps the window open
    return context
  })
  return shared
}

/** Leaves the shared context as it was: no page of ours, and nothing that one has kept. */
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

/** Errors of scripts, breaches of the Content-Security-Policy, and requests to hosts that are not ours. */
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

/** Origins of a merchant's own pages, which tests serve. */
export const ELSEWHERE = new Set<string>()

/** Sums up how far things have moved by themselves, as browsers measure it. */
const WATCH_SHIFTS = `
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
  }).observe({ type: 'layout-shift', buffered: true })`

/** Does something after which the page shows this text, if only for a moment. */
export async function shows(page: Page, text: string, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(`void (window.shown = new Promise((resolve) => new MutationObserver(() => {
    if (document.body.innerText.includes(${JSON.stringify(text)})) resolve()
  }).observe(document.body, { subtree: true, childList: true, characterData: true })))`)
  await act()
  await page.evaluate('window.shown')
}

/** So many stops a page may have before the one that is looked for. */
const STOPS_MAX = 200

/** Goes on with the Tab key until the keyboard is on what has this text. */
export async function tabTo(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor()
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate<string>('document.activeElement.textContent')) === text) return
  }
  assert.fail(`the keyboard does not come to “${text}”`)
}

/** Waits until the keyboard is on the element with this id. */
export const focusOn = (page: Page, id: string): Promise<unknown> =>
  page.waitForFunction(`document.activeElement.id === '${id}'`)

/** How far things have moved on the page without anybody having touched it. */
export const shiftOf = (page: Page): Promise<number> => page.evaluate<number>('window.shifted')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Looks at a page at every size, by day and by night: nothing sticks out, and all can use it. */
export async function look(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? PHONE
  // The dashboard shows more on a desk than on a phone; elsewhere what is there is the same at every size.
  const showsMore = (await page.locator('.dashboard').count()) > 0
  for (const { name: size, ...viewport } of SIZES) {
    await page.setViewportSize(viewport)
    await checkWidth(page, name)
    await takePicture(page, `${name}-${size}`)
    if (size === 'phone' || (showsMore && size === 'desk')) await checkAccess(page, `${name} on a ${size}`)
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const viewport of showsMore ? [SIZES[0], PHONE] : [PHONE]) {
    await page.setViewportSize({ width: viewport.width, height: viewport.height })
    await checkAccess(page, `${name} by night at ${viewport.width}`, ['color-contrast'])
  }
  await takePicture(page, `${name}-night`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(before)
}

/** Looks at a page of the dashboard at the largest size by day and at the narrowest by night: enough for what has few states. */
export async function glance(page: Page, name: string): Promise<void> {
  const [desk, , narrow] = SIZES
  for (const [{ name: size, ...viewport }, colorScheme] of [[desk, 'light'] as const, [narrow, 'dark'] as const]) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await checkWidth(page, name)
    await takePicture(page, `${name}-${size}`)
    await checkAccess(page, `${name} ${size}, ${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: desk.width, height: desk.height })
}

/** Nothing sticks out, and no list is cut off where there is the room of a phone. The figures behind a chart may be: they can be scrolled. */
async function checkWidth(page: Page, name: string): Promise<void> {
  const [width, window] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
  assert.ok(width <= window, `${name} at ${window}: ${width} wide`)
  if (window < PHONE.width) return
  const cut = await page.evaluate<string[]>(
    "[...document.querySelectorAll('.table-frame:has(.list)')].filter((frame) => frame.scrollWidth > frame.clientWidth).map((frame) => frame.innerText)",
  )
  assert.deepEqual(cut, [], `${name} at ${window}: lists that are cut off`)
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true })
}

/** Everyone can use the page, as far as a program can tell. By all its rules, unless some are named. */
export async function checkAccess(page: Page, name: string, rules?: readonly string[]): Promise<void> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) })
  const violations = await page.evaluate<Violation[]>(`axe.run(${options}).then(({ violations }) => violations)`)
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`)
  assert.deepEqual(told, [], name)
}

type NewTransaction = Input<typeof contract.initTransaction>['body']

export interface Payment extends Reply<typeof contract.initTransaction> {
  readonly params: { readonly transactionReference: string; readonly checkoutReference: string }
}

/** A payment that a customer is to make. */
export async function aPayment(shop: TestGateway, changes: Partial<NewTransaction> = {}): Promise<Payment> {
  const answer = await shop.call(contract.initTransaction, { body: aTransaction(shop, changes) })
  const { transactionReference, checkoutUrl } = answer
  return { ...answer, params: { transactionReference, checkoutReference: checkoutReferenceOf(checkoutUrl) } }
}

/** The customer sends money to the account that the checkout shows. */
export async function send(shop: TestGateway, { params }: Payment, amount: number | string): Promise<void> {
  const { account } = await shop.call(contract.getCheckout, { params })
  assert.ok(account !== null, 'the checkout has an account')
  assert.equal((await pay(shop, account, amount)).status, 'ACCEPTED')
}

export type { BrowserContext, Page }
