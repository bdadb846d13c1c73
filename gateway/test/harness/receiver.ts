import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { until } from './wait.ts'

/** An event as a merchant's server received it. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: { readonly eventType: string; readonly eventData: Record<string, unknown> }
}

/** How a receiver answers its nth event (from 1): a status, or a status with headers; 0 never answers. */
type Answered = number | { readonly status: number; readonly headers: Record<string, string> }
export type Answering = (nth: number) => Answered | Promise<Answered>

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** How many of those that had no answer the sender has given up. */
  givenUp: number
  /** Resolves when at least so many have arrived. */
  readonly count: (wanted: number) => Promise<readonly Received[]>
  answering: Answering
}

/** A merchant's server on a free port, closed when the test ends. */
export async function receiver(t: TestContext, answering: Answering = () => 200): Promise<Receiver> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', async () => {
      opened.received.push({ headers: request.headers, body, event: JSON.parse(body) })
      const answer = await opened.answering(opened.received.length)
      const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer
      if (status !== 0) response.writeHead(status, headers).end('received')
      else response.on('close', () => opened.givenUp++)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const opened: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received: [],
    givenUp: 0,
    answering,
    count: async (wanted) => {
      await until(`${wanted} events have arrived`, () => opened.received.length >= wanted)
      return opened.received
    },
  }
  return opened
}
