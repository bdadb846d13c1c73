import type { KoboEvent } from './api.ts'
import { type HeaderSource, InvalidSignature, type VerifyOptions, verifyEvent } from './verify-event.ts'

/**
 * Handles an event. If it returns, the gateway gets 200. If it throws, the gateway gets 500 and sends the event again
 * later. The same event can arrive twice, so handle each reference once.
 */
export type EventHandler = (event: KoboEvent) => void | Promise<void>

/** The maximum size of an event. */
const BODY_BYTES_MAX = 16_000_000

interface HandlerResponse {
  readonly status: 200 | 401 | 405 | 413 | 500
  readonly text: string
}

const TOO_LARGE: HandlerResponse = { status: 413, text: 'too large' }

async function receive(
  options: VerifyOptions,
  handle: EventHandler,
  body: string | Uint8Array | undefined,
  headers: HeaderSource,
): Promise<HandlerResponse> {
  if (body === undefined || body.length > BODY_BYTES_MAX) return TOO_LARGE
  let event: KoboEvent
  try {
    event = await verifyEvent(body, headers, options)
  } catch (error) {
    if (error instanceof InvalidSignature) return { status: 401, text: error.message }
    throw error
  }
  await handle(event)
  return { status: 200, text: 'ok' }
}

/** A handler for Deno.serve, Bun.serve, Cloudflare Workers and others that pass a Request. */
export function fetchEvents(options: VerifyOptions, handle: EventHandler): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return new Response('POST only', { status: 405, headers: { allow: 'POST' } })
    const body = await readBounded(request.body)
    const { status, text } = await receive(options, handle, body, request.headers)
    return new Response(text, { status })
  }
}

/** A route handler for Next.js: `export const POST = nextEvents(…)` in `app/events/route.ts`. */
export const nextEvents = fetchEvents

/** A handler for Hono: `app.post('/events', honoEvents(…))`. */
export function honoEvents(
  options: VerifyOptions,
  handle: EventHandler,
): (context: { readonly req: { readonly raw: Request } }) => Promise<Response> {
  const respond = fetchEvents(options, handle)
  return ({ req }) => respond(req.raw)
}

/** The parts of Node's request that we use. Express adds `body` if a parser ran. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: unknown
}

interface NodeResponse {
  readonly writeHead: (status: number, headers?: Record<string, string>) => unknown
  readonly end: (text: string) => unknown
}

/**
 * A handler for Express and Node's own server: `app.post('/events', expressEvents(…))`. It needs the raw body: put it
 * before `express.json()` or after `express.raw()`.
 */
export function expressEvents(
  options: VerifyOptions,
  handle: EventHandler,
): (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      if (request.method !== 'POST') {
        response.writeHead(405, { allow: 'POST' })
        response.end('POST only')
        return
      }
      const body = rawBody(request.body) ?? (await readBounded(request))
      const { status, text } = await receive(options, handle, body, request.headers)
      response.writeHead(status)
      response.end(text)
    } catch (error) {
      if (next !== undefined) return next(error)
      response.writeHead(500)
      response.end('failed')
      throw error
    }
  }
}

/** Returns the raw body that a framework's parser has read, or undefined if no parser ran. */
function rawBody(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body
  throw new TypeError(
    'The body was parsed before its signature could be verified: put expressEvents before express.json()',
  )
}

interface FastifyInstance {
  readonly addContentTypeParser: (
    type: string,
    options: { readonly parseAs: 'buffer'; readonly bodyLimit: number },
    parse: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ) => unknown
  readonly post: (
    path: string,
    handle: (
      request: { readonly body: unknown; readonly headers: NodeRequest['headers'] },
      reply: { readonly code: (status: number) => { readonly send: (text: string) => unknown } },
    ) => Promise<unknown>,
  ) => unknown
}

/** A plugin for Fastify: `app.register(fastifyEvents({ path: '/events', … }, …))`. Other routes are not affected. */
export function fastifyEvents(
  { path, ...options }: VerifyOptions & { readonly path: string },
  handle: EventHandler,
): (instance: FastifyInstance) => Promise<void> {
  return async (instance) => {
    instance.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      (_, body, done) => done(null, body),
    )
    instance.post(path, async ({ body, headers }, reply) => {
      const { status, text } = await receive(options, handle, body as Uint8Array, headers)
      return reply.code(status).send(text)
    })
  }
}

/** Reads a body, or returns undefined if it is too large. */
async function readBounded(
  body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | null,
): Promise<Uint8Array | undefined> {
  if (body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > BODY_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
