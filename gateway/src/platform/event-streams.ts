import { requestRefusals } from '@kobo/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusal } from '../kernel/errors.ts'

const STREAMS_MAX = 5_000
const STREAMS_PER_ADDRESS_MAX = 500
const HEARTBEAT_MILLISECONDS = 15_000
/** A browser that lost its connection comes back after this. */
const RETRY_MILLISECONDS = 3_000
/** A stream whose reader takes nothing any more is ended rather than remembered for ever. */
const UNREAD_BYTES_MAX = 256 * 1024

const tooManyStreams = refusal(requestRefusals.tooManyListeners)

/** Server-sent events to one browser. */
export interface EventStream {
  readonly send: (data: object) => void
  /** Ends it from our side; the browser would come back unless it has closed its own. */
  readonly end: () => void
}

/** Serves streams of events: a bounded number, kept alive by heartbeats, all ended when the server closes. */
export interface EventStreams {
  /** `open` is called for each reader, and answers what is to be done when the reader is gone. It may refuse. */
  readonly serve: (
    path: string,
    open: (request: FastifyRequest, stream: EventStream) => Promise<(() => void) | undefined>,
  ) => void
  readonly count: () => number
}

export function eventStreams(http: FastifyInstance): EventStreams {
  const ends = new Set<() => void>()
  const perAddress = new Map<string, number>()
  http.addHook('preClose', (done) => {
    for (const end of ends) end()
    done()
  })

  function admit(address: string): () => void {
    const count = perAddress.get(address) ?? 0
    if (ends.size >= STREAMS_MAX || count >= STREAMS_PER_ADDRESS_MAX) throw tooManyStreams()
    perAddress.set(address, count + 1)
    return () => {
      const left = (perAddress.get(address) ?? 1) - 1
      if (left === 0) perAddress.delete(address)
      else perAddress.set(address, left)
    }
  }

  return {
    count: () => ends.size,
    serve: (path, open) => {
      http.get(path, async (request, reply) => {
        const leave = admit(request.ip)
        const raw = reply.raw
        let started = false
        let over = false
        let cleanUp: (() => void) | undefined
        const end = (): void => {
          if (over) return
          over = true
          clearInterval(heartbeat)
          ends.delete(end)
          leave()
          cleanUp?.()
          if (started) raw.end()
        }
        const write = (text: string): void => {
          if (over || raw.destroyed) return
          if (!started) {
            // Only now, so that a refusal can still be answered as any other.
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
        const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MILLISECONDS)
        ends.add(end)
        raw.once('close', end)
        try {
          cleanUp = await open(request, { send: (data) => write(`data: ${JSON.stringify(data)}\n\n`), end })
          if (over) cleanUp?.()
          else write(':\n\n')
          return reply
        } catch (refused) {
          end()
          throw refused
        }
      })
    },
  }
}
