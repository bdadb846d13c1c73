import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A proxy between a process and its database that fails as networks do. */
export interface DatabaseProxy {
  /** The database's URL through the proxy. */
  readonly url: string
  /** When it rejected a connection. */
  readonly rejectedAt: readonly number[]
  /** Breaks all connections and rejects new ones. */
  readonly disconnect: () => void
  /** Stops forwarding on existing connections, or on those that started with this text, and closes none of them. */
  readonly freeze: (output?: string) => number
  /** Accepts new connections. */
  readonly reconnect: () => void
}

/** How many bytes of a connection's start are kept, to recognize what the connection is for. */
const FIRST_BYTES_MAX = 4_096

interface Pair {
  readonly ends: readonly [Socket, Socket]
  /** Its first bytes. */
  firstBytes: string
}

export async function databaseProxy(t: TestContext, databaseUrl: string): Promise<DatabaseProxy> {
  const pairs = new Set<Pair>()
  const rejectedAt: number[] = []
  let isOpen = true
  const { hostname, port } = new URL(databaseUrl)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (!isOpen) {
      rejectedAt.push(performance.now())
      socket.destroy()
      return
    }
    const behind = connect(Number(port), hostname).on('error', () => {})
    for (const end of [socket, behind]) end.setNoDelay() // else small packets wait for an acknowledgement, 40 ms each
    const pair: Pair = { ends: [socket, behind], firstBytes: '' }
    pairs.add(pair)
    socket.on('data', (part) => {
      if (pair.firstBytes.length < FIRST_BYTES_MAX) pair.firstBytes += part.toString('latin1')
    })
    socket.pipe(behind).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const shut = (): void => {
    isOpen = false
    for (const { ends } of pairs) for (const end of ends) end.destroy()
    pairs.clear()
  }
  t.after(() => {
    shut()
    server.close()
  })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    rejectedAt,
    disconnect: shut,
    freeze: (output = '') => {
      const silenced = [...pairs].filter((pair) => pair.firstBytes.includes(output))
      for (const {
        ends: [front, back],
      } of silenced) {
        front.unpipe(back)
        back.unpipe(front)
        // Keep reading, so that neither end notices.
        front.resume()
        back.resume()
      }
      return silenced.length
    },
    reconnect: () => {
      isOpen = true
    },
  }
}
