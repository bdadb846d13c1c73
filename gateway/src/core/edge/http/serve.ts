import { Readable } from 'node:stream'
import {
  bodySizeOf,
  type CsvFile,
  envelope,
  type HintStream,
  type Input,
  inDashboard,
  isForBrowser,
  isRepeatable,
  REFUSAL_HEADER,
  type Reply,
  type Route,
} from '@kobo/contract'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../kernel/errors.ts'
import type { Environment } from '../../../platform/config.ts'
import type { EventStreams } from '../../../platform/event-streams.ts'
import { failureText, JSON_TYPE } from '../../../platform/http.ts'
import type { Log } from '../../../platform/log.ts'
import type { Tokens } from '../../../platform/tokens.ts'
import { checkEncoding, checkTexts, compileCheck } from '../../../platform/validation.ts'
import type { Core } from '../../core.ts'
import type { Merchant } from '../../merchants/index.ts'
import { NO_MERCHANT } from '../../security/audit.ts'
import type { AuditTrail } from '../../security/audit-trail.ts'
import type { SharedLimit } from '../../security/limits.ts'
import type { Sessions, SignedIn } from '../../sessions/index.ts'
import { type Answer, IDEMPOTENCY_KEY_LENGTH_MAX, idempotencyErrors, isKept, type Once } from '../idempotency.ts'
import type { RequestLog } from '../request-log/index.ts'
import { authenticate, authenticateKeys } from './access.ts'
import { type Browser, browserOf } from './browser.ts'
import { byOf, type Caller } from './caller.ts'
import { notedBy } from './noted.ts'
import { authenticatePerson, checkSite } from './person.ts'
import { recorded } from './recorded.ts'
import { headerOf, UNKNOWN_FIELDS_HEADER, unknownFieldFinder, warningsOf } from './unknown-fields.ts'

/**
 * Answers what a request has left that died under way, as it is now: what bears the reference that the request gave, and
 * was made at `since` or later. Undefined where it has left nothing; then it is carried out.
 */
export type FindLeft<R extends Route> = (
  input: Input<R>,
  caller: Caller<R>,
  since: Date,
) => Promise<Reply<R> | undefined>

/**
 * Serves a route of the contract. The handler gets checked input and returns the bare body; all else happens here, once.
 * A handler that would refuse its own effect, when asked again, says by `findLeft` how to answer it instead.
 */
export type Serve = <R extends Route>(
  route: R,
  handler: (input: Input<R>, caller: Caller<R>) => Promise<Reply<R>>,
  findLeft?: FindLeft<R>,
) => void

export interface ServeDeps {
  readonly core: Core
  readonly once: Once
  readonly tokens: Tokens
  readonly trail: AuditTrail
  readonly log: Log
  /** Streams of events to browsers. */
  readonly streams: EventStreams
  /** Where requests are noted for their merchants. */
  readonly requestLog: RequestLog
  readonly environment: Environment
  /** Counts logins with wrong keys, over all nodes. */
  readonly wrongLogins: SharedLimit
  /** Who is signed in to the dashboard. */
  readonly sessions: Sessions
  /** Where people reach the dashboard. */
  readonly dashboardUrl: () => string
}

/** What a handler answers that has nothing to say, once its work is done. */
export const done = async (work: Promise<unknown>): Promise<undefined> => {
  await work
  return undefined
}

/** From then on version 1 paths that have a successor may go. They stay in service here, and say so. */
const SUNSET = new Date(Date.UTC(2026, 4, 1))
const DEPRECATION_HEADERS = { deprecation: `@${SUNSET.getTime() / 1_000}`, sunset: SUNSET.toUTCString() }

/** Lets a page of another site read an answer, and the name of a refusal. */
const ANY_ORIGIN_HEADERS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': REFUSAL_HEADER }

/** What a browser asks before it lets a page of another site call. */
const crossOriginHeaders = ({ method }: Route): Record<string, string> => ({
  ...ANY_ORIGIN_HEADERS,
  allow: `${method}, OPTIONS`,
  'access-control-allow-methods': method,
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
})

