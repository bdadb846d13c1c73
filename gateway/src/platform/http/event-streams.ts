import { requestRefusals } from '@kobo/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '../../kernel/errors.ts'
import { networkOf } from './ip-addresses.ts'

const STREAMS_MAX = 5_000
const STREAMS_PER_NETWORK_MAX = 500
const HEARTBEAT_MILLISECONDS = 15_000
/** How soon a browser reconnects. */
const RETRY_MILLISECONDS = 3_000
/** A stream is ended if the reader leaves more bytes than this unread. */
const UNREAD_BYTES_MAX = 256 * 1024

const tooManyStreams = refusal(requestRefusals.tooManyListeners)

/** Server-sent events to one browser. */
export interface EventStream {
  readonly send: (data: object) => void
  /** Ends the stream. The browser reconnects unless its page has closed it. */
  readonly end: () => void
}

/**
 * Starts sending to a reader; returns the function to call when the reader leaves. It may throw an API error before it
 * sends anything.
 */
type Open = (request: FastifyRequest, stream: EventStream) => Promise<(() => void) | undefined>

/** Serves a bounded number of event streams, keeps them alive with heartbeats, and ends them when the server closes. */
export interface EventStreams {
  /** Serves streams at a path. Calls `open` for each reader. */
  readonly serve: (path: string, open: Open) => void
  /** Responds to one request with a stream. */
  readonly respond: (request: FastifyRequest, reply: FastifyReply, open: Open) => Promise<FastifyReply>
  readonly count: () => number
}

export function eventStreams(
  http: FastifyInstance,
  bounds = { all: STREAMS_MAX, ofNetwork: STREAMS_PER_NETWORK_MAX },
): EventStreams {
  const slots = openSlots(bounds)
  http.addHook('preClose', (done) => {
    slots.endAll()
    done()
  })

  const respond: EventStreams['respond'] = async (request, reply, open) => {
    const raw = reply.raw
    let started = false
    let ended = false
    let cleanUp: (() => void) | undefined
    const end = (): void => {
      if (ended) return
      ended = true
      clearInterval(heartbeat)
      releaseSlot()
      cleanUp?.()
      if (started) raw.end()
    }
    const write = (text: string): void => {
      if (ended || raw.destroyed) return
      if (!started) {
        // The stream starts only here, so that an earlier error can still be sent as a normal response.
        started = true
        reply.hijack()
        const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' }
        raw.writeHead(200, {
          ...(reply.getHeaders() as Record<string, string>),
          ...headers,
          'x-accel-buffering': 'no',
        })
        raw.write(`retry: ${RETRY_MILLISECONDS}\n\n`)
      }
      raw.write(text)
      if (raw.writableLength > UNREAD_BYTES_MAX) end()
    }
    const releaseSlot = slots.take(networkOf(request.ip), end)
    const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MILLISECONDS)
    raw.once('close', end)
    try {
      cleanUp = await open(request, { send: (data) => write(`data: ${JSON.stringify(data)}\n\n`), end })
      if (!ended) write(':\n\n')
      else {
        cleanUp?.()
        // Another network got the slot before this stream started.
        if (!started && !raw.destroyed) throw tooManyStreams()
      }
      return reply
    } catch (error) {
      end()
      throw error
    }
  }

  return {
    count: slots.count,
    respond,
    serve: (path, open) => void http.get(path, (request, reply) => respond(request, reply, open)),
  }
}

interface Slots {
  /**
   * Takes a slot for a network; returns the function that releases it. `end` is called if another network gets the
   * slot.
   */
  readonly take: (network: string, end: () => void) => () => void
  readonly count: () => number
  readonly endAll: () => void
}

/**
 * Slots for streams. When all are taken, a network with fewer slots gets the oldest slot of the network with the most
 * slots, so that no network can take them all.
 */
function openSlots({ all, ofNetwork }: { readonly all: number; readonly ofNetwork: number }): Slots {
  const networks = new Map<string, Set<() => void>>()
  let count = 0

  function makeRoom(limit: number): void {
    let largest: Set<() => void> | undefined
    for (const ends of networks.values()) if (ends.size > (largest?.size ?? limit)) largest = ends
    const [oldest] = largest ?? []
    if (oldest === undefined) throw tooManyStreams()
    oldest()
  }

  return {
    count: () => count,
    endAll: () => {
      for (const ends of networks.values()) for (const end of ends) end()
    },
    take: (network, end) => {
      const before = networks.get(network)?.size ?? 0
      if (before >= ofNetwork) throw tooManyStreams()
      if (count >= all) makeRoom(before + 1)
      const ends = networks.get(network) ?? new Set()
      networks.set(network, ends.add(end))
      count++
      return () => {
        if (!ends.delete(end)) return
        count--
        if (ends.size === 0) networks.delete(network)
      }
    },
  }
}
