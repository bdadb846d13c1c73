import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** What stands between a process and its database, and does as networks do. */
export interface Door {
  /** The database's address through the door. */
  readonly url: string
  /** When it turned somebody away. */
  readonly refusedAt: readonly number[]
  /** Breaks what goes through, and turns everybody away. */
  readonly shut: () => void
  /** Forwards no further byte of the connections there are, or of those that began with this, and closes none of them. */
  readonly silence: (said?: string) => number
  /** Lets new connections through. */
  readonly open: () => void
}

/** So much is remembered of what was said first, which tells what a connection is for. */
const SAID_MAX = 4_096

interface Pair {
  readonly ends: readonly [Socket, Socket]
  /** How it began. */
  said: string
}

export async function door(t: TestContext, databaseUrl: string): Promise<Door> {
  const pairs = new Set<Pair>()
  const refusedAt: number[] = []
  let isOpen = true
  const { hostname, port } = new URL(databaseUrl)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (!isOpen) {
      refusedAt.push(performance.now())
      socket.destroy()
      return
    }
    const behind = connect(Number(port), hostname).on('error', () => {})
    for (const end of [socket, behind]) end.setNoDelay() // else small parts wait for an acknowledgement, 40 ms each
    const pair: Pair = { ends: [socket, behind], said: '' }
    pairs.add(pair)
    socket.on('data', (part) => {
      if (pair.said.length < SAID_MAX) pair.said += part.toString('latin1')
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
    refusedAt,
    shut,
    silence: (said = '') => {
      const silenced = [...pairs].filter((pair) => pair.said.includes(said))
      for (const {
        ends: [front, back],
      } of silenced) {
        front.unpipe(back)
        back.unpipe(front)
        // Read on, so that neither end sees that nobody listens.
        front.resume()
        back.resume()
      }
      return silenced.length
    },
    open: () => {
      isOpen = true
    },
  }
}
