import { Readable } from 'node:stream'
import {
  accessRefusals,
  bodySizeOf,
  type CsvFile,
  envelope,
  guardedFieldsOf,
  type Input,
  inDashboard,
  isForBrowser,
  isRepeatable,
  type LiveUpdateStream,
  MOBILE_CHANNEL,
  REFUSAL_HEADER,
  type Reply,
  type Route,
  type TwoPeople,
  twoPeopleOf,
} from '@kobo/contract'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, refusals } from '../../../kernel/errors.ts'
import type { Environment } from '../../../platform/config/config.ts'
import type { Tokens } from '../../../platform/http/access-tokens.ts'
import type { EventStreams } from '../../../platform/http/event-streams.ts'
import type { Counter } from '../../../platform/http/rate-limit.ts'
import { failureText, JSON_TYPE } from '../../../platform/http/server.ts'
import { checkEncoding, checkTexts, compileCheck } from '../../../platform/http/validation.ts'
import type { Log } from '../../../platform/observability/log.ts'
import type { Core } from '../../core.ts'
import type { Merchant, RestrictedKey } from '../../merchants/index.ts'
import { NO_MERCHANT } from '../../security/audit.ts'
import type { AuditTrail } from '../../security/audit-trail.ts'
import type { SharedLimit } from '../../security/limits.ts'
import type { Sessions, SignedIn } from '../../sessions/index.ts'
import {
  IDEMPOTENCY_KEY_LENGTH_MAX,
  idempotencyErrors,
  isStored,
  type Once,
  type WireResponse,
} from '../idempotency.ts'
import type { RequestLog } from '../request-recorder/index.ts'
import { authenticate, authenticateCall, authenticateKeys, hasKeys } from './access.ts'
import { recorded } from './audit.ts'
import { type Browser, browserOf } from './browser.ts'
import { type By, byOf, type Caller } from './caller.ts'
import { linesOf } from './csv-lines.ts'
import { authenticatePerson, checkFields, checkSite } from './person.ts'
import { checkPersonalQuery, maySeeCustomers, seenBy } from './personal-data.ts'
import { requestLogHooks } from './request-log-hooks.ts'
import { headerOf, UNKNOWN_FIELDS_HEADER, unknownFieldFinder, warningsOf } from './unknown-fields.ts'

/**
 * Finds what an earlier attempt created before its process died: the subject with the request's reference, created at
 * `since` or later. If it finds nothing (undefined), the request runs.
 */
export type RecoverResponse<R extends Route> = (
  input: Input<R>,
  caller: Caller<R>,
  since: Date,
) => Promise<Reply<R> | undefined>

/**
 * Serves a route of the contract. The handler gets validated input and returns the bare body; everything else happens
 * here. A route that rejects a repeated request as a duplicate also needs a `RecoverResponse`.
 */
export type Serve = <R extends Route>(
  route: R,
  handler: (input: Input<R>, caller: Caller<R>) => Promise<Reply<R>>,
  recover?: RecoverResponse<R>,
) => void

export interface ServeDeps {
  readonly core: Core
  readonly once: Once
  readonly tokens: Tokens
  readonly trail: AuditTrail
  readonly log: Log
  readonly streams: EventStreams
  readonly requestLog: RequestLog
  readonly environment: Environment
  /** Counts failed logins across all nodes. */
  readonly wrongLogins: SharedLimit
  /** Counts calls that send API keys (`Basic`) instead of a token. */
  readonly keyCalls: Counter
  readonly sessions: Sessions
  readonly dashboardUrl: () => string
  readonly secondPerson: SecondPerson
}

/**
 * Lets a user's action pass if a second person has approved it, or if the team has no second person. Otherwise requests
 * the approval and rejects the action.
 */
export type SecondPerson = (merchant: Merchant, person: SignedIn, requested: RequestedAction, by: By) => Promise<void>

