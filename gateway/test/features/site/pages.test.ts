import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { EVENTS, ROUTES } from '@kobo/contract'
import { pageRoutes } from '../../../src/features/site/routes.ts'
import { openHttp } from '../../../src/platform/http/server.ts'
import { openMetrics } from '../../../src/platform/metrics/metrics.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { testWall } from '../../harness/clock.ts'
import { aShop } from '../../harness/gateway.ts'
import { slow } from '../../harness/slow.ts'
import { head, sendBytes } from '../../harness/socket.ts'

const run = promisify(execFile)

/** The pages alone, over real HTTP. */
async function pages(
  t: TestContext,
  environment: 'sandbox' | 'live',
  publicUrl = 'https://pay.example.com',
): Promise<string> {
  const http = openHttp({ log: openLog('silent'), metrics: openMetrics(), trustedProxies: [] })
  pageRoutes(http, { environment, publicUrl: () => publicUrl, now: testWall.now })
  await http.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => http.close())
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`
}

interface Page {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

async function get(url: string, headers: Record<string, string> = {}): Promise<Page> {
  const response = await fetch(url, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const policyOf = ({ headers }: Page): string => headers.get('content-security-policy') ?? ''
const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const inside = (tag: string, { text }: Page): string[] =>
  [...text.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(([, content]) => content ?? '')

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
const commandsOf = (page: Page): string[] =>
  inside('code', page)
    .filter((code) => code.includes('\n'))
    .map((code) => code.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity))

test('the commands on the home page, pasted into a shell in order, make a payment that is PAID', async () => {
  const { url, credentials } = await aShop()
  const commands = commandsOf(await get(url))
  assert.equal(commands.length, 6) // the keys and the five requests
  const credentialsCommand = `./kobo() { printf '%s' "$CREDENTIALS"; }`
  const { stdout } = await run('bash', ['-euc', [credentialsCommand, ...commands].join('\n')], {
    env: {
      ...process.env,
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      CREDENTIALS: JSON.stringify(credentials),
    },
  })
  assert.equal(stdout, 'ACCEPTED\nPAID\n')
})

test('the home page and the reference contain no key', async () => {
  const { url, credentials } = await aShop()
  for (const path of ['/', '/docs', '/openapi.json']) {
    const { text } = await get(url + path)
    const { apiKey, secretKey, contractCode, walletAccountNumber } = credentials
    for (const value of [apiKey, secretKey, contractCode, walletAccountNumber])
      assert.ok(!text.includes(value), `${path} shows ${value}`)
  }
})

test('every link of the home page works', async () => {
  const { url } = await aShop()
  const { text } = await get(url)
  const links = linksOf(text)
  assert.ok(
    links.includes('/docs') &&
      links.includes('/openapi.json') &&
      links.includes('/health/ready') &&
      links.includes('/metrics'),
  )
  for (const link of links) assert.equal((await get(new URL(link, url).href)).status, 200, link)
})

test('the home page in the sandbox lists every sandbox endpoint', async (t) => {
  const page = await get(await pages(t, 'sandbox'))
  const listed = page.text.replaceAll('<wbr>', '')
  for (const { route } of ROUTES.filter((one) => one.route.environment === 'sandbox'))
    assert.ok(listed.includes(`<code>${route.path.replace(/:(\w+)/g, '{$1}')}</code>`), route.path)
})

test('the home page in live mode does not mention the sandbox, keys or metrics', async (t) => {
  const page = await get(await pages(t, 'live'))
  assert.equal(page.status, 200)
  assert.doesNotMatch(
    page.text.replace(/<style>.*<\/style>/s, ''),
    /sandbox|metrics|npm|curl|<script|pay\.example\.com/i,
  )
  assert.match(page.text, /href="\/docs"/)
  assert.match(page.text, /href="\/health\/ready"/)
})

test('values on the home page are escaped', async (t) => {
  const page = await get(await pages(t, 'sandbox', `https://pay.example.com/"><script>alert('&')</script>`))
  assert.ok(page.text.includes('https://pay.example.com/&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;'))
  assert.doesNotMatch(page.text, /<script>alert/)
})

