import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { openPages, type Pages, pinnedScript, readBuiltFiles } from '../../../src/core/edge/pages/index.ts'
import { refusal } from '../../../src/kernel/errors.ts'
import { html } from '../../../src/platform/formats/html.ts'
import { eventStreams } from '../../../src/platform/http/event-streams.ts'
import { openHttp } from '../../../src/platform/http/server.ts'
import { openMetrics } from '../../../src/platform/metrics/metrics.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { aShop, gateway } from '../../harness/gateway.ts'

/** Pages of the test's own, over real HTTP. */
async function serving(t: TestContext, declare: (pages: Pages) => void, perMinute = Number.MAX_VALUE): Promise<string> {
  let count = 0
  const http = openHttp({
    log: openLog('silent'),
    metrics: openMetrics(),
    trustedProxies: [],
    limited: () => (++count > perMinute ? 60 : undefined),
  })
  declare(openPages(http, { files: readBuiltFiles(), streams: eventStreams(http) }))
  await http.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => http.close())
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const full = refusal({ code: 'FULL', status: 422, responseCode: '99', text: 'There is no room for {what}' })

test('text on a page is escaped, and our own HTML is not', async (t) => {
  const url = await serving(t, (pages) =>
    pages.get('/shown/:name', async ({ params, query }) => ({
      page: {
        title: `Of ${params['name']}`,
        body: html`<h1>${params['name']}</h1>
<ul>${['<a>', '<b>'].map((text) => html`<li>${text}</li>`)}</ul>${query['note']}`,
        data: { note: '</script><script>alert(1)' },
      },
    })),
  )
  const text = await (await fetch(`${url}/shown/${encodeURIComponent('<i>Ada')}?note=%26`)).text()
  assert.ok(text.includes('<title>Of &lt;i&gt;Ada</title>'))
  assert.ok(text.includes('<ul><li>&lt;a&gt;</li><li>&lt;b&gt;</li></ul>&amp;'))
  assert.ok(text.includes('{"note":"\\u003c/script>\\u003cscript>alert(1)"}'))
})

test('a form reaches its handler, which may redirect', async (t) => {
  const url = await serving(t, (pages) =>
    pages.post('/sent', async ({ form }) => ({ seeOther: `/next?decision=${form['decision']}` })),
  )
  const response = await fetch(`${url}/sent`, {
    method: 'POST',
    headers: FORM,
    body: 'decision=a+b',
    redirect: 'manual',
  })
  assert.deepEqual([response.status, response.headers.get('location')], [303, '/next?decision=a b'])
})

test('a rejected request, an internal error and a rate limit are shown as pages', async (t) => {
  const url = await serving(
    t,
    (pages) => {
      pages.get('/full', async () => {
        throw full('<you>')
      })
      pages.get('/broken', async () => {
        throw new Error('secret reason')
      })
    },
    2,
  )
  const get = async (path: string): Promise<[number, string, string]> => {
    const response = await fetch(url + path)
    return [response.status, response.headers.get('content-type') ?? '', await response.text()]
  }
  const [status, type, text] = await get('/full')
  assert.deepEqual([status, type], [422, 'text/html; charset=utf-8'])
  assert.ok(
    text.includes('This cannot be done') && !text.includes('There is no room'),
    'an API message is not for payers',
  )
  const [broken, , reason] = await get('/broken')
  assert.equal(broken, 500)
  assert.ok(!reason.includes('secret reason'))
  assert.equal((await get('/full'))[0], 429)
})

test('only pages read forms, and only small ones', async (t) => {
  const url = await serving(t, (pages) => pages.post('/sent', async () => ({ seeOther: '/' })))
  const send = async (path: string, body: string): Promise<number> =>
    (await fetch(url + path, { method: 'POST', headers: FORM, body, redirect: 'manual' })).status
  assert.equal(await send('/sent', `a=${'x'.repeat(20_000)}`), 413)
  const { url: whole } = await aShop()
  const response = await fetch(`${whole}/sandbox/transfers`, { method: 'POST', headers: FORM, body: 'amount=5' })
  assert.equal(response.status, 415)
})

test('a page may be framed by no site, or only by those it names', async (t) => {
  const url = await serving(t, (pages) => {
    const body = html`<p>Hello</p>`
    pages.get('/alone', async () => ({ page: { title: 'Alone', body } }))
    pages.get('/framed', async () => ({
      page: { title: 'Framed', body, framedBy: ['https://shop.example'], formsLeadTo: ['https://bank.example'] },
    }))
  })
  const alone = await fetch(`${url}/alone`)
  assert.match(alone.headers.get('content-security-policy') ?? '', /^default-src 'none';.*frame-ancestors 'none'$/)
  assert.doesNotMatch(alone.headers.get('content-security-policy') ?? '', /script-src|unsafe|https?:/)
  assert.equal(alone.headers.get('x-frame-options'), 'DENY')
  assert.equal(alone.headers.get('cache-control'), 'no-store')
  const framed = await fetch(`${url}/framed`)
  assert.match(framed.headers.get('content-security-policy') ?? '', /frame-ancestors https:\/\/shop\.example$/)
  assert.match(framed.headers.get('content-security-policy') ?? '', /form-action 'self' https:\/\/bank\.example;/)
  assert.equal(framed.headers.get('x-frame-options'), null)
})

