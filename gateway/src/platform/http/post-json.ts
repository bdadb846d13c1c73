import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import { Agent, type Dispatcher } from 'undici'
import { startOf } from '../../kernel/texts.ts'
import { isPrivateAddress } from './ip-addresses.ts'

/** The outcome of a POST. Network failures never throw. */
export interface PostOutcome {
  /** The response status; null if there was no response. */
  readonly status: number | null
  readonly retryAfterSeconds: number | null
  readonly bodyExcerpt: string | null
  readonly error: string | null
  readonly milliseconds: number
  /**
   * False only if no byte of the request was or will be sent. No error code shows this, only the phase in which the
   * request failed.
   */
  readonly mayHaveLeft: boolean
  /** The response headers, if any. */
  readonly headers?: IncomingHttpHeaders
}

export type Post = (
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  method?: 'GET' | 'POST',
) => Promise<PostOutcome>

const TIMEOUT_MILLISECONDS = 10_000
const EXCERPT_LENGTH_MAX = 500
/** Responses are read up to this length, so that an endpoint cannot keep us busy. */
const RESPONSE_LENGTH_MAX = 65_536
/** How long a connection may be idle. If the server closes it just as we send a request, the request is lost. */
const IDLE_MILLISECONDS_MAX = 15_000
/** The error code of Node.js for an interrupted response. */
const CUT_SHORT = 'ECONNRESET'
/** Responses with a lower status are interim: another response follows. */
const FINAL = 200
const RETRY_AFTER_SECONDS_MAX = 86_400

/** At most this many parsed URLs are cached. */
const TARGETS_MAX = 1_000

const NO_RESPONSE = { status: null, retryAfterSeconds: null, bodyExcerpt: null }

export interface PostOptions {
  readonly allowPrivate: boolean
  /** Allowed ports; all by default. */
  readonly ports?: readonly number[] | undefined
  readonly timeoutMilliseconds?: number
  /** How many characters of a response are stored. */
  readonly excerptLengthMax?: number
}

/** A POST client, which must be closed. */
export interface Posting {
  readonly post: Post
  readonly close: () => void
}

/**
 * Posts JSON with a timeout and without redirects. Unless allowed, private addresses (also after name resolution) and
 * other ports are rejected.
 */
