import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { TestGateway } from '../../gateway/test/harness/gateway.ts'

/**
 * A shop with every mistake that the guides warn of: it verifies no signature, delivers on every event and on every
 * redirect, never queries a status, and retries under a new reference. After `ordersMax` orders it takes no more, as if it
 * had crashed.
 */
export async function naiveShop(
  t: TestContext,
  { credentials }: Pick<TestGateway, 'credentials'>,
  apiUrl: string,
  ordersMax = Number.POSITIVE_INFINITY,
): Promise<string> {
  const deliveries = new Map<string, number>()
  let orders = 0
  const deliver = (reference: string): void => void deliveries.set(reference, (deliveries.get(reference) ?? 0) + 1)

  const buy = async (shopUrl: string): Promise<object> => {
    const paymentReference = `naive-${++orders}`
    try {
      const { accessToken } = await post('/api/v1/auth/login', {
        authorization: `Basic ${btoa(`${credentials.apiKey}:${credentials.secretKey}`)}`,
      })
      const order = {
        amount: 9_000,
        customerEmail: 'ada@example.com',
        paymentReference,
        currencyCode: 'NGN',
        contractCode: credentials.contractCode,
        redirectUrl: `${shopUrl}/thanks`,
      }
      const path = '/api/v1/merchant/transactions/init-transaction'
      return await post(path, { authorization: `Bearer ${accessToken}` }, order)
    } catch {
      return buy(shopUrl)
    }
  }
  const post = async (path: string, headers: Record<string, string>, body: object = {}) => {
    const response = await fetch(apiUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
    return ((await response.json()) as { responseBody: Record<string, string> }).responseBody
  }
  const serve = async (request: IncomingMessage): Promise<object> => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    if (url.pathname === '/buy') return buy(url.origin)
    if (url.pathname === '/events') {
      const { eventData } = (await json(request)) as { eventData: { paymentReference: string } }
      deliver(eventData.paymentReference)
    }
    if (url.pathname === '/thanks') deliver(url.searchParams.get('paymentReference') ?? '')
    return { deliveries: deliveries.get(url.pathname.split('/').at(-1) ?? '') ?? 0 }
  }
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/buy' && orders >= ordersMax) {
      request.socket.destroy()
      return
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await serve(request)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
