import { connect, type Socket } from 'node:net'
import type { HttpRequest } from '@kobo/contract'

/** A request on the wire; its URL is a path of the gateway. */
export type LoadRequest = HttpRequest

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly perSecond: number
  /** Responses by status. */
  readonly statuses: Readonly<Record<number, number>>
  readonly p50Milliseconds: number
  readonly p99Milliseconds: number
}

export interface LoadOptions {
  readonly url: string
  readonly connections: number
  /** The load ends after this many requests or seconds, whichever comes first. */
  readonly requestsMax: number
  readonly secondsMax: number
  /** The nth request, from 0. */
  readonly request: (nth: number) => LoadRequest
  /** A constant rate instead of full speed. Latency is then measured from the time at which a request was due. */
  readonly paceASecond?: number
  /** Receives each response body. */
  readonly onResponse?: (nth: number, body: string) => void
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Keeps each connection busy with one request at a time. Does little itself, so that the server gets the processor. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { hostname, port } = new URL(options.url)
  const statuses: Record<number, number> = {}
  const latencies: number[] = []
  let sent = 0
  const started = performance.now()
  const deadline = started + options.secondsMax * 1_000

  await Promise.all(
    Array.from({ length: options.connections }, () => {
      const socket = connect(Number(port), hostname)
      socket.setNoDelay(true)
      return keepBusy(socket, () => {
        if (sent >= options.requestsMax || performance.now() > deadline) return undefined
        const nth = sent++
        const startedAt = options.paceASecond ? started + (nth * 1_000) / options.paceASecond : performance.now()
        return {
          dueAt: startedAt,
          text: wireText(options.request(nth), hostname),
          handleResponse: (status, body) => {
            latencies.push(performance.now() - startedAt)
            statuses[status] = (statuses[status] ?? 0) + 1
            options.onResponse?.(nth, body())
          },
        }
      })
    }),
  )
  const seconds = (performance.now() - started) / 1_000
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0
  const requests = latencies.length
  return {
    requests,
    seconds,
    perSecond: requests / seconds,
    statuses,
    p50Milliseconds: at(0.5),
    p99Milliseconds: at(0.99),
  }
}

function wireText({ method, url, headers, body = '' }: LoadRequest, host: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${url} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${lines.join('')}\r\n${body}`
}

interface Turn {
  /** When to send the request; it is sent at once if this time has passed. */
  readonly dueAt: number
  readonly text: string
  readonly handleResponse: (status: number, body: () => string) => void
}

/** Sends requests on a connection until there are no more. */
function keepBusy(socket: Socket, next: () => Turn | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let turn: Turn | undefined
    let received: Buffer = Buffer.alloc(0)
    const send = (): void => {
      turn = next()
      if (turn === undefined) {
        socket.end(() => resolve())
        return
      }
      const { text, dueAt } = turn
      const wait = dueAt - performance.now()
      if (wait < 1) socket.write(text)
      else setTimeout(() => socket.write(text), wait)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const headEnd = received.indexOf(HEAD_END)
      if (headEnd < 0) return
      const head = received.toString('latin1', 0, headEnd)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      const bodyStart = headEnd + HEAD_END.length
      if (received.length < bodyStart + length) return
      const body = received.subarray(bodyStart, bodyStart + length)
      received = Buffer.alloc(0)
      try {
        turn?.handleResponse(Number(head.slice(9, 12)), () => body.toString())
        send()
      } catch (error) {
        socket.destroy()
        reject(error)
      }
    })
  })
}