export function openPost({
  allowPrivate,
  ports,
  timeoutMilliseconds = TIMEOUT_MILLISECONDS,
  excerptLengthMax = EXCERPT_LENGTH_MAX,
}: PostOptions): Posting {
  const responseLengthMax = Math.max(RESPONSE_LENGTH_MAX, excerptLengthMax)
  const agent = new Agent({
    connect: { lookup: lookupOf(allowPrivate) as LookupFunction, timeout: timeoutMilliseconds },
    pipelining: 1, // one at a time, so that it is certain whether a request on a dying connection was sent
    keepAliveTimeout: IDLE_MILLISECONDS_MAX,
    // Our own timeout covers the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  const targets = new Map<string, Target | string>()
  const targetOf = (address: string): Target | string => {
    const known = targets.get(address)
    if (known !== undefined) return known
    const target = readAddress(address, allowPrivate, ports)
    if (targets.size >= TARGETS_MAX) targets.clear()
    targets.set(address, target)
    return target
  }

  const post: Post = (address, body, headers, method = 'POST') => {
    const started = performance.now()
    return new Promise((resolve) => {
      const finish = (outcome: Omit<PostOutcome, 'milliseconds'>): void => {
        clearTimeout(timer)
        resolve({ ...outcome, milliseconds: Math.round(performance.now() - started) })
      }
      const target = targetOf(address)
      const response = responseReader({ excerptLengthMax, responseLengthMax }, finish)
      const timer = setTimeout(
        () => response.giveUp(`no response within ${timeoutMilliseconds / 1_000} s`),
        timeoutMilliseconds,
      ).unref()
      if (typeof target === 'string') return response.giveUp(target)
      const { origin, path, own } = target
      if (method === 'GET') agent.dispatch({ origin, path, method, headers: { ...own, ...headers } }, response.handler)
      else
        agent.dispatch(
          { origin, path, method, headers: { 'content-type': 'application/json', ...own, ...headers }, body },
          response.handler,
        )
    })
  }
  return { post, close: () => void agent.destroy() }
}

interface ResponseBounds {
  readonly excerptLengthMax: number
  readonly responseLengthMax: number
}

/** Reads a response up to its end or the limit, and reports it. */
function responseReader(
  { excerptLengthMax, responseLengthMax }: ResponseBounds,
  finish: (outcome: Omit<PostOutcome, 'milliseconds'>) => void,
) {
  /** Set right before the first byte is written. */
  let request: Dispatcher.DispatchController | undefined
  let isAbandoned = false
  let status: number | null = null
  let headers: IncomingHttpHeaders = {}
  const decoder = new StringDecoder()
  let excerpt = ''
  let length = 0
  const answered = (error: string | null): void =>
    finish({
      status,
      retryAfterSeconds: retryAfter(headers['retry-after']),
      bodyExcerpt: startOf(excerpt, excerptLengthMax),
      error,
      mayHaveLeft: true,
      headers,
    })
  const unanswered = (error: string): void => finish({ ...NO_RESPONSE, error, mayHaveLeft: request !== undefined })
  const abandon = (): void => {
    isAbandoned = true
    request?.abort(new Error('the request was abandoned'))
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (controller) => {
      request = controller
      if (isAbandoned) abandon() // a request that is aborted here is never sent
    },
    onResponseStart: (_, statusCode, given) => {
      if (statusCode < FINAL) return // an interim response: the final one follows
      status = statusCode
      headers = given
    },
    onResponseData: (_, chunk) => {
      if (excerpt.length < excerptLengthMax) excerpt += decoder.write(chunk)
      length += chunk.length
      if (length <= responseLengthMax) return
      answered(null)
      abandon()
    },
    onResponseEnd: () => answered(null),
    onResponseError: (_, error: Error & { readonly code?: string }) =>
      status === null ? unanswered(error.code ?? error.message) : answered(CUT_SHORT),
  }
  return {
    handler,
    /** Reports that there is no response. Bytes that were not sent by now are never sent. */
    giveUp: (error: string): void => {
      unanswered(error)
      abandon()
    },
  }
}

function authorizationOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  return { authorization: `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // the text has a % that does not start an escape
  }
}

/** The place to post to. */
interface Target {
  readonly origin: string
  readonly path: string
  /** Headers that depend only on the URL. */
  readonly own: Readonly<Record<string, string>>
}

/** Returns the target of a URL, or the reason why it may not be posted to. */
function readAddress(address: string, allowPrivate: boolean, ports: readonly number[] | undefined): Target | string {
  const url = URL.parse(address)
  if (url === null || !PROTOCOLS.has(url.protocol)) return 'the address is malformed'
  // A host name is checked when it is resolved; a literal IP address is checked here.
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (!allowPrivate && isIP(literal) !== 0 && isPrivateAddress(literal)) return PRIVATE
  const port = portOf(url)
  if (ports !== undefined && !ports.includes(port)) return `port ${port} is not allowed`
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    own: { 'user-agent': 'Kobo', ...authorizationOf(url) },
  }
}

export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80)

const PRIVATE = 'the address is not on the public internet'
const PROTOCOLS = new Set(['http:', 'https:'])

/** Reads the endpoint's `Retry-After` in seconds, if it sent one. */
function retryAfter(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(Number(header), RETRY_AFTER_SECONDS_MAX) : null
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** Resolves names. A connection uses exactly the addresses that were checked here to be public. */
const lookupOf =
  (allowPrivate: boolean) =>
  (hostname: string, options: LookupOptions, callback: LookupCallback): void =>
    void addressesOf(hostname).then(
      (addresses) => {
        const open = allowPrivate ? addresses : addresses.filter(({ address }) => !isPrivateAddress(address))
        const [first] = open
        if (first === undefined) callback(new Error(PRIVATE), '')
        else if (options.all === true) callback(null, open)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, ''),
    )

const FAILED_LOOKUP_MILLISECONDS = 5_000
const lookups = new Map<string, Promise<LookupAddress[]>>()

/**
 * Resolves a name once for all requests waiting for it, and remembers a failure for a moment. Otherwise names whose
 * lookup fails slowly would keep the process's few lookup threads busy.
 */
function addressesOf(hostname: string): Promise<LookupAddress[]> {
  const known = lookups.get(hostname)
  if (known !== undefined) return known
  const found = lookup(hostname, { all: true })
  lookups.set(hostname, found)
  const forget = (): boolean => lookups.delete(hostname)
  found.then(forget, () => setTimeout(forget, FAILED_LOOKUP_MILLISECONDS).unref())
  return found
}
