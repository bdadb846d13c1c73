import { type HttpRequest, pathOf } from '@kobo/contract/client'
import type { Api, TokenRefusal } from './api.ts'
import type { CallOptions } from './call-types.ts'
import { ENDPOINTS, type Endpoint } from './endpoints.ts'
import { type Outcome, pause, random, refusalOf, resultOf, secondsToWait, sendOnce } from './send.ts'
import { cacheToken, type Tokens } from './token.ts'

export interface ConnectOptions {
  /** The gateway's URL, such as `https://pay.example.com`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Keep it on the server: its holder can move money. */
  readonly secretKey: string
  /** Timeout of one attempt; 40 seconds by default. */
  readonly timeoutSeconds?: number
  /** Maximum attempts of a request that is safe to retry; 3 by default. */
  readonly attemptsMax?: number
  /** Allows unencrypted http to another machine. */
  readonly allowHttp?: boolean
  /** Receives the sandbox's warnings, such as a misspelt field that was ignored. */
  readonly onWarning?: (message: string) => void
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

type Settings = Required<Omit<ConnectOptions, 'allowHttp'>>
type Fields = Readonly<Record<string, unknown>>

const TIMEOUT_SECONDS = 40
const ATTEMPTS_MAX = 3
const PAGES_MAX = 1_000_000
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
const TOKEN_REFUSALS: readonly (string | undefined)[] = ['EXPIRED_TOKEN', 'INVALID_TOKEN'] satisfies TokenRefusal[]

/** Creates a client with a merchant's keys. Sends nothing before the first call. */
export function connect(options: ConnectOptions): Api {
  const settings = checkedOptions(options)
  const login: Endpoint = endpointAt('authentication', 'login')
  const tokens = cacheToken(() => perform(settings, undefined, login, {}, {}))
  const groups = Object.entries(ENDPOINTS).map(([group, endpoints]) => [
    group,
    Object.fromEntries(Object.entries(endpoints).map(([name, endpoint]) => [name, callOf(settings, tokens, endpoint)])),
  ])
  return Object.fromEntries(groups) as Api // endpoints and type come from the same contract
}

function endpointAt(group: string, name: string): Endpoint {
  const endpoint = ENDPOINTS[group]?.[name]
  if (endpoint === undefined) throw new Error(`Unknown call ${group}.${name}`)
  return endpoint
}

function checkedOptions({ baseUrl, allowHttp = false, ...given }: ConnectOptions): Settings {
  if (!/^https?:\/\//i.test(baseUrl))
    throw new TypeError(`baseUrl must start with https://, or http:// on this machine; it is '${baseUrl}'`)
  const { protocol, hostname, search, hash } = new URL(baseUrl)
  if (search !== '' || hash !== '') throw new TypeError('baseUrl must not have a query or fragment')
  if (protocol !== 'https:' && !(protocol === 'http:' && (allowHttp || LOOPBACK.test(hostname))))
    throw new TypeError('baseUrl must start with https://, because keys are sent there; allowHttp: true allows http')
  for (const name of ['apiKey', 'secretKey'] as const)
    if (typeof given[name] !== 'string' || given[name] === '') throw new TypeError(`${name} is missing`)
  return {
    timeoutSeconds: TIMEOUT_SECONDS,
    attemptsMax: ATTEMPTS_MAX,
    onWarning: () => {},
    fetch: (...args) => globalThis.fetch(...args),
    ...given,
    baseUrl: baseUrl.replace(/\/+$/, ''),
  }
}

/** Creates the function that calls an endpoint, with `each` if it returns pages. */
function callOf(settings: Settings, tokens: Tokens, endpoint: Endpoint) {
  const call = (fields: Fields = {}, options: CallOptions = {}): Promise<unknown> =>
    perform(settings, tokens, endpoint, fields, options)
  const { pageKey } = endpoint
  if (pageKey === undefined) return call
  const each = async function* (fields: Fields = {}, options: CallOptions = {}) {
    const first = Number(fields[pageKey] ?? 0)
    for (let page = first; page < first + PAGES_MAX; page++) {
      const { content, last } = (await call({ ...fields, [pageKey]: page }, options)) as Page
      yield* content
      if (last || content.length === 0) return
    }
  }
  return Object.assign(call, { each })
}

interface Page {
  readonly content: readonly unknown[]
  readonly last: boolean
}

/** Sends a request and retries it while that is safe and useful. */
async function perform<Reply>(
  settings: Settings,
  tokens: Tokens | undefined,
  endpoint: Endpoint,
  fields: Fields,
  options: CallOptions,
): Promise<Reply> {
  const { attemptsMax, onWarning } = settings
  const idempotencyKey = endpoint.isRepeatable ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
  const request = requestOf(settings, endpoint, fields, idempotencyKey)
  const isSafeToRetry = endpoint.method === 'GET' || endpoint.access === 'keys' || idempotencyKey !== undefined
  for (let attempt = 1; ; attempt++) {
    const outcome = await sendWithToken(settings, tokens, endpoint, request, options)
    const seconds = attempt < attemptsMax ? secondsToWait(outcome, attempt, isSafeToRetry, random()) : undefined
    if (seconds === undefined) return resultOf(outcome, idempotencyKey, onWarning)
    await pause(seconds, options.signal)
  }
}

/** Sends a request, and once more with a new token if the token was rejected. */
async function sendWithToken(
  { apiKey, secretKey, fetch, timeoutSeconds }: Settings,
  tokens: Tokens | undefined,
  { access }: Endpoint,
  request: HttpRequest,
  options: CallOptions,
): Promise<Outcome> {
  const sending = { fetch, timeoutSeconds, ...options }
  const send = (authorization: string | undefined): Promise<Outcome> =>
    sendOnce(
      authorization === undefined ? request : { ...request, headers: { ...request.headers, authorization } },
      sending,
    )
  if (access === 'keys') return send(`Basic ${btoa(`${apiKey}:${secretKey}`)}`)
  if (access === 'open' || tokens === undefined) return send(undefined)
  const token = await tokens.current()
  const outcome = await send(`Bearer ${token}`)
  if (!TOKEN_REFUSALS.includes(refusalOf(outcome))) return outcome
  tokens.forget(token)
  return send(`Bearer ${await tokens.current()}`)
}

/** Puts the fields into the path, the query or the body. */
function requestOf(
  { baseUrl }: Settings,
  { method, path, hasBody, bodyKey }: Endpoint,
  fields: Fields,
  idempotencyKey: string | undefined,
): HttpRequest {
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name))
  for (const name of inPath)
    if (fields[name] === undefined || fields[name] === '') throw new TypeError(`${name} is missing`)
  const others = Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !inPath.has(name) && value !== undefined),
  )
  const body = hasBody ? (bodyKey === undefined ? others : others[bodyKey]) : undefined
  return {
    method,
    url: baseUrl + pathOf(path, fields, hasBody ? {} : others),
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}
