import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** The network between a gateway and its database, with faults on demand. */
export interface Network {
  readonly port: number
  /** Breaks all connections and rejects new ones. */
  readonly cut: () => void
  /** Drops everything sent in these directions without closing connections. New connections are silent, too. */
  readonly silence: (directions: readonly Direction[]) => void
  /** Delays everything. */
  readonly delay: (milliseconds: number) => void
  /** Makes new connections work again, and breaks connections that were silent. */
  readonly repair: () => void
  readonly stop: () => void
}

export type Direction = 'to the database' | 'from the database'

/** Opens a port that forwards to the database's port, which may change when the database starts again. */
export async function openNetwork(target: () => number): Promise<Network> {
  const sockets = new Set<Socket>()
  let state: { isCut: boolean; silent: readonly Direction[]; delay: number } = { isCut: false, silent: [], delay: 0 }
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const forward = (from: Socket, to: Socket, direction: Direction): void => {
    let last = Promise.resolve()
    from.on('data', (part) => {
      if (state.silent.includes(direction)) return
      const { delay } = state
      last = last.then(async () => {
        if (delay > 0) await pause(delay)
        to.write(part)
      })
    })
    from.on('close', () => to.destroy())
  }
  const server = createServer((front) => {
    front.on('error', () => {})
    if (state.isCut) {
      front.destroy()
      return
    }
    const back = connect(target(), '127.0.0.1').on('error', () => {})
    for (const socket of [front, back]) {
      socket.setNoDelay()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    forward(front, back, 'to the database')
    forward(back, front, 'from the database')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      state = { ...state, isCut: true }
      breakAll()
    },
    silence: (silent) => {
      state = { ...state, silent }
    },
    delay: (delay) => {
      state = { ...state, delay }
    },
    repair: () => {
      const wasSilent = state.silent.length > 0
      state = { isCut: false, silent: [], delay: 0 }
      if (wasSilent) breakAll()
    },
    stop: () => {
      breakAll()
      server.close()
    },
  }
}
