import { isUtf8 } from 'node:buffer'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { BODY_SIZES, REFUSAL_HEADER, requestRefusals } from '@kobo/contract'
import {
  type FastifyBaseLogger,
  type FastifyContextConfig,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
  type onRequestHookHandler,
  type onResponseHookHandler,
} from 'fastify'
import { changed, Refusal, refusals } from '../../kernel/errors.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Log } from '../observability/log.ts'
import type { Tracing } from '../observability/tracing.ts'
import { DatabaseUnavailable, isDatabaseLoss, OutcomeUnknown } from '../postgres/connection-loss.ts'
import { isLockTimeout } from '../postgres/db.ts'
import { findExcess, isScanned, isShallow } from './json-bounds.ts'
import { noteRequest } from './pacing.ts'
import { requestFacts } from './request-fields.ts'
import { traceRequests } from './request-tracing.ts'
import { checkTexts, malformed } from './validation.ts'

const KEEP_ALIVE_MILLISECONDS = 72_000
const PARAMETER_LENGTH_MAX = 512
export const JSON_TYPE = 'application/json; charset=utf-8'
const HOST_SHOWN_MAX = 255
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

const declared = refusals(requestRefusals)

export const httpErrors = {
  ...declared,
  methodNotAllowed: (methods: string): Refusal =>
    changed(declared.methodNotAllowed(methods), { headers: { allow: methods } }),
  tooManyRequests: (seconds: number): Refusal =>
    changed(declared.tooManyRequests(), { headers: { 'retry-after': String(seconds) } }),
}

/** Throws the error for too many requests if there are seconds to wait. */
export function rejectIfLimited(waitSeconds: number | undefined): void {
  if (waitSeconds !== undefined) throw httpErrors.tooManyRequests(waitSeconds)
}

export interface HttpOptions {
  readonly log: Log
  readonly metrics: Metrics
  /** Present if requests are traced. */
  readonly tracing?: Tracing | undefined
  readonly trustedProxies: readonly string[]
  /**
   * Returns the reason why this process must not serve requests now, if any. Then it serves only monitoring endpoints.
   */
  readonly whyUnhealthy?: () => string | undefined
  /** Whether this process is about to stop. If so, it closes connections, so that callers reach another process. */
  readonly isStopping?: () => boolean
  /** Counts a request; returns the seconds to wait if its caller exceeds the limit. */
  readonly limited?: (address: string) => number | undefined
  /** Whether a Host header is accepted. All are by default. */
  readonly servesHost?: (host: string) => boolean
  /** Default response headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Called for a request that failed because the database connection was lost. */
  readonly onDatabaseLoss?: (facts: { readonly error: Error; readonly [fact: string]: unknown }) => void
  /** If a browser requests an unknown path, shows an error page; returns whether it did. */
  readonly showUnknown?: (error: Refusal, request: FastifyRequest, reply: FastifyReply) => boolean
}

/** Headers of every response: no type sniffing, no caching. */
const STANDARD_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** How many connections a process keeps open, and for how long. */
interface ConnectionBounds {
  readonly connections: number
  /** How long a request may take to arrive completely. */
  readonly requestMilliseconds: number
  /** How long a connection with a request may have no traffic, for example because the caller does not read. */
  readonly silenceMilliseconds: number
  /**
   * How long a connection stays open after its last response. If it were closed at once, the caller could lose that
   * response.
   */
  readonly lingerMilliseconds: number
}

const CONNECTION_BOUNDS: ConnectionBounds = {
  connections: 10_000,
  requestMilliseconds: 30_000,
  silenceMilliseconds: 600_000,
  lingerMilliseconds: 2_000,
}