/** Makes the function that serves routes. */
export function openServe(http: FastifyInstance, deps: ServeDeps): Serve {
  http.decorate('merchantIdOf', ({ merchant }) => (merchant === undefined ? undefined : String(merchant.id)))
  http.decorateRequest('merchant', undefined)
  http.decorateRequest('secretId', undefined)
  http.decorateRequest('person', undefined)
  http.decorateRequest('browser', undefined)
  http.decorateRequest('answered', undefined)
  http.decorateRequest('unknownFields', undefined)

  return (route, handler, findLeft) => {
    if (route.environment !== undefined && route.environment !== deps.environment) return
    const act = recorded(route, deps, handler)
    const size = bodySizeOf(route)
    const read = readerOf(route)
    const findUnknown = unknownFieldFinder(route)
    const isSandbox = deps.environment === 'sandbox'
    const carryOut = async (request: FastifyRequest): Promise<unknown> => {
      const { input, caller } = read(request)
      const answer = succeeded(await act(input, caller))
      const { unknownFields } = request
      return isSandbox && unknownFields !== undefined ? { ...answer, warnings: warningsOf(unknownFields) } : answer
    }
    const answerLeft = async (request: FastifyRequest, since: Date): Promise<unknown> => {
      const { input, caller } = read(request)
      const left = await findLeft?.(input, caller, since)
      return left === undefined ? undefined : succeeded(left)
    }
    const answerFile = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { input, caller } = read(request)
      return sendFile(reply, (await act(input, caller)) as unknown as CsvFile)
    }
    const answerEvents = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { input, caller } = read(request)
      const { begin } = (await act(input, caller)) as unknown as HintStream
      return deps.streams.answer(request, reply, (_, stream) => begin(stream))
    }
    if (route.origin === 'any')
      http.options(route.path, (_, reply) => reply.code(204).headers(crossOriginHeaders(route)).send())
    for (const { served, path, headers } of doorsOf(route))
      http.route({
        method: route.method,
        url: path,
        schema: { response: { 200: envelope(route.reply) } },
        serializerCompiler: () => serializerOf(route),
        bodyLimit: size.bytes,
        config: {
          fieldErrorCode: route.fieldErrorCode,
          bodyValuesMax: size.values,
          headers: Object.keys(headers).length === 0 ? undefined : headers,
        },
        onRequest: (request, reply, done) => letIn(deps, served, request, reply, done),
        ...notedBy(deps.requestLog, served),
        handler: (request, reply) => {
          if (findUnknown !== undefined) tellUnknown(findUnknown(request.body), request, reply)
          if (route.sends === 'csv') return answerFile(request, reply)
          if (route.sends === 'events') return answerEvents(request, reply)
          const key = request.headers['idempotency-key']
          return key === undefined || !isRepeatable(served)
            ? carryOut(request)
            : carryOutOnce(deps, served, key, request, reply, { carryOut, answerLeft })
        },
      })
  }
}

/** A path under which a route is served, and how: to whom the route says, or to people too. */
interface Door {
  readonly served: Route
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

function doorsOf(route: Route): readonly Door[] {
  const { path, aliases = [], deprecatedPaths = [], origin, access = 'token', person } = route
  const shared = origin === 'any' ? ANY_ORIGIN_HEADERS : {}
  const people = person === undefined || access === 'person' ? undefined : inDashboard<Route>(route)
  return [
    ...[path, ...aliases].map((one) => ({ served: route, path: one, headers: shared })),
    ...deprecatedPaths.map((one) => ({ served: route, path: one, headers: { ...DEPRECATION_HEADERS, ...shared } })),
    ...(people === undefined ? [] : [{ served: people, path: people.path, headers: {} }]),
  ]
}

/** Sends a file as it is made: nothing of it is kept here, and who stops reading stops the making. */
const sendFile = (reply: FastifyReply, { name, lines }: CsvFile): FastifyReply =>
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(lines))

