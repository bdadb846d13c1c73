import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { until } from './until.ts'

/** An event as a merchant's server received it. */
export interface ReceivedEvent {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: { readonly eventType: string; readonly eventData: Record<string, unknown> }
}

/** The response to the nth event (from 1): a status, or a status with headers; 0 never responds. */
type EndpointResponse = number | { readonly status: number; readonly headers: Record<string, string> }
export type Responder = (nth: number) => EndpointResponse | Promise<EndpointResponse>

export interface WebhookEndpoint {
  readonly url: string
  readonly received: ReceivedEvent[]
  /** The number of unanswered requests that the sender has aborted. */
  aborted: number
  /** Resolves when at least this many have arrived. */
  readonly count: (expected: number) => Promise<readonly ReceivedEvent[]>
  respond: Responder
}

/** A merchant's webhook endpoint on a free port, closed when the test ends. */
export async function webhookEndpoint(t: TestContext, answering: Responder = () => 200): Promise<WebhookEndpoint> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', async () => {
      opened.received.push({ headers: request.headers, body, event: JSON.parse(body) })
      const reply = await opened.respond(opened.received.length)
      const { status, headers } = typeof reply === 'number' ? { status: reply, headers: {} } : reply
      if (status !== 0) response.writeHead(status, headers).end('received')
      else response.on('close', () => opened.aborted++)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const opened: WebhookEndpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received: [],
    aborted: 0,
    respond: answering,
    count: async (expected) => {
      await until(`${expected} events have arrived`, () => opened.received.length >= expected)
      return opened.received
    },
  }
  return opened
}