/** An action that needs a second person. */
export interface RequestedAction {
  readonly route: Pick<Route, 'method' | 'path'>
  readonly twoPeople: TwoPeople
  readonly input: { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown }
}

const { missingToken } = refusals(accessRefusals)

/** Waits for the work of a handler that returns nothing. */
export const done = async (work: Promise<unknown>): Promise<undefined> => {
  await work
  return undefined
}

/** The date when version 1 paths with a successor were deprecated, and the earliest date of their removal. */
const [DEPRECATED, SUNSET] = [new Date(Date.UTC(2026, 4, 1)), new Date(Date.UTC(2029, 4, 1))]

/**
 * Returns the headers of a deprecated path, which link to its successor. A successor with parameters is sent as a
 * template (RFC 9652), because a plain link must be a complete URL.
 */
const deprecationHeaders = (successor: string): Record<string, string> => ({
  deprecation: `@${DEPRECATED.getTime() / 1_000}`,
  sunset: SUNSET.toUTCString(),
  ...(successor.includes(':')
    ? { 'link-template': `"${successor.replace(/:(\w+)/g, '{$1}')}"; rel="successor-version"` }
    : { link: `<${successor}>; rel="successor-version"` }),
})

/** Lets pages of other sites read a response and its error code. */
const ANY_ORIGIN_HEADERS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': REFUSAL_HEADER }

/** Returns the CORS headers of a preflight response. */
const crossOriginHeaders = ({ method }: Route): Record<string, string> => ({
  ...ANY_ORIGIN_HEADERS,
  allow: `${method}, OPTIONS`,
  'access-control-allow-methods': method,
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
})

/** The fields that this code adds to a Fastify request. */
const REQUEST_FIELDS = ['merchant', 'secretId', 'key', 'person', 'browser', 'responseText', 'unknownFields'] as const

export function openServe(http: FastifyInstance, deps: ServeDeps): Serve {
  http.decorate('merchantIdOf', ({ merchant }) => (merchant === undefined ? undefined : String(merchant.id)))
  for (const name of REQUEST_FIELDS) http.decorateRequest(name, undefined)

  return (route, handler, recover) => {
    if (route.environment !== undefined && route.environment !== deps.environment) return
    const act = recorded(route, deps, handler)
    const size = bodySizeOf(route)
    const read = readerOf(route)
    const findUnknown = unknownFieldFinder(route)
    const isSandbox = deps.environment === 'sandbox'
    const twoPeople = twoPeopleOf(route)
    const carryOut = async (request: FastifyRequest): Promise<unknown> => {
      const { input, caller } = read(request)
      if (twoPeople !== undefined && request.person !== undefined)
        await checkSecondPerson(deps, request, { route, twoPeople, input: input as RequestedAction['input'] })
      const response = succeeded(seenBy(restrictedCallerOf(request), route, await act(input, caller)))
      const { unknownFields } = request
      return isSandbox && unknownFields !== undefined ? { ...response, warnings: warningsOf(unknownFields) } : response
    }
    const recoverResponse = async (request: FastifyRequest, since: Date): Promise<unknown> => {
      const { input, caller } = read(request)
      const recovered = await recover?.(input, caller, since)
      return recovered === undefined ? undefined : succeeded(seenBy(restrictedCallerOf(request), route, recovered))
    }
    const serveFile = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { input, caller } = read(request)
      const { name, row, pages } = (await act(input, caller)) as unknown as CsvFile
      return sendFile(
        reply,
        name,
        linesOf(row, pages, (one) => seenBy(restrictedCallerOf(request), route, one, row)),
      )
    }
    const serveEvents = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { input, caller } = read(request)
      const { begin } = (await act(input, caller)) as unknown as LiveUpdateStream
      return deps.streams.respond(request, reply, (_, stream) => begin(stream))
    }
    if (route.origin === 'any')
      http.options(route.path, (_, reply) => reply.code(204).headers(crossOriginHeaders(route)).send())
    for (const { served, path, headers } of servedPathsOf(route))
      http.route({
        method: route.method,
        url: path,
        schema: SERIALIZED,
        serializerCompiler: () => serializerOf(route),
        bodyLimit: size.bytes,
        config: {
          fieldErrorCode: route.fieldErrorCode,
          bodyValuesMax: size.values,
          ignoresBody: route.access === 'keys',
          headers: Object.keys(headers).length === 0 ? undefined : headers,
        },
        onRequest: (request, reply, done) => authenticateCaller(deps, served, request, reply, done),
        ...requestLogHooks(deps.requestLog, served),
        handler: (request, reply) => {
          if (findUnknown !== undefined) reportUnknownFields(findUnknown(request.body), request, reply)
          if (route.sends === 'csv') return serveFile(request, reply)
          if (route.sends === 'events') return serveEvents(request, reply)
          const key = request.headers['idempotency-key']
          return key === undefined || !isRepeatable(served)
            ? carryOut(request)
            : runOnce(deps, served, key, request, reply, { carryOut, recoverResponse })
        },
      })
  }
}

