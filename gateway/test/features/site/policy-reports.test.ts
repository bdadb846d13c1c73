import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../../../src/platform/observability/log.ts'
import { aShop, gateway } from '../../harness/gateway.ts'
import { checkFailure, parseEnvelope } from '../../harness/responses.ts'
import { sendRequest } from '../../harness/send-request.ts'

const OLDER = 'application/csp-report'
const NEWER = 'application/reports+json'

const send = async (url: string, type: string, body: unknown, headers: Record<string, string> = {}) =>
  parseEnvelope(
    await sendRequest({
      method: 'POST',
      url: `${url}/csp-reports`,
      headers: { 'content-type': type, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )

const older = (directive: string, blocked = 'inline') => ({
  'csp-report': {
    'document-uri': 'https://pay.example.com/checkout/KOBO%7C00%7C20260301093000%7C000001',
    'violated-directive': directive,
    'blocked-uri': blocked,
  },
})

test('every page names the endpoint for policy reports', async () => {
  const { url } = await aShop()
  for (const path of ['/', '/docs', '/demo-shop', '/simulator', '/checkout/unknown'])
    assert.match(
      (await fetch(url + path)).headers.get('content-security-policy') ?? '',
      /; report-uri \/csp-reports(;|$)/,
      path,
    )
})

test('browsers’ reports are counted by directive, in both forms; unknown directives count as other', async (t) => {
  const lines: string[] = []
  const shop = await gateway(t, { log: openLog('info', { write: (line: string) => void lines.push(line) }) })
  assert.equal(
    (await send(shop.url, OLDER, older('script-src-elem', 'https://evil.example/steal.js?card=1'))).status,
    204,
  )
  assert.equal((await send(shop.url, OLDER, older("script-src 'self'"))).status, 204)
  const list = [
    { type: 'csp-violation', body: { effectiveDirective: 'script-src-elem', blockedURL: 'inline' } },
    { type: 'csp-violation', body: { effectiveDirective: 'x"} 1\nfake_metric' } },
    null,
    7,
  ]
  assert.equal((await send(shop.url, NEWER, list)).status, 204)
  for (const odd of [null, 7, 'x', [], [[]], { 'csp-report': null }])
    assert.equal((await send(shop.url, OLDER, odd === 'x' ? '"x"' : odd)).status, 204)
  const { text } = await shop.send('GET', '/metrics')
  const counted = [...text.matchAll(/^kobo_csp_reports_total\{directive="([^"]+)"\} (\d+)$/gm)].map(
    ([, name, count]) => [name, Number(count)],
  )
  assert.deepEqual(Object.fromEntries(counted), { 'script-src-elem': 2, 'script-src': 1, other: 8 })
  assert.doesNotMatch(text, /fake_metric/)
  const logged = lines.join('')
  assert.match(logged, /"directive":"script-src-elem","blocked":"evil\.example"/)
  assert.doesNotMatch(logged, /steal|20260301093000/, 'neither the address nor the reference')
})

test('reports must be small, few, JSON and of a known type', async (t) => {
  const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '100000', KOBO_TRUSTED_PROXIES: '127.0.0.1' } })
  const statuses = [
    await send(shop.url, OLDER, older('x'.repeat(9_000))),
    await send(shop.url, 'text/plain', '{}'),
    await send(shop.url, OLDER, '{'),
  ]
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [413, 415, 400],
  )
  for (const response of statuses) checkFailure(response)
  const many: number[] = []
  for (let nth = 0; nth < 32; nth++)
    many.push((await send(shop.url, OLDER, older('img-src'), { 'x-forwarded-for': '203.0.113.7' })).status)
  assert.deepEqual(many, [...Array(30).fill(204), 429, 429])
})