/** What is not known is ignored, as the interface does; but a field that was meant and misspelled should not stay unnoticed. */
function tellUnknown(names: readonly string[], request: FastifyRequest, reply: FastifyReply): void {
  if (names.length === 0) return
  request.unknownFields = names
  reply.header(UNKNOWN_FIELDS_HEADER, headerOf(names))
}

const succeeded = (responseBody: unknown) => ({
  requestSuccessful: true,
  responseMessage: 'success',
  responseCode: '0',
  responseBody,
})

/** Makes what checks a request of a route and reads it. */
function readerOf<R extends Route>(
  route: R,
): (request: FastifyRequest) => { readonly input: Input<R>; readonly caller: Caller<R> } {
  const checks = compileChecks(route)
  return (request) => {
    const { params, query, body, merchant, secretId, person, browser, ip, headers } = request
    if (checks.query !== undefined) checkEncoding(request.url, route.fieldErrorCode)
    if (route.otherNames !== undefined) takeOtherNames(route.otherNames, query, body)
    checks.params?.(params)
    checks.query?.(query)
    checks.body?.(body)
    // The only casts between wire and domain: the checks above and the hook that let the caller in have just proved them.
    const key = headers['idempotency-key']
    const idempotencyKey = typeof key === 'string' ? key : undefined
    return {
      // No body at all is one without fields.
      input: { params, query, body: checks.body === undefined ? body : (body ?? {}) } as Input<R>,
      caller: {
        merchant,
        secretId,
        person,
        browser,
        by: byOf(person, merchant, ip),
        address: ip,
        idempotencyKey,
        origin: headers.origin,
      } as Caller<R>,
    }
  }
}

/** In the sandbox an answer may say what was strange about its request. */
const WARNINGS = { warnings: { type: 'array', items: { type: 'string' } } }

const serializers = new WeakMap<Route, (answer: object) => string>()

/** Writes a route's answers. Made when the route first answers: of a hundred routes most are not called for long after a start. */
const serializerOf =
  (route: Route) =>
  (answer: object): string => {
    let serialize = serializers.get(route)
    if (serialize === undefined) {
      const schema = envelope(route.reply)
      const warned = { ...schema, properties: { ...schema.properties, ...WARNINGS } }
      serialize = fastJsonStringify(warned as object, { ajv: { strict: false } })
      serializers.set(route, serialize)
    }
    return serialize(answer)
  }

/** Lets a caller in, or tells why not. Nearly always a merchant's server is known at once, without a promise. */
function letIn(
  deps: ServeDeps,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  let merchant: Merchant | Promise<Merchant | undefined> | undefined
  try {
    if (isForBrowser(route)) request.browser = browserOf(deps, request, reply)
    merchant = identify(deps, route, request)
  } catch (refused) {
    done(refused as Error)
    return
  }
  const enter = (identified: Merchant | undefined): void => {
    request.merchant = identified
    done()
  }
  if (merchant instanceof Promise) merchant.then(enter, done)
  else enter(merchant)
}

/** Who calls. Refuses no or wrong credentials, a wrong address, a missing permission, in this order. */
function identify(
  deps: ServeDeps,
  route: Route,
  request: FastifyRequest,
): Merchant | Promise<Merchant | undefined> | undefined {
  switch (route.access ?? 'token') {
    case 'token':
      return authenticate(deps, route, request)
    case 'keys':
      return authenticateKeys(deps, route, request)
    case 'person':
      return enterPerson(deps, route, request)
    case 'open':
      if (request.browser !== undefined) checkSite(deps, request)
      return undefined
  }
}

/** Lets a person in; answers the merchant for whom they act. */
async function enterPerson(deps: ServeDeps, route: Route, request: FastifyRequest): Promise<Merchant | undefined> {
  const { person, merchant } = await authenticatePerson(deps, route, request)
  request.person = person
  return merchant
}

