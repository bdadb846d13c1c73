import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { gateway } from '../../gateway/test/harness/gateway.ts'
import { ownDatabase } from '../../gateway/test/harness/postgres.ts'
import { type Program, startProgram } from '../../gateway/test/harness/processes.ts'
import { aTransaction, checkoutReferenceOf, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { type Before, caddy, nginx, textIn } from './proxies.ts'
import { freePorts, without } from './tools.ts'

const ELSEWHERE = '198.51.100.7'
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

for (const [name, startProxy] of [
  ['caddy', caddy],
  ['nginx', nginx],
] as const)
  test(`${name} with our configuration terminates TLS, streams, passes client addresses and hides operator endpoints`, {
    skip: without(name),
  }, async (t) => {
    const shop = await gateway(t, { env: { KOBO_TRUSTED_PROXIES: '127.0.0.1,::1' } })
    const proxy = await startProxy(t, [new URL(shop.url).host])
    const responses = async (
      method: string,
      path: string,
      headers?: Record<string, string>,
    ): Promise<number | undefined> => {
      const response = await proxy.open(method, path, headers)
      await textIn(response)
      return response.statusCode
    }
    for (const path of ['/metrics', '/metrics/', '/health/ready', '/health/live'])
      assert.deepEqual([path, await responses('GET', path)], [path, 404])
    assert.equal(await responses('GET', '/openapi.json'), 200)

    await streams(t, proxy, shop)

    // A forged X-Forwarded-For header is ignored.
    await shop.call(contract.changeSettings, { body: { ipWhitelist: [ELSEWHERE] } })
    const claim = { authorization: `Bearer ${shop.token}`, 'x-forwarded-for': ELSEWHERE, forwarded: `for=${ELSEWHERE}` }
    const banksPath = contract.listBanks.path
    assert.equal(await responses('GET', banksPath, claim), 403)
    assert.equal((await shop.send('GET', banksPath, { headers: { 'x-forwarded-for': ELSEWHERE } })).status, 200)
  })

/** Expects live updates to arrive at once and the stream to end with the payment. */
async function streams(t: TestContext, proxy: Before, shop: Awaited<ReturnType<typeof gateway>>): Promise<void> {
  const { transactionReference, checkoutUrl } = await shop.call(contract.initTransaction, {
    body: aTransaction(shop, { amount: 5_000 }),
  })
  const { bankCode, accountNumber } = await shop.call(contract.initBankTransfer, { body: { transactionReference } })
  const path = `/checkout/${encodeURIComponent(checkoutReferenceOf(checkoutUrl))}/events`
  const stream = await proxy.open('GET', path)
  t.after(() => stream.destroy())
  assert.equal(stream.statusCode, 200)
  let received = ''
  stream.setEncoding('utf8').on('data', (part: string) => (received += part))
  await until('the first message arrives', () => received.includes('PENDING'))
  await pay(shop, { bankCode, accountNumber }, 5_000)
  await until('the page is notified of the payment', () => received.includes('PAID'))
}

const CALLERS = 6
const DRAIN_SECONDS = 5

slow(
  'two nodes behind Caddy are replaced under load without a failed request',
  {
    skip: without('caddy'),
  },
  async (t) => {
    const { url, drop } = await ownDatabase()
    const shop = await gateway(t, { databaseUrl: url })
    const ports = await freePorts(2)
    const startNode = async (port: number): Promise<Program> => {
      const settings = { PORT: String(port), DATABASE_URL: url, KOBO_MASTER_KEY: MASTER_KEY }
      const further = { KOBO_DRAIN_SECONDS: String(DRAIN_SECONDS), KOBO_TRUSTED_PROXIES: '127.0.0.1,::1' }
      const node = startProgram(t, 'gateway/src/main.ts', [], { ...settings, ...further, KOBO_RATE_LIMIT: '0' })
      await node.says(/^Kobo is ready at (\S+)/m)
      return node
    }
    const nodes = await Promise.all(ports.map(startNode))
    t.after(drop)
    const proxy = await caddy(
      t,
      ports.map((port) => `127.0.0.1:${port}`),
    )

    const failures: unknown[] = []
    let answered = 0
    let isOver = false
    t.after(() => {
      isOver = true
    })
    const call = async (): Promise<void> => {
      const headers = { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' }
      const body = JSON.stringify(aTransaction(shop))
      try {
        const response = await proxy.open('POST', contract.initTransaction.path, headers, body)
        const text = await textIn(response)
        if (response.statusCode === 200) answered++
        else failures.push([response.statusCode, text])
      } catch (error) {
        failures.push(error)
      }
    }
    const callers = Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (!isOver && failures.length === 0) await call()
      }),
    )
    /** Whether a node receives requests from the proxy. */
    const serves = async (port: number): Promise<boolean> =>
      (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).includes(
        `path="${contract.initTransaction.path}"`,
      )
    for (const [index, port] of ports.entries()) {
      const node = nodes[index]
      await until(
        'both serve',
        async () => (await Promise.all(ports.map(serves))).every(Boolean) || failures.length > 0,
      )
      node?.child.kill('SIGTERM')
      assert.equal(await node?.ended, 0, node?.stderr())
      const alone = answered
      await until('the other serves alone', () => answered > alone + 50 || failures.length > 0)
      await startNode(port)
    }
    isOver = true
    await callers
    assert.deepEqual(failures, [], proxy.output())
    t.diagnostic(`${answered} requests were answered meanwhile`)
  },
)