test('built files are compressed, cached forever and not sent twice', async () => {
  const { url } = await aShop()
  const { address } = readBuiltFiles().find('style.css')
  for (const [accepted, form] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const response = await fetch(url + address, { headers: { 'accept-encoding': accepted } })
    assert.equal(response.headers.get('content-encoding'), form)
    assert.match(response.headers.get('cache-control') ?? '', /immutable/)
    assert.match(response.headers.get('content-type') ?? '', /^text\/css/)
    assert.match(await response.text(), /--paper/)
    const etag = response.headers.get('etag') ?? ''
    const again = await fetch(url + address, { headers: { 'accept-encoding': accepted, 'if-none-match': etag } })
    assert.equal(again.status, 304)
  }
  assert.equal((await fetch(`${url}/assets/nothing.css`)).status, 404)
})

test('the inline script is served under its hash forever, to pages of all sites, and so is each earlier version', async (t) => {
  const shop = await gateway(t)
  const { path, integrity } = pinnedScript(readBuiltFiles().find('plugin.js'))
  const [plain, pinned] = await Promise.all([fetch(`${shop.url}/plugin/checkout.js`), fetch(shop.url + path)])
  const text = await pinned.text()
  assert.equal(text, await plain.text())
  assert.equal(`sha384-${createHash('sha384').update(text).digest('base64')}`, integrity)
  assert.match(plain.headers.get('cache-control') ?? '', /max-age=300$/)
  assert.match(pinned.headers.get('cache-control') ?? '', /immutable/)
  for (const { headers } of [plain, pinned]) {
    assert.equal(
      headers.get('access-control-allow-origin'),
      '*',
      'a browser compares only the headers that it may read',
    )
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
  }
  await shop.db`insert into inline_script values ('0123456789ab', 'older()', ${shop.core.wall.now()})`
  for (let time = 0; time < 2; time++) {
    const older = await fetch(`${shop.url}/plugin/checkout.0123456789ab.js`)
    assert.match(older.headers.get('content-type') ?? '', /^text\/javascript/)
    assert.match(older.headers.get('cache-control') ?? '', /immutable/)
    assert.equal(await older.text(), 'older()')
  }
  for (const hash of ['0123456789ac', '..', 'x'.repeat(300), "'", '%00'])
    assert.ok([400, 404].includes((await fetch(`${shop.url}/plugin/checkout.${hash}.js`)).status), hash)
})

test('a wrong link shows its error in the payer’s language, and links to the others', async () => {
  const { url } = await aShop()
  const cases: readonly [path: string, headers: Record<string, string>, language: string, text: string][] = [
    ['/chekout/x', { 'accept-language': 'fr, ha;q=0.9' }, 'ha', 'Babu komai a nan'],
    ['/chekout/x?lang=ig', { 'accept-language': 'ha' }, 'ig', 'Ọ dịghị ihe dị ebe a'],
    ['/checkout/none', { cookie: 'kobo_language=yo' }, 'yo', 'A kò rí ìsanwó yìí.'],
    ['/pay/none?lang=pcm', {}, 'pcm', 'We no see this payment link.'],
    ['/direct-debit/authorize/none?lang=ig', {}, 'ig', 'Anyị ahụghị iwepụ ego ozugbo a.'],
    ['/direct-debit/authorize/none', {}, 'en', 'Direct debit not found.'],
  ]
  for (const [path, headers, language, text] of cases) {
    const response = await fetch(url + path, { headers: { accept: 'text/html', ...headers } })
    const page = await response.text()
    assert.equal(response.status, 404, path)
    assert.ok(page.includes(`<html lang="${language}">`), `${path}: ${page}`)
    assert.ok(page.includes(text), `${path}: ${page}`)
    const offered = [...page.matchAll(/href="\?lang=(\w+)"( aria-current)?/g)]
    assert.deepEqual(
      offered.map(([, code]) => code),
      ['en', 'pcm', 'ha', 'yo', 'ig'],
    )
    assert.deepEqual(
      offered.filter(([, , current]) => current).map(([, code]) => code),
      [language],
    )
  }
})

test('a wrong link shows a page in a browser; a program gets the envelope', async () => {
  const { url } = await aShop()
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const type = async (path: string, init: RequestInit): Promise<[number, string]> => {
    const response = await fetch(url + path, init)
    return [response.status, response.headers.get('content-type')?.split(';')[0] ?? '']
  }
  const page = await fetch(`${url}/chekout/x`, { headers: { accept } })
  assert.equal(page.status, 404)
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none';/)
  assert.match(await page.text(), /<h1>There is nothing here<\/h1>/)
  assert.deepEqual(await type('/nowhere', {}), [404, 'application/json'])
  assert.deepEqual(await type('/nowhere', { method: 'POST', headers: { accept } }), [404, 'application/json'])
  assert.deepEqual(await type('/api/v1/nowhere', { headers: { accept } }), [404, 'application/json'])
  assert.deepEqual(await type('/sandbox/nowhere', { headers: { accept } }), [404, 'application/json'])
  assert.deepEqual(await type('/api/v1/auth/login', { headers: { accept } }), [405, 'application/json'])
})
