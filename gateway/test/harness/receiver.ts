import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** An event as a merchant's server received it. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: { readonly eventType: string; readonly eventData: Record<string, unknown> }
}

/** How a receiver answers its nth event (from 1): a status, or a status with headers; 0 never answers. */
export type Answering = (nth: number) => number | { readonly status: number; readonly headers: Record<string, string> }

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Resolves when at least so many have arrived. */
  readonly count: (wanted: number) => Promise<readonly Received[]>
  answering: Answering
}

const WAIT_MILLISECONDS_MAX = 20_000

/** A merchant's server on a free port, closed when the test ends. */
export async function receiver(t: TestContext, answering: Answering = () => 200): Promise<Receiver> {
  const waiting: { wanted: number; resolve: () => void }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      opened.received.push({ headers: request.headers, body, event: JSON.parse(body) })
      const answer = opened.answering(opened.received.length)
      const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer
      if (status !== 0) response.writeHead(status, headers).end('received')
      for (const { wanted, resolve } of waiting) if (opened.received.length >= wanted) resolve()
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
    answering,
    count: (wanted) =>
      new Promise((resolve, reject) => {
        if (opened.received.length >= wanted) return resolve(opened.received)
        const timer = setTimeout(
          () => reject(new Error(`${opened.received.length} of ${wanted} events arrived`)),
          WAIT_MILLISECONDS_MAX,
        )
        waiting.push({
          wanted,
          resolve: () => {
            clearTimeout(timer)
            resolve(opened.received)
          },
        })
      }),
  }
  return opened
}
