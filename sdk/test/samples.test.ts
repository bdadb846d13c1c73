import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as contract from '@kobo/contract'
import { wallClock } from '../../gateway/src/kernel/clock.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { gateway, type TestGateway } from '../../gateway/test/harness/gateway.ts'
import { command } from '../../gateway/test/harness/processes.ts'
import { anAccount, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { npmInstall } from './npm.ts'
import { packedFile, withPackedSdk } from './packed.ts'
import { aFreePort, start, startServer } from './started.ts'

const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url))

const isHere = (program: string): boolean => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts a gateway on real time, which the sample programs use. */
const onRealTime = (t: TestContext): Promise<TestGateway> => gateway(t, { wall: wallClock })

const WEBHOOK_ENDPOINTS: Readonly<
  Record<string, { readonly needs: string; readonly start: (port: string) => readonly string[] }>
> = {
  'Node.js': { needs: 'node', start: () => ['node', 'webhook.mjs'] },
  Python: { needs: 'python3', start: () => ['python3', 'webhook.py'] },
  PHP: { needs: 'php', start: (port) => ['php', '-S', `127.0.0.1:${port}`, 'webhook.php'] },
  Go: { needs: 'go', start: () => ['go', 'run', 'webhook.go'] },
  Java: { needs: 'java', start: () => ['java', 'webhook.java'] },
  Ruby: { needs: 'ruby', start: () => ['ruby', 'webhook.rb'] },
}

slow('the webhook samples accept the gateway’s events and reject forged ones', async (t) => {
  const shop = await onRealTime(t)
  for (const [language, { needs, start }] of Object.entries(WEBHOOK_ENDPOINTS))
    await t.test(language, async (nested) => {
      if (!isHere(needs)) return nested.skip(`${needs} is not installed here`)
      const port = needs === 'php' ? await aFreePort() : '0'
      const env = { PORT: port, KOBO_SECRET_KEY: shop.credentials.secretKey }
      const { url, printed } = await startServer(nested, start(port), join(SAMPLES, 'webhooks'), env)
      await shop.call(contract.changeSettings, { body: { webhookUrl: url } })
      await pay(shop, await anAccount(shop), 5_000)
      await until('it has received the event', () => printed().includes('received SUCCESSFUL_TRANSACTION'))
      const headers = { 'service-signature': 'ab'.repeat(64) }
      for (const forged of [headers, {}]) {
        const body = '{"eventType":"SETTLEMENT","eventData":{}}'
        assert.equal((await fetch(url, { method: 'POST', body, headers: forged })).status, 401)
      }
      await until('the gateway knows it', async () => {
        const { content } = await shop.call(contract.listEvents, { query: { size: 1 } })
        return content[0]?.status === 'DELIVERED'
      })
      assert.doesNotMatch(printed(), /SETTLEMENT/)
    })
})

slow('no webhook sample accepts an event that is signed with an empty key', async (t) => {
  const body = '{"eventType":"SUCCESSFUL_TRANSACTION","eventData":{"paymentReference":"order-1"}}'
  const signature = createHmac('sha512', '').update(body).digest('hex')
  const post = (url: string) => fetch(url, { method: 'POST', body, headers: { 'service-signature': signature } })
  for (const [language, { needs, start: command }] of Object.entries(WEBHOOK_ENDPOINTS))
    await t.test(language, async (nested) => {
      if (!isHere(needs)) return nested.skip(`${needs} is not installed here`)
      const port = await aFreePort()
      const started = start(nested, command(port), join(SAMPLES, 'webhooks'), { PORT: port, KOBO_SECRET_KEY: '' })
      if (needs === 'php') {
        await started.says(/(127\.0\.0\.1)/)
        await until(
          'it answers',
          async () => (await post(`http://127.0.0.1:${port}`).catch(() => undefined))?.status === 500,
        )
      } else assert.equal(await started.says(/(KOBO_SECRET_KEY is missing)/), 'KOBO_SECRET_KEY is missing')
      assert.doesNotMatch(started.printed(), /received/)
    })
  for (const name of ['shop-python', 'shop-go'] as const)
    await t.test(name, async (nested) => {
      const [needs = '', ...args] = SHOPS[name]()
      if (!isHere(needs)) return nested.skip(`${needs} is not installed here`)
      const keys = { KOBO_URL: 'http://localhost:1', KOBO_API_KEY: 'MK_TEST_1', KOBO_SECRET_KEY: '' }
      const started = start(nested, [needs, ...args], await copied(name), { ...keys, PORT: await aFreePort() })
      assert.match((await started.says(/(secret_?key is missing|listening|open)/i)) ?? '', /missing/i)
    })
  await t.test('shop-php', async (nested) => {
    if (!isHere('php')) return nested.skip('php is not installed here')
    const port = await aFreePort()
    const keys = { KOBO_API_KEY: 'MK_TEST_1', KOBO_SECRET_KEY: '', KOBO_CONTRACT_CODE: '100' }
    const { url } = await startServer(nested, SHOPS['shop-php'](port), join(SAMPLES, 'shop-php'), keys)
    for (const response of [await post(`${url}/events`), await fetch(`${url}/buy`, { method: 'POST' })])
      assert.deepEqual([response.status, await response.json()], [500, { error: 'KOBO_SECRET_KEY is missing' }])
  })
})

const keysOf = ({ credentials, url }: TestGateway): NodeJS.ProcessEnv => ({
  KOBO_URL: url,
  KOBO_API_KEY: credentials.apiKey,
  KOBO_SECRET_KEY: credentials.secretKey,
  KOBO_CONTRACT_CODE: credentials.contractCode,
})

