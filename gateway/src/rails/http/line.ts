import type { Clock } from '../../kernel/clock.ts'
import type { Post, PostOutcome } from '../../platform/http/post-json.ts'
import { isSignedResponse, type Keys, type Manifest, signRequest } from '../protocol/index.ts'
import { signedHeaders } from './signature.ts'

/** A connection to an adapter in one version of the protocol. */
export interface Line {
  readonly request: (operation: string, body: string) => Promise<Exchange>
  /** The adapter's manifest; version 1 has none. */
  readonly manifest?: Manifest
}

/** The outcome of a request. */
export interface Exchange {
  /** The response; undefined if unusable. */
  readonly text: string | undefined
  /** Whether there was no response at all. */
  readonly isSilent: boolean
  /** Whether no byte of the request was sent. */
  readonly isUnsent: boolean
  readonly status: number | null
  /** The reason why the response is unusable, if known. */
  readonly reason: string | null
  readonly milliseconds: number
}

export interface LineOptions {
  readonly url: string
  readonly keys: Keys
  readonly wall: Clock
  readonly post: Post
}

/** The statuses of a proxy whose backend did not respond. */
const BAD_GATEWAY = new Set([502, 503, 504])

const exchangeOf = (outcome: PostOutcome): Exchange => {
  const { status, bodyExcerpt, error, milliseconds, mayHaveLeft } = outcome
  return {
    text: status === 200 && error === null ? (bodyExcerpt ?? undefined) : undefined,
    isSilent: status === null || BAD_GATEWAY.has(status),
    isUnsent: !mayHaveLeft,
    status,
    reason: error,
    milliseconds,
  }
}

/** Opens a connection in protocol version 1, in which requests are signed and responses are not. */
export const firstLine = ({ url, keys, wall, post }: LineOptions): Line => ({
  request: async (operation, body) =>
    exchangeOf(await post(`${url}/${operation}`, body, signedHeaders(keys.secret.reveal(), wall, operation, body))),
})

/** Sends a request in protocol version 2, in which a response must be signed too, with the nonce of its request. */
export async function requestSigned(
  { url, keys, wall, post }: LineOptions,
  operation: string,
  body: string,
  method: 'GET' | 'POST' = 'POST',
): Promise<Exchange> {
  const { nonce, headers } = signRequest(keys, wall, { operation, body })
  const outcome = await post(`${url}/${operation}`, body, headers, method)
  const response = exchangeOf(outcome)
  if (response.text === undefined) return response
  const isSigned = isSignedResponse(
    keys,
    wall,
    { operation, nonce, status: 200, body: response.text },
    outcome.headers ?? {},
  )
  return isSigned ? response : { ...response, text: undefined, reason: 'the response is not signed' }
}

export const secondLine = (options: LineOptions, manifest: Manifest): Line => ({
  request: (operation, body) => requestSigned(options, operation, body),
  manifest,
})
