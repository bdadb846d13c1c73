import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as contract from '@kobo/contract'
import { wallClock } from '../../gateway/src/kernel/clock.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { gateway, type TestGateway } from '../../gateway/test/harness/gateway.ts'
import { freePort } from '../../gateway/test/harness/ports.ts'
import { command } from '../../gateway/test/harness/processes.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { naiveShop } from './naive-shop.ts'

function credentialsFile({ credentials }: Pick<TestGateway, 'credentials'>): string {
  const file = join(ownFolder('credentials'), 'keys.json')
  writeFileSync(file, JSON.stringify(credentials))
  return file
}

const urlsOf = (url: string): readonly string[] => [
  ...['--order', `${url}/buy`],
  ...['--deliveries', `${url}/orders/{reference}`],
  ...['--webhook', `${url}/events`],
]

slow('check-integration names each fault of a naive shop and leaves its webhook endpoints as they were', async (t) => {
  const shop = await gateway(t, { wall: wallClock })
  await shop.call(contract.changeSettings, { body: { webhookUrl: 'http://localhost:1/own' } })
  await shop.call(contract.createWebhookEndpoint, { body: { url: 'http://localhost:1/accounting' } })
  const port = await freePort()
  const url = await naiveShop(t, shop, `http://127.0.0.1:${port}`)
  const options = ['--port', String(port), '--fast', '--seed', '7', '--credentials', credentialsFile(shop)]
  const { code, stdout, stderr } = await command({}, 'check-integration', ...urlsOf(url), ...options, '--json')
  assert.deepEqual([code, stderr], [1, ''])
  const { score, seed, results } = JSON.parse(stdout)
  const problems = Object.fromEntries(
    results.map(({ scenario, problem }: { scenario: string; problem?: string }) => [scenario, problem]),
  )
  assert.deepEqual(problems, {
    'a plain paid order': 'delivered without a query of the payment’s status',
    'a webhook without a signature': 'your server returned 200; reject it with 401',
    'a webhook signed with another key': 'your server returned 200; reject it with 401',
    'a webhook signed with an empty key': 'your server returned 200; reject it with 401',
    'a webhook changed after it was signed': 'your server returned 200; reject it with 401',
    'the same webhook three times': 'delivered 3 times instead of once',
    'a webhook that arrives after the customer returned': 'delivered 2 times instead of once',
    'a webhook that arrives slowly': undefined,
    'webhooks out of order': 'delivered 2 times instead of once',
    'a status query that fails': undefined,
    'a part payment': 'delivered; do not deliver it',
    'an overpayment': undefined,
    'an amount that the customer changed in the browser': 'delivered; do not deliver it',
    'a payment in another currency': 'delivered; do not deliver it',
    'a payment that the bank reversed before the webhook arrived': 'delivered; do not deliver it',
    'a payment that arrives after the session expired': 'delivered; do not deliver it',
    'a customer who returns without paying': 'delivered; do not deliver it',
    'a forged redirect that says PAID': 'delivered; do not deliver it',
    'an API that returns 503': '2 payments for one order; retry with the same reference',
    'a response that is lost': '2 payments for one order; retry with the same reference',
    'a response that is late': undefined,
  })
  assert.deepEqual([score, seed], [19, 7])
  const { report, checkedAt } = await shop.call(contract.getReport, {})
  assert.ok(checkedAt !== null && report !== null, 'the dashboard shows the report')
  assert.deepEqual([report.score, report.seed, report.results.length], [19, 7, results.length])
  for (const [nth, { scenario, isPassed, problem, guide }] of results.entries())
    assert.deepEqual(report.results[nth], {
      scenario,
      isPassed,
      problem: problem ?? null,
      guide: guide.slice(shop.url.length),
    })
  for (const { guide } of results) {
    const { pathname, hash } = new URL(guide)
    const page = await (await fetch(shop.url + pathname)).text()
    assert.ok(page.includes(`id="${hash.slice(1)}"`), guide)
  }
  assert.equal((await shop.call(contract.getSettings, {})).webhookUrl, 'http://localhost:1/own')
  const [additional] = await shop.call(contract.listWebhookEndpoints, {})
  assert.deepEqual([additional?.url, additional?.isPaused], ['http://localhost:1/accounting', false])
})

slow('check-integration scores a shop that crashes after its first order', async (t) => {
  const shop = await gateway(t, { wall: wallClock })
  const port = await freePort()
  const url = await naiveShop(t, shop, `http://127.0.0.1:${port}`, 1)
  const options = ['--port', String(port), '--fast', '--credentials', credentialsFile(shop)]
  const { code, stdout, stderr } = await command({}, 'check-integration', ...urlsOf(url), ...options)
  assert.deepEqual([code, stderr], [1, ''])
  assert.equal(stdout.match(/FAILED .*: Your shop does not answer POST .*\/buy\. Is it running\?$/gm)?.length, 20)
  assert.match(stdout, /^Score: 0 of 100\./m)
})

slow(
  'check-integration says what is missing in a shop that cannot be checked, and works in the sandbox only',
  async (t) => {
    const shop = await gateway(t, { wall: wallClock })
    const url = await naiveShop(t, shop, shop.url)
    const options = ['--port', '0', '--fast', '--credentials', credentialsFile(shop)]
    const direct = await command({}, 'check-integration', ...urlsOf(url), ...options)
    assert.equal(direct.code, 1)
    assert.match(direct.stderr, /sent no init-transaction request to http:\/\/localhost:\d+\. Use it as the base URL/)
    const absent = await command({}, 'check-integration', ...urlsOf('http://127.0.0.1:1'), ...options)
    assert.match(absent.stderr, /^Your shop does not answer POST http:\/\/127\.0\.0\.1:1\/buy\. Is it running\?$/m)
    const taken = await command({}, 'check-integration', ...urlsOf(url), ...options, '--port', new URL(shop.url).port)
    assert.match(taken.stderr, /^Port \d+ is in use\. Choose another with --port/)
    const unnamed = await command({}, 'check-integration', ...urlsOf(url).slice(2), ...options)
    assert.deepEqual([unnamed.code, unnamed.stderr.split('\n')[0]], [2, '--order is required.'])

    const { endpoint } = await shop.call(contract.createWebhookEndpoint, { body: { url: `${url}/events` } })
    const twice = await command({}, 'check-integration', ...urlsOf(url), ...options)
    assert.equal(twice.code, 2)
    assert.match(
      twice.stderr,
      new RegExp(`^Your additional webhook endpoint ${endpoint.id} sends events to .* too\\. Pause`),
    )

    const live = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
    const refused = await command({}, 'check-integration', ...urlsOf(url), '--credentials', credentialsFile(live))
    assert.deepEqual([refused.code, refused.stderr.split('\n')[0]], [2, 'This command works in the sandbox only.'])
  },
)
