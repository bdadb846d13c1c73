import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup } from 'node:dns'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import { Agent, type Dispatcher } from 'undici'
import { isPrivateAddress } from './addresses.ts'

/** What came of posting to someone else's server. It never throws for what the world may do. */
export interface PostOutcome {
  /** The receiver's status, or null where none arrived. */
  readonly status: number | null
  readonly retryAfterSeconds: number | null
  readonly bodyExcerpt: string | null
  readonly error: string | null
  readonly milliseconds: number
  /** Those of the answer, where one arrived. */
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
/** Beyond it nobody reads on: a receiver cannot keep us busy with an endless answer. */
const ANSWER_LENGTH_MAX = 65_536
/** So long a connection may stand idle: servers close theirs after some time, and what is sent at that moment is lost. */
const IDLE_MILLISECONDS_MAX = 15_000
/** What cut an answer short, by the name that Node gives it. */
const CUT_SHORT = 'ECONNRESET'
/** Answers below it announce another one. */
const FINAL = 200
const RETRY_AFTER_SECONDS_MAX = 86_400

/** What is kept of an answer: it can be stored whatever it holds. */
const excerptOf = (text: string, lengthMax: number): string =>
  text.replaceAll('\0', '').slice(0, lengthMax).toWellFormed()

const NO_ANSWER = { status: null, retryAfterSeconds: null, bodyExcerpt: null, error: null }

export interface PostOptions {
  readonly allowPrivate: boolean
  /** The ports that may be posted to; all where left out. */
  readonly ports?: readonly number[] | undefined
  readonly timeoutMilliseconds?: number
  /** How much of an answer is kept. */
  readonly excerptLengthMax?: number
}

/** A way of posting, to be closed. */
export interface Posting {
  readonly post: Post
  readonly close: () => void
}

/** Posts JSON with a time-out, following no redirect. Unless allowed, private addresses are refused after name resolution too, and so are other ports. */
export function openPost({
  allowPrivate,
  ports,
  timeoutMilliseconds = TIMEOUT_MILLISECONDS,
  excerptLengthMax = EXCERPT_LENGTH_MAX,
}: PostOptions): Posting {
  const answerLengthMax = Math.max(ANSWER_LENGTH_MAX, excerptLengthMax)
  const agent = new Agent({
    connect: { lookup: (allowPrivate ? lookup : publicLookup) as LookupFunction, timeout: timeoutMilliseconds },
    pipelining: 1, // what is sent on a connection that dies has either left us or not
    keepAliveTimeout: IDLE_MILLISECONDS_MAX,
    // A post has one bound, of all that it takes.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  const post: Post = (address, body, headers, method = 'POST') => {
    const started = performance.now()
    return new Promise((resolve) => {
      const finish = (outcome: Omit<PostOutcome, 'milliseconds'>): void => {
        clearTimeout(timer)
        resolve({ ...outcome, milliseconds: Math.round(performance.now() - started) })
      }
      const url = readAddress(address, allowPrivate, ports)
      const answer = answerReader({ excerptLengthMax, answerLengthMax }, finish)
      const timer = setTimeout(() => {
        finish({ ...NO_ANSWER, error: `no answer within ${timeoutMilliseconds / 1_000} s` })
        answer.abandon()
      }, timeoutMilliseconds).unref()
      if (typeof url === 'string') return finish({ ...NO_ANSWER, error: url })
      const { origin, pathname, search } = url
      const given = { 'user-agent': 'Kobo', ...authorizationOf(url), ...headers }
      if (method === 'GET') agent.dispatch({ origin, path: pathname + search, method, headers: given }, answer.handler)
      else
        agent.dispatch(
          { origin, path: pathname + search, method, headers: { 'content-type': 'application/json', ...given }, body },
          answer.handler,
        )
    })
  }
  return { post, close: () => void agent.destroy() }
}

interface AnswerBounds {
  readonly excerptLengthMax: number
  readonly answerLengthMax: number
}

/** Reads an answer as it comes, up to its end or to where nobody reads on, and tells of it. */
function answerReader(
  { excerptLengthMax, answerLengthMax }: AnswerBounds,
  finish: (outcome: Omit<PostOutcome, 'milliseconds'>) => void,
) {
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
      bodyExcerpt: excerptOf(excerpt, excerptLengthMax),
      error,
      headers,
    })
  const abandon = (): void => {
    isAbandoned = true
    request?.abort(new Error('nobody waits for it'))
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (controller) => {
      request = controller
      if (isAbandoned) abandon()
    },
    onResponseStart: (_, statusCode, given) => {
      if (statusCode < FINAL) return // it only announces another one
      status = statusCode
      headers = given
    },
    onResponseData: (_, chunk) => {
      if (excerpt.length < excerptLengthMax) excerpt += decoder.write(chunk)
      length += chunk.length
      if (length <= answerLengthMax) return
      answered(null)
      abandon()
    },
    onResponseEnd: () => answered(null),
    onResponseError: (_, error: Error & { readonly code?: string }) =>
      status === null ? finish({ ...NO_ANSWER, error: error.code ?? error.message }) : answered(CUT_SHORT),
  }
  return { handler, abandon }
}

function authorizationOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  return { authorization: `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // it holds a % of its own
  }
}

/** What a connection fails with before anything can be said on it. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Whether nobody was reached, so that nothing has left us. */
export const hasNotLeft = ({ status, error }: PostOutcome): boolean => status === null && NOT_CONNECTED.has(error ?? '')

/** An address that may be posted to, or why it may not. */
function readAddress(address: string, allowPrivate: boolean, ports: readonly number[] | undefined): URL | string {
  const url = URL.parse(address)
  if (url === null || !PROTOCOLS.has(url.protocol)) return 'the address is malformed'
  // A name is checked when it is resolved; a literal address is never resolved, so it is checked here.
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (!allowPrivate && isIP(literal) !== 0 && isPrivateAddress(literal)) return PRIVATE
  const port = portOf(url)
  return ports === undefined || ports.includes(port) ? url : `port ${port} is not one that may be posted to`
}

/** The port that an address leads to. */
export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80)

const PRIVATE = 'the address is not of the public internet'
const PROTOCOLS = new Set(['http:', 'https:'])

/** How long a receiver asks to be left alone, where it says so in seconds. */
function retryAfter(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(Number(header), RETRY_AFTER_SECONDS_MAX) : null
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** Resolves a name to public addresses only: checked on the very addresses that are then connected to. */
function publicLookup(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '')
    const open = addresses.filter(({ address }) => !isPrivateAddress(address))
    const [first] = open
    if (first === undefined) return callback(new Error(PRIVATE), '')
    if (options.all === true) callback(null, open)
    else callback(null, first.address, first.family)
  })
}
