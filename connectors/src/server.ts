import { readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, monotonic } from '@kobo/gateway/kernel/clock.ts'
import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import { findExcess } from '@kobo/gateway/platform/http/json-bounds.ts'
import { checkTexts, compileCheck } from '@kobo/gateway/platform/http/validation.ts'
import type { ConnectorMetrics } from '@kobo/gateway/platform/metrics/connector-metrics.ts'
import type { Log } from '@kobo/gateway/platform/observability/log.ts'
import {
  can,
  type Keys,
  MANIFEST,
  OPERATIONS,
  openNonces,
  readSignedRequest,
  type SignedRequest,
  signResponse,
} from '@kobo/gateway/rails/protocol/index.ts'
import type { Connector } from './connector.ts'
import { asText } from './operations.ts'
import type { Tls } from './settings.ts'

const BODY_BYTES_MAX = 65_536
const BODY_VALUES_MAX = 1_000
const REQUEST_MILLISECONDS_MAX = 30_000
const CONNECTIONS_MAX = 4_096

/** The path of partners' calls. */
const CALLBACK = /^\/callbacks\/([a-z0-9-]+)\/([\w/.-]{0,200})(?:\?|$)/

const CHECKS = new Map(Object.entries(OPERATIONS).map(([name, { request }]) => [name, compileCheck(request, 'body')]))

/** A connector and its shared secrets with the gateway. */
interface Served {
  readonly connector: Connector
  readonly keys: Keys
}

interface Options {
  /** The connectors, by their code, which is the first part of the path. */
  readonly served: ReadonlyMap<string, Served>
  readonly wall: Clock
  readonly log: Log
  readonly metrics: ConnectorMetrics
  /** The certificate for HTTPS; without it the server uses HTTP. */
  readonly tls: Tls | undefined
  /** Whether the process reports that it is not ready. */
  readonly isStopping: () => boolean
}

/** Serves connectors with version 2 of the protocol. It accepts only signed requests, and signs all responses. */
export function openServer({ served, wall, log, metrics, tls, isStopping }: Options): {
  readonly server: Server
  readonly close: () => void
} {
  const nonces = openNonces(wall)

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isStopping()) response.setHeader('connection', 'close')
    if (await serveHealth(request, response)) return
    const [, called, path] = CALLBACK.exec(request.url ?? '') ?? []
    if (called !== undefined) {
      await handleCallback(served.get(called)?.connector, path ?? '', request, response)
      return metrics.callback(served.has(called) ? called : 'unknown', response.statusCode)
    }
    const [, code = '', operation = ''] =
      /^\/([a-z0-9-]+)\/([a-z0-9-]+(?:\/[a-z0-9-]+)?)$/.exec(request.url ?? '') ?? []
    const found = served.get(code)
    if (found === undefined) return void response.writeHead(404).end()
    const { connector, keys } = found
    if (request.method !== (operation === MANIFEST ? 'GET' : 'POST')) return void response.writeHead(405).end()
    const body = await readBody(request)
    if (body === undefined) return void response.writeHead(413, { connection: 'close' }).end()
    const text = body.toString()
    const requested =
      readSignedRequest(keys, wall, nonces, { operation, body: text }, request.headers) ??
      (connector.faults?.applies('gullible', operation) ? acceptUnchecked(keys, request) : undefined)
    if (requested === undefined) return void response.writeHead(401).end()
    if (connector.faults?.applies('down', operation)) return void response.destroy()
    const began = monotonic()
    const [status, reply] = await respondTo(connector, operation, body)
    const known = operation === MANIFEST || Object.hasOwn(OPERATIONS, operation) ? operation : 'other'
    metrics.request(code, known, status === 200 ? kindOf(reply) : String(status), (monotonic() - began) / 1_000)
    await send(connector, operation, requested, status, reply, response)
  }

  /** Signs and sends a response, unless a fault applies. */
  async function send(
    { faults }: Connector,
    operation: string,
    request: SignedRequest,
    status: number,
    reply: string,
    response: ServerResponse,
  ): Promise<void> {
    const applies = (fault: Parameters<NonNullable<typeof faults>['applies']>[0]): boolean =>
      faults?.applies(fault, operation) === true
    const delay = faults?.delayMilliseconds(operation) ?? 0
    if (delay > 0) await pause(delay)
    if (applies('lost answer')) return void response.destroy()
    if (applies('hang')) return
    if (applies('busy')) return void response.writeHead(500).end()
    const body = applies('page') ? '<html>Sorry</html>' : applies('half') ? reply.slice(0, -2) : reply
    const secret = applies('forged') ? hidden('a secret that no one else has, long enough') : request.secret
    const nonce = applies('swapped') ? 'the-nonce-of-another-question' : request.nonce
    const signed = applies('unsigned') ? {} : signResponse(secret, wall, { operation, nonce, status, body })
    response.writeHead(status, { 'content-type': 'application/json', ...signed }).end(body)
  }

  /** Serves health and metrics at the same paths as the gateway. */
  async function serveHealth({ method, url }: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (method !== 'GET' || url === undefined) return false
    if (url === '/metrics') response.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.text())
    else if (url === '/health/live') response.writeHead(200, JSON_TYPE).end('{"status":"UP"}')
    else if (url !== '/health/ready') return false
    else if (isStopping())
      response.writeHead(503, JSON_TYPE).end('{"status":"DOWN","reason":"This process is stopping"}')
    else response.writeHead(200, JSON_TYPE).end('{"status":"UP"}')
    return true
  }

  const options = { requestTimeout: REQUEST_MILLISECONDS_MAX }
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch((error: Error) => {
      // The request is not logged: it may contain a card or personal data.
      log.error(
        { path: request.url?.replace(/\?.*$/s, ''), error: { name: error.name, message: error.message } },
        'request failed',
      )
      if (!response.headersSent) response.writeHead(500).end()
    })
  }
  const secure = tls === undefined ? undefined : createTlsServer({ ...options, ...readTls(tls) }, listener)
  const server = secure ?? createServer(options, listener)
  server.maxConnections = CONNECTIONS_MAX
  if (tls === undefined || secure === undefined) return { server, close: () => {} }
  return { server, close: onChange(tls, () => secure.setSecureContext(readTls(tls)), log) }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const TLS_MILLISECONDS = 60_000