/** Rejects a user's action until a second person has approved it, if it needs one. */
async function checkSecondPerson(
  { secondPerson }: Pick<ServeDeps, 'secondPerson'>,
  { person, merchant, key, ip }: FastifyRequest,
  action: RequestedAction,
): Promise<void> {
  const { isDecidedLater = false, applies = () => true } = action.twoPeople
  if (person === undefined || merchant === undefined || isDecidedLater) return
  const { may } = person
  const { ipWhitelist } = merchant
  // The body has already been validated against the contract.
  if (applies(action.input.body as Readonly<Record<string, unknown>>, { ipWhitelist, may }))
    await secondPerson(merchant, person, action, byOf(person, merchant, key, ip))
}

/** A path of a route, and who may use it. */
interface ServedPath {
  readonly served: Route
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

function servedPathsOf(route: Route): readonly ServedPath[] {
  const { path, aliases = [], deprecatedPaths = [], origin, access = 'token', person } = route
  const shared = origin === 'any' ? ANY_ORIGIN_HEADERS : {}
  const people = person === undefined || access === 'person' ? undefined : inDashboard<Route>(route)
  return [
    ...[path, ...aliases].map((one) => ({ served: route, path: one, headers: shared })),
    ...deprecatedPaths.map((one) => ({
      served: route,
      path: one,
      headers: { ...deprecationHeaders(path), ...shared },
    })),
    ...(people === undefined ? [] : [{ served: people, path: people.path, headers: {} }]),
  ]
}

/** Streams a file while it is produced. If the client stops reading, production stops too. */
const sendFile = (reply: FastifyReply, name: string, lines: AsyncIterable<string>): FastifyReply =>
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(lines))

/** Reports unknown fields, so that a typo is noticed. They are ignored, as in Monnify's API. */
function reportUnknownFields(names: readonly string[], request: FastifyRequest, reply: FastifyReply): void {
  if (names.length === 0) return
  request.unknownFields = names
  reply.header(UNKNOWN_FIELDS_HEADER, headerOf(names))
}

/** Returns the permissions of the calling user or restricted key; undefined if the caller has all of the merchant's. */
const restrictedCallerOf = ({ person, key }: FastifyRequest): Pick<SignedIn, 'may'> | undefined => person ?? key

const succeeded = (responseBody: unknown) => ({
  requestSuccessful: true,
  responseMessage: 'success',
  responseCode: '0',
  responseBody,
})