/** Creates a server that returns every failure in the API's JSON envelope, including the framework's own failures. */
export function openHttp(options: HttpOptions, bounds = CONNECTION_BOUNDS): FastifyInstance {
  const { log, metrics, tracing, trustedProxies, showUnknown, onDatabaseLoss } = options
  const http = fastify({
    loggerInstance: sharedLog(log),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_SIZES.usual.bytes,
    requestTimeout: bounds.requestMilliseconds,
    connectionTimeout: bounds.silenceMilliseconds,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    forceCloseConnections: 'idle',
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: requestIds(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAMETER_LENGTH_MAX },
    frameworkErrors: (error, request, reply) => sendFailure(error, request, reply),
    clientErrorHandler: (error, socket) => rejectConnection(error, socket, bounds.lingerMilliseconds),
    // For a missing host header and while closing, the framework would send responses without our envelope.
    http: { requireHostHeader: false, connectionsCheckingInterval: bounds.requestMilliseconds },
    return503OnClosing: false,
    ajv: { customOptions: { strict: false } },
  })
  http.server.maxConnections = bounds.connections
  readBodies(http)
  const methodsAt = servedMethods(http)
  http.setErrorHandler((error, request, reply) => {
    const isUnknown = request.is404 && error instanceof Refusal && error.status === 404
    if (isDatabaseLoss(error)) onDatabaseLoss?.({ error, ...requestFacts(request), method: request.method })
    if (isUnknown && showUnknown?.(error, request, reply) === true) logRefusal(error, request)
    else sendFailure(error as Error, request, reply)
  })
  // An unknown `Expect` header is ignored, which HTTP allows; the framework would reject it without a body.
  http.server.on('checkExpectation', (request, response) => http.server.emit('request', request, response))

  guardRoutes(http, options, methodsAt)
  watchRoutes(http, log, metrics)
  if (tracing !== undefined) traceRequests(http, tracing)
  dropUnused(http)
  return http
}

/**
 * Creates the logger that all requests share. The request id is a field of each line. A child logger per request would
 * cost more than the request's own work, and so would the framework's check of a custom factory.
 */
function sharedLog(log: Log): FastifyBaseLogger {
  const child: Log['child'] = (bindings, options) => {
    const shared = log.child(bindings, options)
    shared.child = () => shared as never
    return shared as never
  }
  return Object.assign(Object.create(log), { child }) as FastifyBaseLogger
}

/**
 * Sets headers, and rejects requests that can be rejected before routing and before the body is read. Hooks are created
 * per route, because reading a route's options from the request builds a new object each time.
 */
function guardRoutes(
  http: FastifyInstance,
  options: HttpOptions,
  methodsAt: (path: string) => readonly string[],
): void {
  const headers = { ...STANDARD_HEADERS, ...options.headers }
  const guard = (config: FastifyContextConfig): onRequestHookHandler => {
    const routeHeaders = { ...headers, ...config.headers }
    return (request, reply, done) => {
      noteRequest()
      // Otherwise the framework would reject an unknown content type, although this route ignores the body.
      if (config.ignoresBody === true) delete request.headers['content-type']
      reply.header('x-request-id', request.id).headers(routeHeaders)
      if (options.isStopping?.() === true) reply.header('connection', 'close')
      done(findRefusal(options, config, request))
    }
  }
  http.addHook('onRoute', (route) => {
    route.onRequest = [guard(route.config ?? {}), route.onRequest ?? []].flat()
  })
  const guardUnknown = guard({})
  http.addHook('onRequest', function unknown(request, reply, done) {
    if (!request.is404) return done()
    guardUnknown.call(this, request, reply, (error) => done(error ?? unservedError(request, methodsAt)))
  })
}

function unservedError(request: FastifyRequest, methodsAt: (path: string) => readonly string[]): Refusal {
  const path = request.url.split('?')[0] ?? ''
  const methods = methodsAt(path)
  return methods.length > 0 ? httpErrors.methodNotAllowed(methods.join(', ')) : httpErrors.unknownPath(path)
}

function findRefusal(
  { limited, servesHost, whyUnhealthy }: HttpOptions,
  { isUncounted, isForOperators }: FastifyContextConfig,
  request: FastifyRequest,
): Refusal | undefined {
  const { headers, httpVersion } = request.raw
  if (headers.host === undefined) {
    if (httpVersion === '1.1') return httpErrors.missingHost()
  } else if (servesHost?.(headers.host) === false) return httpErrors.unknownHost(headers.host.slice(0, HOST_SHOWN_MAX))
  const waitSeconds = isUncounted === true ? undefined : limited?.(request.ip)
  if (waitSeconds !== undefined) return httpErrors.tooManyRequests(waitSeconds)
  return isForOperators !== true && whyUnhealthy?.() !== undefined ? httpErrors.notReady() : undefined
}

