import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import { findExcess } from '@kobo/gateway/platform/json-bounds.ts'
import type { Log } from '@kobo/gateway/platform/log.ts'
import { checkTexts, compileCheck } from '@kobo/gateway/platform/validation.ts'
import {
  type Asked,
  can,
  type Keys,
  MANIFEST,
  OPERATIONS,
  openNonces,
  readQuestion,
  signAnswer,
} from '@kobo/gateway/rails/protocol/index.ts'
import { asText } from './behind.ts'
import type { Connector } from './connector.ts'

const BODY_BYTES_MAX = 65_536
const BODY_VALUES_MAX = 1_000
const REQUEST_MILLISECONDS_MAX = 30_000
const CONNECTIONS_MAX = 4_096

/** Where partners call us. */
const CALLBACK = /^\/callbacks\/([a-z0-9-]+)\/([\w/.-]{0,200})(?:\?|$)/

const CHECKS = new Map(Object.entries(OPERATIONS).map(([name, { asks }]) => [name, compileCheck(asks, 'body')]))

/** A connector, and the secrets that are between it and the gateway. */
interface Served {
  readonly connector: Connector
  readonly keys: Keys
}

interface Options {
  /** The connectors by the first word of the path. */
  readonly served: ReadonlyMap<string, Served>
  readonly wall: Clock
  readonly log: Log
}

/** Serves connectors by the second version of the protocol: believes only what is signed, and signs what it answers. */
export function openFrame({ served, wall, log }: Options): Server {
  const nonces = openNonces(wall)

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, called, path] = CALLBACK.exec(request.url ?? '') ?? []
    if (called !== undefined) return hear(served.get(called)?.connector, path ?? '', request, response)
    const [, code = '', operation = ''] =
      /^\/([a-z0-9-]+)\/([a-z0-9-]+(?:\/[a-z0-9-]+)?)$/.exec(request.url ?? '') ?? []
    const found = served.get(code)
    if (found === undefined) return void response.writeHead(404).end()
    const { connector, keys } = found
    if (request.method !== (operation === MANIFEST ? 'GET' : 'POST')) return void response.writeHead(405).end()
    const body = await readBody(request)
    if (body === undefined) return void response.writeHead(413, { connection: 'close' }).end()
    const text = body.toString()
    const asked =
      readQuestion(keys, wall, nonces, { operation, body: text }, request.headers) ??
      (connector.mischief?.befalls('gullible', operation) ? believed(keys, request) : undefined)
    if (asked === undefined) return void response.writeHead(401).end()
    if (connector.mischief?.befalls('down', operation)) return void response.destroy()
    const [status, answer] = await answerTo(connector, operation, body)
    await send(connector, operation, asked, status, answer, response)
  }

  /** Signs and sends an answer, unless something is to go wrong with it. */
  async function send(
    { mischief }: Connector,
    operation: string,
    asked: Asked,
    status: number,
    answer: string,
    response: ServerResponse,
  ): Promise<void> {
    const befalls = (fault: Parameters<NonNullable<typeof mischief>['befalls']>[0]): boolean =>
      mischief?.befalls(fault, operation) === true
    const delay = mischief?.delayMilliseconds(operation) ?? 0
    if (delay > 0) await pause(delay)
    if (befalls('lost answer')) return void response.destroy()
    if (befalls('hang')) return
    if (befalls('busy')) return void response.writeHead(500).end()
    const body = befalls('page') ? '<html>Sorry</html>' : befalls('half') ? answer.slice(0, -2) : answer
    const secret = befalls('forged') ? hidden('a secret that nobody else has, long enough') : asked.secret
    const nonce = befalls('swapped') ? 'the-nonce-of-another-question' : asked.nonce
    const signed = befalls('unsigned') ? {} : signAnswer(secret, wall, { operation, nonce, status, body })
    response.writeHead(status, { 'content-type': 'application/json', ...signed }).end(body)
  }

  const server = createServer({ requestTimeout: REQUEST_MILLISECONDS_MAX }, (request, response) => {
    serve(request, response).catch((error: Error) => {
      // Never what was asked: it may hold a card or a person's number.
      log.error(
        { path: request.url?.replace(/\?.*$/s, ''), error: { name: error.name, message: error.message } },
        'a question failed',
      )
      if (!response.headersSent) response.writeHead(500).end()
    })
  })
  server.maxConnections = CONNECTIONS_MAX
  return server
}

/** Hands on what a partner calls with. Whether it is the partner, its connector finds out. */
async function hear(
  connector: Connector | undefined,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (connector?.hear === undefined) return void response.writeHead(404).end()
  const body = await readBody(request)
  if (body === undefined) return void response.writeHead(413, { connection: 'close' }).end()
  const query = new URLSearchParams(/\?(.*)$/.exec(request.url ?? '')?.[1])
  const reply = await connector.hear({ method: request.method ?? '', path, query, headers: request.headers, body })
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(asText(reply.body))
}

/** What a connector answers: 200 with an answer of the protocol, or 400 where it was asked something malformed. */
async function answerTo(
  connector: Connector,
  operation: string,
  body: Buffer,
): Promise<[status: number, text: string]> {
  const { manifest, controls, mischief } = connector
  if (operation === MANIFEST) return [200, asText(manifest)]
  const capability = OPERATIONS[operation]?.capability
  const control = controls?.[operation]
  const isAble = capability !== undefined && (can(manifest, capability) || mischief?.befalls('does more', operation))
  if (!isAble && control === undefined) return [200, asText({ kind: 'unsupported' })]
  const asked = parsed(body)
  const findWrong = control?.findWrong ?? CHECKS.get(operation)
  const wrong = asked === undefined ? 'The body is not valid JSON' : findWrong?.(asked)?.message
  if (wrong !== undefined) return [400, asText({ kind: 'malformed', reason: wrong })]
  const answer = control?.carryOut(asked as never) ?? connector.carryOut(operation, asked as never)
  return [200, asText(await answer)]
}

function parsed(body: Buffer): unknown {
  if (findExcess(body, BODY_VALUES_MAX) !== undefined) return undefined
  try {
    const told: unknown = JSON.parse(body.toString())
    checkTexts(told)
    return told
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

/** Whoever asks is taken at their word: a fault that a trial must find. */
const believed = ({ secret }: Keys, { headers }: IncomingMessage): Asked => ({
  secret,
  nonce: String(headers['kobo-nonce'] ?? 'none'),
})