function compileChecks(route: Route): { readonly [Part in 'params' | 'query' | 'body']?: (value: unknown) => void } {
  const check = (part: 'params' | 'query' | 'body', scanTexts: boolean): ((value: unknown) => void) | undefined => {
    const schema = route[part]
    if (schema === undefined) return undefined
    const findWrong = compileCheck(schema, part, route.fieldErrorCode)
    return (value) => {
      if (scanTexts) checkTexts(value, route.fieldErrorCode)
      // As below; null is none.
      const wrong = findWrong(value === undefined ? {} : value)
      if (wrong !== undefined) throw wrong
    }
  }
  // A body's texts have been scanned where it was parsed.
  const checks = { params: check('params', true), query: check('query', true), body: check('body', false) }
  return Object.fromEntries(Object.entries(checks).filter(([, made]) => made !== undefined))
}

/** Lets fields that came under another name stand under the one that the schema knows. */
function takeOtherNames(otherNames: Readonly<Record<string, string>>, ...parts: readonly unknown[]): void {
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue
    const fields = part as Record<string, unknown>
    for (const [name, other] of Object.entries(otherNames)) if (other in fields) fields[name] ??= fields[other]
  }
}

interface Handling {
  readonly carryOut: (request: FastifyRequest) => Promise<unknown>
  /** What an earlier try of the same request has left; undefined where nothing. */
  readonly answerLeft: (request: FastifyRequest, since: Date) => Promise<unknown>
}

/** Carries out a request that has an Idempotency-Key: a repeat gets the first answer's very bytes. */
async function carryOutOnce(
  { once }: ServeDeps,
  route: Route,
  key: string | string[],
  request: FastifyRequest,
  reply: FastifyReply,
  { carryOut, answerLeft }: Handling,
): Promise<FastifyReply> {
  if (Array.isArray(key) || key === '' || key.length > IDEMPOTENCY_KEY_LENGTH_MAX)
    throw idempotencyErrors.malformedKey(IDEMPOTENCY_KEY_LENGTH_MAX)
  const answer = (body: unknown): Answer => ({
    status: 200,
    text: String(reply.code(200).serialize(body)),
    refusal: null,
  })
  const carryOutOrLeft = async (since: Date | undefined): Promise<Answer> => {
    try {
      const left = since && (await answerLeft(request, since))
      return answer(left ?? (await carryOut(request)))
    } catch (error) {
      if (!(error instanceof Refusal) || !isKept(error.status)) throw error
      // The try before was perhaps not dead but slow, and has come to its end meanwhile.
      const left = since && (await answerLeft(request, since).catch(() => undefined))
      return left ? answer(left) : { status: error.status, text: failureText(error), refusal: error.code }
    }
  }
  // Path parameters are part of what the key stands for, and so is the person: nobody gets an answer to somebody else.
  const who = request.person === undefined ? '' : ` person/${request.person.personId}`
  const place = `${route.path} ${JSON.stringify(request.params)}${who}`
  const keyed = { merchantId: request.merchant?.id ?? NO_MERCHANT, path: place, key, body: request.body }
  const { status, text, refusal, replayed } = await once(keyed, carryOutOrLeft)
  if (replayed) reply.header('idempotent-replayed', 'true')
  if (refusal !== null) reply.header(REFUSAL_HEADER, refusal)
  return reply.code(status).type(JSON_TYPE).serializer(String).send(text)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The merchant that calls, on routes that ask for an access token. */
    merchant: Merchant | undefined
    /** Which of its secrets it showed, on routes that ask for keys. */
    secretId: bigint | undefined
    /** Who is signed in, where it is a person that calls. */
    person: SignedIn | undefined
    /** What the browser keeps, on routes of the dashboard. */
    browser: Browser | undefined
    /** Fields that it holds and the route does not know; undefined where it knows all. */
    unknownFields: readonly string[] | undefined
  }
}