/** Closes unused connections, which browsers open ahead of time, so that they do not delay a shutdown. */
function dropUnused(http: FastifyInstance): void {
  const unused = new Set<Socket>()
  http.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  http.server.on('request', ({ socket }) => unused.delete(socket))
  http.addHook('preClose', (done) => {
    for (const socket of unused) socket.destroy()
    done()
  })
}

/** Measures every response and logs it at debug level. Hooks are created per route, because a route knows its path. */
function watchRoutes(http: FastifyInstance, log: Log, metrics: Metrics): void {
  http.addHook('onRoute', (route) => {
    const measure = metrics.requests(route.url)
    const watch: onResponseHookHandler = (request, { statusCode, elapsedTime }, done) => {
      const { method } = request
      measure(method, statusCode, elapsedTime / 1_000)
      if (log.isLevelEnabled('debug'))
        log.debug({ ...requestFacts(request), method, status: statusCode, milliseconds: elapsedTime }, 'request served')
      done()
    }
    route.onResponse = [route.onResponse ?? [], watch].flat()
  })
}

/** Creates a function that returns the methods of a path, to distinguish a wrong method from an unknown path. */
function servedMethods(http: FastifyInstance): (path: string) => readonly string[] {
  const served: { readonly path: string; readonly methods: readonly string[] }[] = []
  http.addHook('onRoute', ({ path, method }) => {
    served.push({ path, methods: [method].flat() })
  })
  // The patterns are created when the first path is checked, because creating hundreds would delay every start.
  let patterns: readonly RegExp[] | undefined
  return (path) => {
    patterns ??= served.map((one) => patternOf(one.path))
    return [...new Set(served.filter((_, place) => patterns?.[place]?.test(path)).flatMap(({ methods }) => methods))]
  }
}

function patternOf(path: string): RegExp {
  const bare = path.replace(/(?<=.)\/$/, '')
  return new RegExp(`^${bare.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replaceAll('*', '.*')}/?$`)
}

/** Creates a function that returns the caller's request id if it is valid, otherwise a new one. */
function requestIds(): (raw: { headers: NodeJS.Dict<string | string[]> }) => string {
  const start = `${process.pid.toString(36)}-${process.hrtime.bigint().toString(36)}`
  let count = 0
  return ({ headers }) => {
    const given = headers['x-request-id']
    return typeof given === 'string' && REQUEST_ID.test(given) ? given : `${start}-${(count++).toString(36)}`
  }
}

/** Reads JSON in the forms that clients send: with a charset, without a type, chunked, or without a body. */
function readBodies(http: FastifyInstance): void {
  const parseJson = http.getDefaultJsonParser('error', 'error')
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse)
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.routeOptions.config.ignoresBody === true) done(null, {})
    else if (request.headers['content-type'] === undefined || body.length === 0) parse(request, body as Buffer, done)
    else done(httpErrors.notJson(), undefined)
  })

  function parse(
    request: FastifyRequest,
    body: Buffer | string,
    done: (error: Error | null, body?: unknown) => void,
  ): void {
    const excess = isScanned(body as Buffer) ? findExcess(body as Buffer, valuesMaxOf(request)) : undefined
    if (body.length === 0) done(null, {})
    else if (excess !== undefined) done(malformed('body', excess, fieldErrorCodeOf(request)))
    else if (!isUtf8(body as Buffer)) done(httpErrors.invalidJson())
    else {
      const text = body.toString()
      const isHarmless = !SUSPICIOUS.some((word) => text.includes(word)) && isShallow(body as Buffer)
      const plain = isHarmless ? parsed(text) : undefined
      if (plain !== undefined) done(null, plain)
      else
        void parseJson(request, text, (error, value) =>
          done(error === null ? wrongText(value, request) : httpErrors.invalidJson(), value),
        )
    }
  }
}

/**
 * A JSON text that contains none of these needs no further check: it has no special property name, and no escape that
 * could hide one or an invalid character.
 */
