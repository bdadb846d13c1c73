import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import fastify from 'fastify'
import { aShop } from '../../gateway/test/harness/gateway.ts'
import { anAccount, pay } from '../../gateway/test/harness/samples.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { type ReceivedEvent, webhookEndpoint } from '../../gateway/test/harness/webhook-endpoint.ts'
import { packedSdk } from './packed.ts'

/** An event sent by the gateway, and the secret that signed it. */
async function anEvent(t: TestContext): Promise<{ readonly received: ReceivedEvent; readonly secretKey: string }> {
  const shop = await aShop()
  const inbox = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrl: inbox.url } })
  await pay(shop, await anAccount(shop), 5_000)
  const [received] = await inbox.count(1)
  assert.ok(received)
  return { received, secretKey: shop.credentials.secretKey }
}

/** Signs a body as the gateway does, at a time in seconds. */
function signed(body: string, secretKey: string, at: number): Record<string, string> {
  const id = 'evt_1'
  const hash = createHmac('sha256', secretKey).update(`${id}.${at}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${hash}`,
    'service-signature': createHmac('sha512', secretKey).update(body).digest('hex'),
  }
}

test('verifyEvent accepts either signature, with headers and body in any form', async (t) => {
  const { verifyEvent } = await packedSdk()
  const { received, secretKey } = await anEvent(t)
  const { body, headers } = received
  const now = () => Number(headers['webhook-timestamp']) * 1_000
  const webHeaders = new Headers(headers as Record<string, string>)
  for (const signature of ['webhook', 'service'] as const)
    for (const [given, from] of [
      [body, headers],
      [Buffer.from(body), webHeaders],
    ] as const) {
      const event = await verifyEvent(given, from, { secretKey, signature, now })
      assert.ok(event.eventType === 'SUCCESSFUL_TRANSACTION')
      assert.equal(event.eventData.paymentStatus, 'PAID')
    }
  const rotated = await verifyEvent(body, headers, { secretKey: ['the-next-one', secretKey], now })
  assert.equal(rotated.eventType, 'SUCCESSFUL_TRANSACTION')
})

test('verifyEvent rejects forged, changed, old and unsigned requests', async () => {
  const { verifyEvent, InvalidSignature } = await packedSdk()
  const body = '{"eventType":"SETTLEMENT","eventData":{}}'
  const at = 1_800_000_000
  const headers = signed(body, 'secret', at)
  const options = { secretKey: 'secret', now: () => at * 1_000 }
  assert.equal((await verifyEvent(body, headers, options)).eventType, 'SETTLEMENT')
  const { 'webhook-id': _, ...unnamed } = headers
  const forged: readonly [string, Record<string, string>, object?][] = [
    [`${body} `, headers],
    [`${body} `, headers, { signature: 'service' }],
    [body, headers, { secretKey: 'another' }],
    [body, headers, { secretKey: 'another', signature: 'service' }],
    [body, headers, { now: () => (at + 301) * 1_000 }],
    [body, headers, { now: () => (at - 301) * 1_000 }],
    [body, { ...headers, 'webhook-timestamp': String(at + 1) }],
    [body, { ...headers, 'webhook-timestamp': 'soon' }],
    [body, { ...headers, 'webhook-id': 'evt_2' }],
    [body, unnamed],
    [body, { 'service-signature': headers['service-signature'] ?? '' }],
    [body, { ...headers, 'service-signature': '' }, { signature: 'service' }],
    [body, {}],
  ]
  for (const [text, from, changes] of forged)
    await assert.rejects(verifyEvent(text, from, { ...options, ...changes }), InvalidSignature)
  assert.ok(await verifyEvent(body, headers, { ...options, now: () => (at + 300) * 1_000 }))
  await assert.rejects(verifyEvent(body, headers, { secretKey: '' }), /secretKey is missing/)
})

async function serveNode(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
}

test('every framework handler returns 200 for a valid event, 401 for an invalid signature and 500 for a failure', async (t) => {
  const sdk = await packedSdk()
  const seen: string[] = []
  const options = { secretKey: 'secret', now: () => 1_800_000_000_000 }
  const handle = async ({ eventType }: { eventType: string }): Promise<void> => {
    seen.push(eventType)
    if (eventType === 'FAILED_REFUND') throw new Error('no place to keep it')
  }
  const app = fastify()
  await app.register(sdk.fastifyEvents({ path: '/events', ...options }, handle))
  app.post('/orders', async ({ body }) => body)
  t.after(() => app.close())
  const byFetch = sdk.fetchEvents(options, handle)
  const byHono = sdk.honoEvents(options, handle)
  const byNode = sdk.expressEvents(options, handle)
  const answering = (response: (request: Request) => Promise<Response>) => async (init: RequestInit) =>
    response(new Request('http://shop.example/events', init)).catch(() => new Response('', { status: 500 }))
  const nodeUrl = await serveNode(t, (request, response) => void byNode(request, response).catch(() => {}))
  // As Express after express.raw(): the body is set, and errors go to next.
  const rawUrl = await serveNode(t, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    await byNode(Object.assign(request, { body: Buffer.concat(chunks) }), response, () => response.writeHead(500).end())
  })
  const fastifyUrl = `${await app.listen({ port: 0, host: '127.0.0.1' })}/events`
  const ways: Readonly<Record<string, (init: RequestInit) => Promise<Response>>> = {
    fetch: answering(byFetch),
    next: answering(sdk.nextEvents(options, handle)),
    hono: answering((raw) => byHono({ req: { raw } })),
    node: (init) => fetch(nodeUrl, init),
    express: (init) => fetch(rawUrl, init),
    fastify: (init) => fetch(fastifyUrl, init),
  }
  for (const [name, send] of Object.entries(ways)) {
    const post = (eventType: string, secret: string) => {
      const body = JSON.stringify({ eventType, eventData: { note: 'naïve ₦' } })
      const headers = { 'content-type': 'application/json', ...signed(body, secret, 1_800_000_000) }
      return send({ method: 'POST', body, headers })
    }
    seen.length = 0
    assert.equal((await post('SETTLEMENT', 'secret')).status, 200, name)
    assert.equal((await post('SETTLEMENT', 'forged')).status, 401, name)
    assert.deepEqual(seen, ['SETTLEMENT'], name)
    assert.equal((await post('FAILED_REFUND', 'secret')).status, 500, name)
  }
  for (const name of ['fetch', 'node']) assert.equal((await ways[name]?.({ method: 'GET' }))?.status, 405, name)
  const order = { method: 'POST', body: '{"shoes":2}', headers: { 'content-type': 'application/json' } }
  assert.deepEqual(await (await fetch(fastifyUrl.replace('events', 'orders'), order)).json(), { shoes: 2 })
})

test('a body that was already parsed is an error', async () => {
  const { expressEvents } = await packedSdk()
  const failures: unknown[] = []
  const request = { method: 'POST', headers: {}, body: { eventType: 'SETTLEMENT' }, async *[Symbol.asyncIterator]() {} }
  const response = { writeHead: () => assert.fail('no response'), end: () => assert.fail('no response') }
  await expressEvents({ secretKey: 'secret' }, () => {})(request, response, (error) => failures.push(error))
  await until('the failure is reported', () => failures.length === 1)
  assert.match(String(failures[0]), /before express\.json\(\)/)
})
