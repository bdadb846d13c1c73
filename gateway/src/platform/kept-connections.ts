import type { LookupFunction } from 'node:net'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { monotonic } from '../kernel/clock.ts'
import { type AnswerBounds, type AnswerReader, answerReader, type HttpAnswer } from './http-answer.ts'

/** Something that is asked of a server, as it goes over the wire. */
export interface WireRequest {
  readonly url: URL
  readonly text: string
  readonly timeoutMilliseconds: number
  readonly bounds: AnswerBounds
}

/** Connections to servers, kept for what is asked next. */
export interface KeptConnections {
  /** Asks, and answers what came back. Fails where no answer did, or none that can be read. */
  readonly ask: (request: WireRequest) => Promise<HttpAnswer>
  readonly close: () => void
}

/** Nothing came back in time. */
export class TooLate extends Error {}

/** So long a connection may stand idle: servers close theirs after some time, and what is sent at that moment is lost. */
const IDLE_MILLISECONDS_MAX = 15_000
/** Servers that say when they close: so much sooner we do not rely on it. */
const MARGIN_MILLISECONDS = 1_000
const IDLE_PER_ORIGIN_MAX = 32
const ORIGINS_MAX = 1_024
/** So often those are closed that stand idle for too long. */
const LOOK_MILLISECONDS = 5_000

interface Connection {
  readonly socket: Socket
  /** What is under way on it. */
  current: Exchange | undefined
  /** Until when it may be used again. */
  goodUntil: number
}

interface Exchange {
  readonly reader: AnswerReader
  readonly resolve: (answer: HttpAnswer) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/**
 * Opens connections, and keeps them. Over Node's own client a post costs several times what it takes to write it and to read
 * the answer, so this does what events need, and no more: one request at a time on a connection, its body in one piece.
 */
export function openKeptConnections(lookup: LookupFunction): KeptConnections {
  const all = new Set<Connection>()
  const idle = idleConnections()
  const closeOld = (): void => {
    for (const { socket, current, goodUntil } of all)
      if (current === undefined && goodUntil <= monotonic()) socket.destroy()
  }
  const looking = setInterval(closeOld, LOOK_MILLISECONDS).unref()
  const opened = (url: URL): Connection => {
    const connection = openConnection(connected(url, lookup), {
      onFree: () => idle.keep(url.origin, connection),
      onClosed: () => {
        all.delete(connection)
        idle.forget(url.origin, connection)
      },
    })
    all.add(connection)
    return connection
  }
  return {
    ask: ({ url, text, timeoutMilliseconds, bounds }) =>
      new Promise((resolve, reject) => {
        const connection = idle.take(url.origin) ?? opened(url)
        const { socket } = connection
        const timer = setTimeout(() => socket.destroy(new TooLate()), timeoutMilliseconds)
        connection.current = { reader: answerReader(bounds), resolve, reject, timer }
        socket.ref()
        socket.write(text)
      }),
    close: () => {
      clearInterval(looking)
      for (const { socket } of all) socket.destroy()
    },
  }
}

/** Connections on which nothing is under way, by where they lead; who came last is taken first. */
function idleConnections() {
  const idle = new Map<string, readonly Connection[]>()
  const forget = (origin: string, connection: Connection): void => {
    const left = idle.get(origin)?.filter((one) => one !== connection) ?? []
    if (left.length > 0) idle.set(origin, left)
    else idle.delete(origin)
  }
  return {
    forget,
    keep: (origin: string, connection: Connection): void => {
      const others = idle.get(origin) ?? []
      if (others.length >= IDLE_PER_ORIGIN_MAX || (others.length === 0 && idle.size >= ORIGINS_MAX))
        connection.socket.destroy()
      else {
        connection.socket.unref()
        idle.set(origin, [...others, connection])
      }
    },
    take: (origin: string): Connection | undefined => {
      const last = idle.get(origin)?.findLast(({ socket, goodUntil }) => !socket.destroyed && goodUntil > monotonic())
      if (last !== undefined) forget(origin, last)
      return last
    },
  }
}

interface Fate {
  /** It may be used again. */
  readonly onFree: () => void
  readonly onClosed: () => void
}

/** Has a socket read the answers to what is asked on it. */
function openConnection(socket: Socket, { onFree, onClosed }: Fate): Connection {
  const connection: Connection = { socket, current: undefined, goodUntil: 0 }
  /** Ends what is under way on it, once. */
  const end = (how: (exchange: Exchange) => void): void => {
    const exchange = connection.current
    connection.current = undefined
    if (exchange === undefined) return
    clearTimeout(exchange.timer)
    how(exchange)
  }
  const answered = (answer: HttpAnswer): void => {
    connection.goodUntil = goodUntil(answer)
    end(({ resolve }) => resolve(answer))
    if (answer.keepsAlive) onFree()
    else socket.destroy()
  }
  socket.setNoDelay(true)
  socket.on('data', (bytes) => {
    if (connection.current === undefined) return void socket.destroy() // nobody asked for it
    try {
      const answer = connection.current.reader.push(bytes)
      if (answer !== undefined) answered(answer)
    } catch (error) {
      socket.destroy(error as Error)
    }
  })
  socket.on('error', (error) => end(({ reject }) => reject(error)))
  socket.on('close', () => {
    onClosed()
    end(({ reader, resolve, reject }) => {
      const answer = reader.close()
      if (answer === undefined) reject(new Error('the connection was closed'))
      else resolve(answer)
    })
  })
  return connection
}

function connected({ protocol, hostname, port }: URL, lookup: LookupFunction): Socket {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol === 'http:') return connect({ host, port: Number(port) || 80, lookup })
  return connectSecurely({
    host,
    port: Number(port) || 443,
    lookup,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
  })
}

/** Until when a connection may be used again, by what its server says of that. */
function goodUntil({ headers }: HttpAnswer): number {
  const said = /\btimeout=(\d{1,6})\b/i.exec(headers['keep-alive'] ?? '')?.[1]
  const milliseconds = said === undefined ? IDLE_MILLISECONDS_MAX : Number(said) * 1_000 - MARGIN_MILLISECONDS
  return monotonic() + Math.min(milliseconds, IDLE_MILLISECONDS_MAX)
}
