import type { HttpRequest, HttpResponse } from '@kobo/contract/client'
import type { RefusalCode } from './api.ts'
import { NoResponse, Refused } from './errors.ts'

export interface SendOptions {
  readonly fetch: typeof globalThis.fetch
  readonly timeoutSeconds: number
  readonly signal?: AbortSignal | undefined
}

/** The result of an attempt: a response of the gateway, or a failure. */
export type Outcome = { readonly response: HttpResponse } | { readonly failure: NoResponse }

const isEnvelope = (text: string): boolean => text.startsWith('{') && text.includes('"requestSuccessful"')

/** Sends a request once. Throws only if the caller aborts. */
export async function sendOnce(
  { url, method, headers, body }: HttpRequest,
  { fetch, timeoutSeconds, signal }: SendOptions,
): Promise<Outcome> {
  const timeout = AbortSignal.timeout(timeoutSeconds * 1_000)
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers },
      redirect: 'manual', // keys and tokens must not follow a redirect
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    if (isEnvelope(text)) return { response: { status: response.status, headers: response.headers, text } }
    const { status } = response
    return {
      failure: new NoResponse(`The response with status ${status} is not from a Kobo gateway: ${new URL(url).origin}`, {
        status,
      }),
    }
  } catch (error) {
    signal?.throwIfAborted()
    const why = timeout.aborted ? `did not respond within ${timeoutSeconds} s` : 'cannot be reached'
    return { failure: new NoResponse(`The gateway ${why}: ${new URL(url).origin}`, { cause: error }) }
  }
}

const WAIT_SECONDS_FIRST = 0.25
const WAIT_SECONDS_MAX = 30
/** Statuses that mean the request had no effect, unless the error code is one of `UNKNOWN_EFFECT`. */
const NO_EFFECT = [429, 503]
const UNKNOWN_EFFECT = ['DATABASE_AWAY', 'OUTCOME_UNKNOWN']
/** Statuses, from the gateway or a proxy, after which it is unknown whether the request had an effect. */
const MAYBE_EFFECT = [500, 502, 504]

/** Seconds to wait before a retry, or undefined if the request must not be retried. */
export function secondsToWait(
  outcome: Outcome,
  attempt: number,
  isSafeToRetry: boolean,
  random: number,
): number | undefined {
  const status = 'response' in outcome ? outcome.response.status : outcome.failure.status
  const isKnown = !UNKNOWN_EFFECT.includes(refusalOf(outcome) ?? '')
  const hadNoEffect = 'response' in outcome && NO_EFFECT.includes(outcome.response.status) && isKnown
  const isTemporary = status === undefined || NO_EFFECT.includes(status) || MAYBE_EFFECT.includes(status)
  if (!isTemporary || !(hadNoEffect || isSafeToRetry)) return undefined
  const retryAfter = 'response' in outcome ? Number(outcome.response.headers.get('retry-after') ?? 0) : 0
  // Jitter spreads the retries of clients that failed together.
  const backoff = WAIT_SECONDS_FIRST * 2 ** (attempt - 1) * (0.5 + random)
  return Math.min(Math.max(retryAfter, backoff), WAIT_SECONDS_MAX)
}

/** Waits, unless the caller aborts. */
export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1_000)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** A random number from 0 to 1. */
export const random = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

const REFUSAL_HEADER = 'kobo-refusal'

/** The error code, if the gateway rejected the request. */
export const refusalOf = (outcome: Outcome): string | undefined =>
  'response' in outcome ? (outcome.response.headers.get(REFUSAL_HEADER) ?? undefined) : undefined

/** Passes the warnings on and returns the response body without the envelope, or throws `Refused` or `NoResponse`. */
export function resultOf<Reply>(
  outcome: Outcome,
  idempotencyKey: string | undefined,
  onWarning: (message: string) => void,
): Reply {
  if ('failure' in outcome) {
    const { message, cause, status } = outcome.failure
    throw new NoResponse(message, { cause, status, idempotencyKey })
  }
  const { status, headers, text } = outcome.response
  const { responseBody, responseCode, responseMessage, warnings = [] } = JSON.parse(text)
  for (const warning of warnings) onWarning(warning)
  if (status === 200) return responseBody
  const code = refusalOf(outcome) as RefusalCode | undefined // the gateway sends only codes of the contract
  throw new Refused(responseMessage, {
    status,
    code,
    responseCode,
    requestId: headers.get('x-request-id') ?? undefined,
  })
}