/** Creates the validator and reader of a route's requests. */
function readerOf<R extends Route>(
  route: R,
): (request: FastifyRequest) => { readonly input: Input<R>; readonly caller: Caller<R> } {
  const checks = compileChecks(route)
  const guarded = guardedFieldsOf(route)
  return (request) => {
    const { params, query, body, merchant, secretId, key, person, browser, ip, headers } = request
    if (route.forApps === true && merchant === undefined) checkApp(body)
    if (checks.query !== undefined) checkEncoding(request.url, route.fieldErrorCode)
    if (route.otherNames !== undefined) takeOtherNames(route.otherNames, query, body)
    checks.params?.(params)
    checks.query?.(query)
    const restricted = restrictedCallerOf(request)
    if (restricted !== undefined && !maySeeCustomers(restricted, route)) checkPersonalQuery(route, query)
    checks.body?.(body, merchant?.compat)
    if (restricted !== undefined) checkFields(restricted, guarded, body, key)
    // The casts below are the only ones from raw input to the route's types. The checks above have validated it.
    const repeat = headers['idempotency-key']
    const idempotencyKey = typeof repeat === 'string' ? repeat : undefined
    return {
      // A missing body is treated as an empty one.
      input: { params, query, body: checks.body === undefined ? body : (body ?? {}) } as Input<R>,
      caller: {
        merchant,
        secretId,
        person,
        browser,
        by: byOf(person, merchant, key, ip),
        address: ip,
        idempotencyKey,
        origin: headers.origin,
      } as Caller<R>,
    }
  }
}

/** Sandbox responses may contain warnings about the request. */
const WARNINGS = { warnings: { type: 'array', items: { type: 'string' } } }

/**
 * An empty response schema, shared by all routes, because compiling hundreds of schemas would delay every start. Each
 * route's `serializerCompiler` knows its real schema.
 */
const SERIALIZED = { response: { 200: {} } }

const serializers = new WeakMap<Route, (response: object) => string>()

/** Serializes a route's responses. Compiled on first use, because most routes are not called soon after a start. */
const serializerOf =
  (route: Route) =>
  (response: object): string => {
    let serialize = serializers.get(route)
    if (serialize === undefined) {
      const schema = envelope(route.reply)
      const warned = { ...schema, properties: { ...schema.properties, ...WARNINGS } }
      serialize = fastJsonStringify(warned as object, { ajv: { strict: false } })
      serializers.set(route, serialize)
    }
    return serialize(response)
  }

/** Authenticates a caller. A merchant's server is usually identified at once, without waiting for a promise. */
function authenticateCaller(
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
  } catch (error) {
    done(error as Error)
    return
  }
  const finish = (identified: Merchant | undefined): void => {
    request.merchant = identified
    done()
  }
  if (merchant instanceof Promise) merchant.then(finish, done)
  else finish(merchant)
}

/** Identifies the caller. Rejects wrong credentials, a wrong address and a missing permission, in this order. */
function identify(
  deps: ServeDeps,
  route: Route,
  request: FastifyRequest,
): Merchant | Promise<Merchant | undefined> | undefined {
  switch (route.access ?? 'token') {
    case 'token':
      if (route.forApps === true && (request.headers.authorization ?? '') === '') return undefined
      return hasKeys(request) ? authenticateCall(deps, route, request) : authenticate(deps, route, request)
    case 'keys':
      return authenticateKeys(deps, route, request)
    case 'person':
      return authenticateUser(deps, route, request)
    case 'open':
      if (request.browser !== undefined) checkSite(deps, request)
      return undefined
  }
}

/** Authenticates a user; returns the merchant they act for. */
async function authenticateUser(deps: ServeDeps, route: Route, request: FastifyRequest): Promise<Merchant | undefined> {
  const { person, merchant } = await authenticatePerson(deps, route, request)
  request.person = person
  return merchant
}

/** Rejects a call without a token, unless it comes from a mobile app. */
function checkApp(body: unknown): void {
  if ((body as { readonly collectionChannel?: unknown } | undefined)?.collectionChannel !== MOBILE_CHANNEL)
    throw missingToken()
}

/** Matches the routes that clients of Monnify's API call. Only their bodies are validated leniently. */
const API_PATH = /^\/(api|plugin)\//

/** Throws if a value is invalid. The waivers name the rules that are relaxed for the caller. */
type Check = (value: unknown, waivers?: readonly string[]) => void