const SUSPICIOUS = ['\\u', '__proto__', 'constructor']

/** Parses a JSON text; undefined if it is invalid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fieldErrorCodeOf = ({ routeOptions }: FastifyRequest): string | undefined => routeOptions.config.fieldErrorCode
const valuesMaxOf = ({ routeOptions }: FastifyRequest): number =>
  routeOptions.config.bodyValuesMax ?? BODY_SIZES.usual.values

/** Returns the error for texts that cannot be stored or for nesting that is too deep; null if there is none. */
function wrongText(value: unknown, request: FastifyRequest): Error | null {
  try {
    checkTexts(value, fieldErrorCodeOf(request))
    return null
  } catch (error) {
    return error as Error
  }
}

/** Writes an error in the API's JSON envelope. */
export const failureText = ({ message, responseCode }: Refusal): string =>
  JSON.stringify({ requestSuccessful: false, responseMessage: message, responseCode })

/** Sends a failure in the API's JSON envelope, and logs it. */
export function sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const rejection = error instanceof Refusal ? error : translated(error as FastifyError, request)
  if (rejection !== undefined) logRefusal(rejection, request)
  else {
    request.log.error({ error, ...requestFacts(request), method: request.method }, 'request failed')
  }
  sendRefusal(reply, rejection ?? httpErrors.internalError())
}

function logRefusal({ status, code, message }: Refusal, request: FastifyRequest): void {
  // An unknown path is not logged: it may contain anything.
  const reason = request.is404 ? undefined : message
  request.log.info({ ...requestFacts(request), status, code, reason }, 'request rejected')
}

function sendRefusal(reply: FastifyReply, error: Refusal): void {
  reply
    .code(error.status)
    .type(JSON_TYPE)
    .headers({ ...error.headers, [REFUSAL_HEADER]: error.code })
    .send(failureText(error))
}

/** Returns the error for a database that is unreachable or too slow; undefined for other errors. */
export function databaseRefusal(error: unknown): Refusal | undefined {
  if (isLockTimeout(error)) return httpErrors.busy()
  if (error instanceof DatabaseUnavailable) return httpErrors.databaseAway()
  return error instanceof OutcomeUnknown ? httpErrors.outcomeUnknown() : undefined
}

/** Returns the API error for an error of the framework or the database; undefined if our own code failed. */
function translated(error: FastifyError, { routeOptions }: FastifyRequest): Refusal | undefined {
  const rejection = databaseRefusal(error)
  if (rejection !== undefined) return rejection
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return httpErrors.bodyTooLarge(routeOptions.bodyLimit)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return httpErrors.notJson()
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return httpErrors.malformedRequest('The request body is not as long as its Content-Length')
    case 'FST_ERR_BAD_URL':
      return httpErrors.malformedRequest('The path is not a valid URL')
    default:
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? httpErrors.malformedRequest('The request is malformed')
        : undefined
  }
}

/**
 * Responds to a request that never reaches the framework, because it is not valid HTTP or its headers are too large or
 * too slow.
 */
function rejectConnection(error: Error & { code?: string }, socket: Socket, lingerMilliseconds: number): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const rejection =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? httpErrors.headersTooLarge()
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? httpErrors.tooSlow()
        : httpErrors.malformedRequest('The request is not valid HTTP')
  const body = failureText(rejection)
  const head = [
    `HTTP/1.1 ${rejection.status} ${STATUS_CODES[rejection.status]}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${body.length}`,
    `${REFUSAL_HEADER}: ${rejection.code}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // A caller that never hangs up would keep the connection open.
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's own code for a missing or malformed field. */
    fieldErrorCode?: string | undefined
    /** Set if the route is served even while this process is unhealthy. */
    isForOperators?: boolean
    /** Set if the route needs no body but clients may send anything. */
    ignoresBody?: boolean
    /** The maximum number of values in a body, if not the default. */
    bodyValuesMax?: number
    /** Headers of every response of the route, including errors. */
    headers?: Readonly<Record<string, string>> | undefined
    /**
     * Set if requests are exempt from the rate limit, because the caller is limited otherwise or must get a response.
     */
    isUncounted?: true
  }
}