const readTls = ({ certificate, key }: Tls) => ({ cert: readFileSync(certificate), key: readFileSync(key) })

/** Calls `renew` when the certificate files change. If the new certificate cannot be used, the old one stays. */
function onChange({ certificate, key }: Tls, renew: () => void, log: Log): () => void {
  const changedAt = (): string => [certificate, key].map((file) => statSync(file).mtimeMs).join()
  let known = changedAt()
  const timer = setInterval(() => {
    try {
      const present = changedAt()
      if (present === known) return
      renew()
      known = present
      log.info({ certificate }, 'certificate renewed')
    } catch (error) {
      log.error({ error, certificate }, 'certificate not renewed; the previous one is still used')
    }
  }, TLS_MILLISECONDS).unref()
  return () => clearInterval(timer)
}

/** The kind of a response, for metrics. */
const kindOf = (response: string): string => /^\{"kind":"([^"]{1,40})"/.exec(response)?.[1] ?? 'other'

/** Passes a partner's call on to its connector, which authenticates it. */
async function handleCallback(
  connector: Connector | undefined,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (connector?.handleCallback === undefined) return void response.writeHead(404).end()
  const body = await readBody(request)
  if (body === undefined) return void response.writeHead(413, { connection: 'close' }).end()
  const query = new URLSearchParams(/\?(.*)$/.exec(request.url ?? '')?.[1])
  const reply = await connector.handleCallback({
    method: request.method ?? '',
    path,
    query,
    headers: request.headers,
    body,
  })
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(asText(reply.body))
}

/** Returns the status and text of a connector's response: 200, or 400 for a malformed request. */
async function respondTo(
  connector: Connector,
  operation: string,
  body: Buffer,
): Promise<[status: number, text: string]> {
  const { manifest, controls, faults } = connector
  if (operation === MANIFEST) return [200, asText(manifest)]
  const capability = OPERATIONS[operation]?.capability
  const control = controls?.[operation]
  const isAble = capability !== undefined && (can(manifest, capability) || faults?.applies('does more', operation))
  if (!isAble && control === undefined) return [200, asText({ kind: 'unsupported' })]
  const request = parsed(body)
  const findWrong = control?.findWrong ?? CHECKS.get(operation)
  const wrong = request === undefined ? 'The body is not valid JSON' : findWrong?.(request)?.message
  if (wrong !== undefined) return [400, asText({ kind: 'malformed', reason: wrong })]
  const response = control?.carryOut(request as never) ?? connector.carryOut(operation, request as never)
  return [200, asText(await response)]
}

function parsed(body: Buffer): unknown {
  if (findExcess(body, BODY_VALUES_MAX) !== undefined) return undefined
  try {
    const value: unknown = JSON.parse(body.toString())
    checkTexts(value)
    return value
  } catch {
    return undefined
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > BODY_BYTES_MAX) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Accepts a request from any caller. This simulates a fault that the conformance test must find. */
const acceptUnchecked = ({ secret }: Keys, { headers }: IncomingMessage): SignedRequest => ({
  secret,
  nonce: String(headers['kobo-nonce'] ?? 'none'),
})
