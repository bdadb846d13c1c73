// Takes the documentation's screenshots, with its own sandbox, generated payments and a real browser.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { findChromium } from './chromium.js'

const HELP = `Retakes the dashboard's screenshots in docs/pictures.

Usage: npm run pictures             takes them
       npm run pictures -- --help   shows this
`
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, 'docs/pictures')
const DESK = { width: 1200, height: 750 }
const QUALITY = 72
const STARTED_SECONDS_MAX = 120
/** How long a page may take to load. */
const PAGE_SECONDS = 3

interface Sandbox {
  readonly url: string
  readonly signInLink: string
  readonly kobo: (...args: readonly string[]) => string
  readonly stop: () => Promise<void>
}

async function startSandbox(): Promise<Sandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'kobo-pictures-'))
  const env = { ...process.env, KOBO_DATA_DIR: folder, PORT: '0' }
  const child = spawn('node', ['gateway/src/main.ts'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  for (let second = 0; second < STARTED_SECONDS_MAX && !printed.includes('Ctrl-C'); second++) await pause(1_000)
  const [, url] = /ready at (\S+)/.exec(printed) ?? []
  const [, signInLink] = /(http\S+\/dashboard\S+)/.exec(printed) ?? []
  if (url === undefined || signInLink === undefined) {
    await stop()
    throw new Error(`The sandbox did not start:\n${printed}`)
  }
  const kobo = (...args: readonly string[]): string =>
    execFileSync('node', ['cli/src/main.ts', ...args], { cwd: ROOT, env, encoding: 'utf8' })
  return { url, signInLink, kobo, stop }
}

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0) // where no element reacts to the pointer
  await page.waitForLoadState('networkidle').catch(() => {}) // a page with live updates is never idle
  await pause(500)
  await page.screenshot({ path: join(FOLDER, `${name}.jpg`), type: 'jpeg', quality: QUALITY })
  process.stdout.write(`docs/pictures/${name}.jpg\n`)
}

async function takeAll({ url, signInLink, kobo }: Sandbox): Promise<void> {
  kobo('seed', '--payments', '3000')
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage({ viewport: DESK })
    await page.goto(signInLink)
    await page.waitForURL(/\/dashboard/)
    await pause(PAGE_SECONDS * 1_000)
    await page.reload()
    await take(page, 'dashboard-home')
    await page.goto(`${url}/dashboard/transactions?status=PAID`)
    await page.locator('tbody tr').first().waitFor()
    await take(page, 'dashboard-transactions')
    await page.locator('tbody tr a').first().click()
    await pause(1_500)
    await take(page, 'dashboard-payment')
    for (const name of ['events', 'sandbox']) {
      await page.goto(`${url}/dashboard/${name}`)
      await pause(1_500)
      await take(page, `dashboard-${name}`)
    }
  } finally {
    await browser.close()
  }
}

if (process.argv.includes('--help')) process.stdout.write(HELP)
else {
  mkdirSync(FOLDER, { recursive: true })
  const sandbox = await startSandbox()
  try {
    await takeAll(sandbox)
  } finally {
    await sandbox.stop()
  }
}