for (const path of ['/', '/docs', '/docs/']) {
  test(`${path} allows only its own scripts and hosts, and no framing`, async (t) => {
    const page = await get((await pages(t, 'sandbox')) + path)
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/)
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
    const policy = policyOf(page)
    assert.match(policy, /^default-src 'none';/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/)
    for (const script of inside('script', page))
      assert.ok(policy.includes(hashSource(script)), 'the script is named by its hash')
    for (const style of inside('style', page))
      assert.ok(policy.includes(hashSource(style)), 'the style is named by its hash')
    assert.doesNotMatch(page.text, /(src|href|action)="(https?:)?\/\//)
  })
}

slow('the reference shows every operation and event, and its pages are small', async (t) => {
  const url = await pages(t, 'sandbox')
  const overview = await get(`${url}/docs`)
  const groups = new Set(
    [...overview.text.matchAll(/href="(\/docs\/reference\/[^"#]+)"/g)].map(([, path]) => path ?? ''),
  )
  const texts = await Promise.all([...groups].map((path) => get(url + path, { 'accept-encoding': 'identity' })))
  for (const { status, text } of texts) assert.ok(status === 200 && Buffer.byteLength(gzipSync(text)) < 60_000)
  const all = texts.map(({ text }) => text).join()
  for (const { name } of ROUTES) assert.ok(all.includes(`id="${name}"`), name)
  for (const eventType of Object.keys(EVENTS)) assert.ok(all.includes(`id="${eventType}"`), eventType)
})

slow('every guide is served, and every link of the documentation works', async (t) => {
  const url = await pages(t, 'sandbox')
  const [seen, open] = [new Map<string, string>(), ['/docs']]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue
    const { status, text } = await get(url + path)
    assert.equal(status, 200, path)
    seen.set(path, text)
    if (path.startsWith('/docs'))
      open.push(
        ...linksOf(text)
          .map((link) => link.split('#')[0] ?? '')
          .filter((to) => to.startsWith('/docs')),
      )
  }
  for (const [path, text] of seen)
    for (const link of linksOf(text).filter((one) => one.includes('#'))) {
      const [to = '', anchor] = link.split('#')
      assert.ok((seen.get(to === '' ? path : to) ?? '').includes(`id="${anchor}"`), `${path} links to ${link}`)
    }
  assert.ok(seen.has('/docs/guides/first-payment') && seen.size > 30)
  const pictures = [...seen.values()].flatMap((text) => [...text.matchAll(/<img src="([^"]+)"/g)])
  assert.ok(pictures.length > 0)
  for (const [, path = ''] of pictures) assert.equal((await get(url + path)).headers.get('content-type'), 'image/jpeg')
  assert.equal((await get(`${url}/docs/pictures/..%2F..%2Fpackage.json`)).status, 404)
})

test('the search of the documentation finds sections, error codes, SDK calls and endpoints', async (t) => {
  const url = await pages(t, 'sandbox')
  const search = async (query: string): Promise<Page> => get(`${url}/docs/search?q=${encodeURIComponent(query)}`)
  for (const [query, address] of [
    ['verify webhook signature', '/docs/guides/webhooks#write-a-webhook-endpoint'],
    ['Refunds', '/docs/guides/refunds'],
    ['test cards', '/docs/guides/testing#cards'],
    ['WRONG_OTP', '/docs/guides/errors#cards'],
    ['transfers.initiate', '/docs/guides/sdk-calls#transfers'],
    ['merchant/transactions/init-transaction', '/docs/reference/transactions#initTransaction'],
  ] as const) {
    const found = linksOf(mainOf(await search(query)))
    assert.ok(found.slice(0, 5).includes(address), `${query}: ${found.join(' ')}`)
  }
  for (const link of linksOf(mainOf(await search('payment')))) assert.equal((await get(url + link)).status, 200, link)
  const hostile = await search('"><zzzq>')
  assert.doesNotMatch(hostile.text, /<zzzq>/)
  assert.match(hostile.text, /Nothing found/)
  assert.match(policyOf(hostile), /form-action 'self'/)
  for (const query of ['', '?q=', '?q=a&q=b', `?q=${'x'.repeat(5_000)}`])
    assert.equal((await get(`${url}/docs/search${query}`)).status, 200, query)
})

test('the search of a live gateway’s documentation has no sandbox endpoint', async (t) => {
  const { text } = await get(`${await pages(t, 'live')}/docs/search?q=sandbox%20settings`)
  assert.doesNotMatch(text, /href="\/docs\/reference\/sandbox/)
})

const mainOf = ({ text }: Page): string => text.slice(text.indexOf('<main'))
const linksOf = (text: string): string[] => [...text.matchAll(/href="([^"]+)"/g)].map(([, link]) => link ?? '')

test('the demo merchant’s keys go only to our own page in a browser on this machine', async () => {
  const { url } = await aShop()
  const ours = { 'sec-fetch-site': 'same-origin' }
  const rejected = async (path: string, headers: Record<string, string> = {}) => {
    const { status, text } = await get(`${url}${path}`, headers)
    return [status, (JSON.parse(text) as { responseMessage: string }).responseMessage]
  }
  const keys = await get(`${url}/docs/keys`, ours)
  assert.equal(keys.headers.get('cache-control'), 'no-store')
  assert.match((JSON.parse(keys.text) as { apiKey: string }).apiKey, /^MK_TEST_/)
  for (const headers of [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { ...ours, 'x-forwarded-for': '203.0.113.9' },
    { ...ours, forwarded: 'for=203.0.113.9' },
  ])
    assert.deepEqual(await rejected('/docs/keys', headers as Record<string, string>), [404, 'Unknown path /docs/keys'])
  assert.deepEqual(await rejected('/docs/pictures/none.jpg'), [404, 'Unknown path /docs/pictures/none.jpg'])
  for (const [host, status] of [
    ['localhost:8080', 200],
    ['kobo.localhost', 200],
    ['[::1]:8080', 200],
    ['evil.local', 404],
    ['evil.internal', 404],
    ['evil', 404],
    ['localhost.evil.test', 404],
    ['192.168.1.5', 404],
  ] as const)
    assert.equal((await sendBytes(url, head('GET', '/docs/keys', { ...ours, host }))).status, status, host)
})

test('the OpenAPI document is the contract, and is cached while unchanged', async (t) => {
  const url = await pages(t, 'sandbox')
  const first = await get(`${url}/openapi.json`)
  assert.match(first.headers.get('content-type') ?? '', /^application\/json/)
  const { openapi, servers, paths } = JSON.parse(first.text) as Record<string, Record<string, unknown>>
  assert.match(String(openapi), /^3\.1/)
  assert.deepEqual(servers, [{ url: 'https://pay.example.com' }])
  for (const { route } of ROUTES) assert.ok(paths?.[route.path.replace(/:(\w+)/g, '{$1}')] !== undefined, route.path)
  const again = await get(`${url}/openapi.json`, { 'if-none-match': first.headers.get('etag') ?? '' })
  assert.deepEqual([again.status, again.text], [304, ''])
})

test('the OpenAPI document of a live gateway has no sandbox path', async (t) => {
  const { text } = await get(`${await pages(t, 'live')}/openapi.json`)
  assert.doesNotMatch(text, /\/sandbox\//)
  assert.match(text, /init-transaction/)
})

test('the icon is served, also at its old path', async (t) => {
  const url = await pages(t, 'live')
  const icon = await get(`${url}/favicon.svg`)
  assert.equal(icon.headers.get('content-type'), 'image/svg+xml')
  assert.match(icon.text, /^<svg /)
  const old = await get(`${url}/favicon.ico`)
  assert.deepEqual([old.status, old.headers.get('location')], [302, '/favicon.svg'])
})