function compileChecks(route: Route): { readonly [Part in 'params' | 'query' | 'body']?: Check } {
  const check = (part: 'params' | 'query' | 'body', scanTexts: boolean): Check | undefined => {
    const schema = route[part]
    if (schema === undefined) return undefined
    const findWrong = compileCheck(schema, part, route.fieldErrorCode, part === 'body' && API_PATH.test(route.path))
    return (value, waivers) => {
      if (scanTexts) checkTexts(value, route.fieldErrorCode)
      // A missing part is treated as an empty one.
      const wrong = findWrong(value === undefined ? {} : value, waivers)
      if (wrong !== undefined) throw wrong
    }
  }
  // The texts of a body were checked when it was parsed.
  const checks = { params: check('params', true), query: check('query', true), body: check('body', false) }
  return Object.fromEntries(Object.entries(checks).filter(([, made]) => made !== undefined))
}

/** Copies fields that were sent under an alias to their names in the schema. */
function takeOtherNames(otherNames: Readonly<Record<string, string>>, ...parts: readonly unknown[]): void {
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue
    const fields = part as Record<string, unknown>
    for (const [name, other] of Object.entries(otherNames)) if (other in fields) fields[name] ??= fields[other]
  }
}

interface Handling {
  readonly carryOut: (request: FastifyRequest) => Promise<unknown>
  /** Finds the effect of an earlier attempt that died; undefined if it had none. */
  readonly recoverResponse: (request: FastifyRequest, since: Date) => Promise<unknown>
}

/** Runs a request with an Idempotency-Key: a repeat gets the first response, byte for byte. */
async function runOnce(
  { once }: ServeDeps,
  route: Route,
  key: string | string[],
  request: FastifyRequest,
  reply: FastifyReply,
  { carryOut, recoverResponse }: Handling,
): Promise<FastifyReply> {
  if (Array.isArray(key) || key === '' || key.length > IDEMPOTENCY_KEY_LENGTH_MAX)
    throw idempotencyErrors.malformedKey(IDEMPOTENCY_KEY_LENGTH_MAX)
  const asResponse = (body: unknown): WireResponse => ({
    status: 200,
    text: String(reply.code(200).serialize(body)),
    refusal: null,
  })
  const carryOutOrRecover = async (since: Date | undefined): Promise<WireResponse> => {
    try {
      const recovered = since && (await recoverResponse(request, since))
      return asResponse(recovered ?? (await carryOut(request)))
    } catch (error) {
      if (!(error instanceof Refusal) || !isStored(error.status)) throw error
      // The earlier attempt may have been slow, not dead, and may have finished in the meantime.
      const recovered = since && (await recoverResponse(request, since).catch(() => undefined))
      return recovered ? asResponse(recovered) : { status: error.status, text: failureText(error), refusal: error.code }
    }
  }
  // The stored key includes path parameters, user and restricted key, so that no one gets someone else's response.
  const suffix =
    request.person !== undefined
      ? ` person/${request.person.personId}`
      : request.key === undefined
        ? ''
        : ` key/${request.key.id}`
  const path = `${route.path} ${JSON.stringify(request.params)}${suffix}`
  const keyed = { merchantId: request.merchant?.id ?? NO_MERCHANT, path, key, body: request.body }
  const { status, text, refusal, replayed } = await once(keyed, carryOutOrRecover)
  if (replayed) reply.header('idempotent-replayed', 'true')
  if (refusal !== null) reply.header(REFUSAL_HEADER, refusal)
  return reply.code(status).type(JSON_TYPE).serializer(String).send(text)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The calling merchant, on token routes. */
    merchant: Merchant | undefined
    /** The secret used, on routes with keys. */
    secretId: bigint | undefined
    key: RestrictedKey | undefined
    /** The signed-in user, if a user calls. */
    person: SignedIn | undefined
    browser: Browser | undefined
    /** Fields of the body that the route does not know; undefined if it knows all. */
    unknownFields: readonly string[] | undefined
  }
}