/** Buys and pays as a customer, waits for the event and returns the order's reference. */
async function sell(shop: TestGateway, url: string): Promise<string> {
  await shop.call(contract.changeSettings, { body: { webhookUrl: `${url}/events` } })
  const bought = await fetch(`${url}/buy`, { method: 'POST' })
  const { reference, checkoutUrl } = (await bought.json()) as { reference: string; checkoutUrl: string }
  assert.match(checkoutUrl, /\/checkout\//)
  const { transactionReference } = await shop.call(contract.queryTransaction, {
    query: { paymentReference: reference },
  })
  const account = await shop.call(contract.initBankTransfer, { body: { transactionReference } })
  await pay(shop, account, account.totalPayable)
  const status = async () => ((await (await fetch(`${url}/orders/${reference}`)).json()) as { status: string }).status
  await until('the shop knows that it is paid', async () => (await status()) === 'PAID')
  return reference
}

/** Copies a sample as the reader does, or next to the packed SDK. */
async function copied(name: string): Promise<string> {
  if (/-(php|python|go)$/.test(name)) {
    const folder = join(ownFolder('sample'), name)
    assert.deepEqual((await command({}, 'samples', name, folder)).stderr, '')
    return folder
  }
  const folder = join(await withPackedSdk(), name)
  cpSync(join(SAMPLES, name), folder, { recursive: true })
  return folder
}

slow('the Node.js shop sells, receives the event and makes a refund', async (t) => {
  const shop = await onRealTime(t)
  const { url } = await startServer(t, ['node', 'shop.js'], await copied('shop-node'), { PORT: '0', ...keysOf(shop) })
  const reference = await sell(shop, url)
  const refunded = await fetch(`${url}/orders/${reference}/refund`, { method: 'POST' })
  assert.equal(refunded.status, 200, await refunded.text())
  const params = { refundReference: `refund-${reference}` }
  assert.equal((await shop.call(contract.getRefund, { params })).refundAmount, 9_000)
  const again = await fetch(`${url}/orders/order-0/refund`, { method: 'POST' })
  assert.deepEqual(
    [again.status, await again.json()],
    [422, { error: 'Could not find specified transaction', code: 'UNKNOWN_TRANSACTION' }],
  )
})

slow('the Hono shop sells and receives the event', async (t) => {
  const folder = await copied('shop-hono')
  const problem = await npmInstall(folder, await packedFile())
  if (problem !== undefined) return t.skip(problem)
  const shop = await onRealTime(t)
  const { url } = await startServer(t, ['node', 'shop.js'], folder, { PORT: '0', ...keysOf(shop) })
  await sell(shop, url)
})

slow('the PHP shop sells and receives the event', async (t) => {
  if (!isHere('php')) return t.skip('php is not installed here')
  const shop = await onRealTime(t)
  const port = await aFreePort()
  const { url } = await startServer(
    t,
    ['php', '-S', `127.0.0.1:${port}`, 'shop.php'],
    join(SAMPLES, 'shop-php'),
    keysOf(shop),
  )
  await sell(shop, url)
  // An event sent to a wrong path must not count as delivered.
  assert.equal((await fetch(`${url}/webhook`, { method: 'POST', body: '{}' })).status, 404)
})

/** Whether a sample uses packages other than the SDK, which `copied` puts next to it. */
const needsPackages = (folder: string): boolean => /shop-(express|hono|next)$/.test(folder)
const NEXT = 'node_modules/next/dist/bin/next'

/** Each shop, and how to start it on a port. */
const SHOPS = {
  'shop-node': () => ['node', 'shop.js'],
  'shop-express': () => ['node', 'shop.js'],
  'shop-hono': () => ['node', 'shop.js'],
  'shop-next': (port: string) => ['node', NEXT, 'start', '--hostname', '127.0.0.1', '--port', port],
  'shop-php': (port: string) => ['php', '-S', `127.0.0.1:${port}`, 'shop.php'],
  'shop-python': () => ['python3', '-B', 'shop.py'],
  'shop-go': () => ['go', 'run', '.'],
} as const

for (const [name, commandOf] of Object.entries(SHOPS))
  slow(`the sample ${name} gets full marks from check-integration`, async (t) => {
    const port = await aFreePort()
    const start = commandOf(port)
    if (!isHere(start[0] ?? '')) return t.skip(`${start[0]} is not installed here`)
    const folder = await copied(name)
    const problem = needsPackages(folder) ? await npmInstall(folder, await packedFile()) : undefined
    if (problem !== undefined) return t.skip(problem)
    if (name === 'shop-next') {
      const build = { cwd: folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } }
      execFileSync('node', [NEXT, 'build'], { ...build, stdio: 'pipe' })
    }
    const shop = await onRealTime(t)
    const proxyPort = await aFreePort()
    const env = { ...keysOf(shop), PORT: port, KOBO_URL: `http://localhost:${proxyPort}` }
    const { url, printed } = await startServer(t, start, folder, env)
    const keys = join(ownFolder('credentials'), 'keys.json')
    writeFileSync(keys, JSON.stringify(shop.credentials))
    const { code, stdout, stderr } = await command(
      {},
      'check-integration',
      ...['--order', `${url}/buy`, '--deliveries', `${url}/orders/{reference}`, '--webhook', `${url}/events`],
      ...['--port', proxyPort, '--fast', '--credentials', keys],
    )
    assert.equal(code, 0, stdout + stderr + printed())
    assert.match(stdout, /^Score: 100 of 100\./m)
  })
