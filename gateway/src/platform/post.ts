import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup } from 'node:dns'
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
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

export const TIMEOUT_MILLISECONDS = 10_000
export const EXCERPT_LENGTH_MAX = 500
/** Beyond it nobody reads on: a receiver cannot keep us busy with an endless answer. */
export const ANSWER_LENGTH_MAX = 65_536
/** Not the bound of what is under way, which callers keep: who waits for a socket here would lose its time to its neighbours. */
const SOCKETS_PER_RECEIVER_MAX = 1_024
const RETRY_AFTER_SECONDS_MAX = 86_400

/** What is kept of an answer: it can be stored whatever it holds. */
export const excerptOf = (text: string, lengthMax: number): string =>
  text.replaceAll('\0', '').slice(0, lengthMax).toWellFormed()

export const NO_ANSWER = { status: null, retryAfterSeconds: null, bodyExcerpt: null, error: null }

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
  const agents = { keepAlive: true, maxSockets: SOCKETS_PER_RECEIVER_MAX, lookup: allowPrivate ? lookup : publicLookup }
  const httpAgent = new HttpAgent(agents)
  const httpsAgent = new HttpsAgent(agents)

  const post: Post = (address, body, headers, method = 'POST') => {
    const started = performance.now()
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      const finish = (outcome: Partial<PostOutcome>): void => {
        clearTimeout(timer)
        resolve({ ...NO_ANSWER, ...outcome, milliseconds: Math.round(performance.now() - started) })
      }
      const url = readAddress(address, allowPrivate, ports)
      if (typeof url === 'string') return finish({ error: url })
      let isTooLate = false
      const reason = (error: Error & { code?: string }): string =>
        isTooLate ? `no answer within ${timeoutMilliseconds / 1_000} s` : (error.code ?? error.message)
      const secure = url.protocol === 'https:'
      let answering = false
      const request = (secure ? httpsRequest : httpRequest)(
        url,
        {
          method,
          agent: secure ? httpsAgent : httpAgent,
          headers: {
            ...(method === 'POST'
              ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
              : {}),
            'user-agent': 'Kobo',
            ...headers,
          },
        },
        (response) => {
          answering = true
          let excerpt = ''
          let length = 0
          const answered = (error: string | null): void =>
            finish({
              status: response.statusCode ?? null,
              retryAfterSeconds: retryAfter(response.headers['retry-after']),
              bodyExcerpt: excerptOf(excerpt, excerptLengthMax),
              error,
              headers: response.headers,
            })
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            if (excerpt.length < excerptLengthMax) excerpt += chunk
            length += chunk.length
            if (length <= answerLengthMax) return
            answered(null)
            request.destroy()
          })
          response.on('error', (error) => answered(reason(error)))
          response.on('end', () => answered(null))
        },
      )
      timer = setTimeout(() => {
        isTooLate = true
        request.destroy(new Error('too late'))
      }, timeoutMilliseconds).unref()
      request.on('error', (error) => finish({ error: reason(error) }))
      // Some endings raise no error, such as an upgrade that nobody asked for; whoever posts must never wait for good.
      request.on('close', () => {
        if (!answering) finish({ error: 'the connection was closed' })
      })
      request.end(body)
    })
  }

  const close = (): void => {
    httpAgent.destroy()
    httpsAgent.destroy()
  }
  return { post, close }
}

/** What a connection fails with before anything can be said on it. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Whether nobody was reached, so that nothing has left us. */
export const hasNotLeft = ({ status, error }: PostOutcome): boolean => status === null && NOT_CONNECTED.has(error ?? '')

/** An address that may be posted to, or why it may not. */
export function readAddress(
  address: string,
  allowPrivate: boolean,
  ports: readonly number[] | undefined,
): URL | string {
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
export function retryAfter(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(Number(header), RETRY_AFTER_SECONDS_MAX) : null
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** Resolves a name to public addresses only: checked on the very addresses that are then connected to. */
export function publicLookup(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '')
    const open = addresses.filter(({ address }) => !isPrivateAddress(address))
    const [first] = open
    if (first === undefined) return callback(new Error(PRIVATE), '')
    if (options.all === true) callback(null, open)
    else callback(null, first.address, first.family)
  })
}
