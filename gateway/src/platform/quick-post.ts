import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { HttpAnswer } from './http-answer.ts'
import { openKeptConnections, TooLate } from './kept-connections.ts'
import {
  ANSWER_LENGTH_MAX,
  EXCERPT_LENGTH_MAX,
  excerptOf,
  NO_ANSWER,
  type Post,
  type Posting,
  type PostOptions,
  type PostOutcome,
  publicLookup,
  readAddress,
  retryAfter,
  TIMEOUT_MILLISECONDS,
} from './post.ts'

/** A character takes so many bytes at the most. */
const BYTES_PER_CHARACTER_MAX = 4
/** What cut an answer short, by the name that Node gives it. */
const CUT_SHORT = 'ECONNRESET'
const UNSAFE = /[^\t\x20-\x7e]/

/**
 * Posts as `openPost` does, for less: over connections of our own, for what goes out by the thousand. Money is asked for over
 * Node's own client.
 */
export function openQuickPost({
  allowPrivate,
  ports,
  timeoutMilliseconds = TIMEOUT_MILLISECONDS,
  excerptLengthMax = EXCERPT_LENGTH_MAX,
}: PostOptions): Posting {
  const connections = openKeptConnections((allowPrivate ? lookup : publicLookup) as LookupFunction)
  const bounds = {
    keptLengthMax: excerptLengthMax * BYTES_PER_CHARACTER_MAX,
    bodyLengthMax: Math.max(ANSWER_LENGTH_MAX, excerptLengthMax),
  }
  const shown = ({ status, headers, body, isCutShort }: HttpAnswer): Omit<PostOutcome, 'milliseconds'> => ({
    status,
    retryAfterSeconds: retryAfter(headers['retry-after']),
    bodyExcerpt: body.length === 0 ? '' : excerptOf(body.toString(), excerptLengthMax),
    error: isCutShort ? CUT_SHORT : null,
    headers,
  })
  const failed = (error: Error & { readonly code?: string }): Omit<PostOutcome, 'milliseconds'> => ({
    ...NO_ANSWER,
    error:
      error instanceof TooLate ? `no answer within ${timeoutMilliseconds / 1_000} s` : (error.code ?? error.message),
  })

  const post: Post = async (address, body, headers, method = 'POST') => {
    const started = performance.now()
    const url = readAddress(address, allowPrivate, ports)
    const outcome =
      typeof url === 'string'
        ? { ...NO_ANSWER, error: url }
        : await connections
            .ask({ url, text: textOf(url, method, body, headers), timeoutMilliseconds, bounds })
            .then(shown, failed)
    return { ...outcome, milliseconds: Math.round(performance.now() - started) }
  }
  return { post, close: connections.close }
}

/** A request as it goes over the wire. */
function textOf(url: URL, method: 'GET' | 'POST', body: string, headers: Readonly<Record<string, string>>): string {
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\nuser-agent: Kobo\r\n`
  if (url.username !== '' || url.password !== '') head += `authorization: Basic ${credentialsOf(url)}\r\n`
  if (method === 'POST') head += `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (UNSAFE.test(value)) throw new Error(`the header ${name} cannot be sent`)
    head += `${name}: ${value}\r\n`
  }
  return method === 'POST' ? `${head}\r\n${body}` : `${head}\r\n`
}

const credentialsOf = ({ username, password }: URL): string =>
  Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // it holds a % of its own
  }
}
