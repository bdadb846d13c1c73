import type { HttpAnswer, HttpRequest } from '@kobo/contract/client'
import type { RefusalCode } from './api.ts'
import { NoAnswer, Refused } from './errors.ts'

export interface SendOptions {
  readonly fetch: typeof globalThis.fetch
  readonly timeoutSeconds: number
  readonly signal?: AbortSignal | undefined
}

/** What came of sending a request: an answer of the gateway, or none. */
export type Outcome = { readonly answer: HttpAnswer } | { readonly failure: NoAnswer }

const isEnvelope = (text: string): boolean => text.startsWith('{') && text.includes('"requestSuccessful"')

/** Sends a request once. Throws only where the caller has aborted. */
export async function sendOnce(
  { url, method, headers, body }: HttpRequest,
  { fetch, timeoutSeconds, signal }: SendOptions,
): Promise<Outcome> {
  const timeout = AbortSignal.timeout(timeoutSeconds * 1_000)
  try {
    const answer = await fetch(url, {
      method,
      headers: { ...headers },
      redirect: 'manual', // keys and tokens go where they were told to, and nowhere else
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.text()
    if (isEnvelope(text)) return { answer: { status: answer.status, headers: answer.headers, text } }
    const { status } = answer
    return {
      failure: new NoAnswer(`What answered with ${status} is not a gateway: ${new URL(url).origin}`, { status }),
    }
  } catch (error) {
    signal?.throwIfAborted()
    const why = timeout.aborted ? `did not answer within ${timeoutSeconds} s` : 'cannot be reached'
    return { failure: new NoAnswer(`The gateway ${why}: ${new URL(url).origin}`, { cause: error }) }
  }
}

const WAIT_SECONDS_FIRST = 0.25
const WAIT_SECONDS_MAX = 30
/** What a gateway says when it has done nothing, unless it says that it does not know. */
const NOTHING_DONE = [429, 503]
const NOT_KNOWN = ['DATABASE_AWAY', 'OUTCOME_UNKNOWN']
/** What a gateway, or what stands before it, says when nobody knows what was done. */
const PERHAPS_DONE = [500, 502, 504]

/**
 * How many seconds to wait before a request is sent again, or undefined where it must not be. What may have been carried
 * out is sent again only where that is harmless.
 */
export function secondsToWait(
  outcome: Outcome,
  attempt: number,
  isHarmless: boolean,
  random: number,
): number | undefined {
  const status = 'answer' in outcome ? outcome.answer.status : outcome.failure.status
  const isKnown = !NOT_KNOWN.includes(refusalOf(outcome) ?? '')
  const saysSo = 'answer' in outcome && NOTHING_DONE.includes(outcome.answer.status) && isKnown
  const isPassing = status === undefined || NOTHING_DONE.includes(status) || PERHAPS_DONE.includes(status)
  if (!isPassing || !(saysSo || isHarmless)) return undefined
  const asked = 'answer' in outcome ? Number(outcome.answer.headers.get('retry-after') ?? 0) : 0
  // Those who failed together shall not come back together.
  const own = WAIT_SECONDS_FIRST * 2 ** (attempt - 1) * (0.5 + random)
  return Math.min(Math.max(asked, own), WAIT_SECONDS_MAX)
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

/** A number from 0 to 1 that nobody else has. */
export const random = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

const REFUSAL_HEADER = 'kobo-refusal'

/** The name of a refusal, where the outcome is one. */
export const refusalOf = (outcome: Outcome): string | undefined =>
  'answer' in outcome ? (outcome.answer.headers.get(REFUSAL_HEADER) ?? undefined) : undefined

/** What is inside the envelope; throws what the gateway refused, or that it did not answer. */
export function concluded<Reply>(outcome: Outcome, idempotencyKey: string | undefined): Reply {
  if ('failure' in outcome) {
    const { message, cause, status } = outcome.failure
    throw new NoAnswer(message, { cause, status, idempotencyKey })
  }
  const { status, headers, text } = outcome.answer
  const { responseBody, responseCode, responseMessage } = JSON.parse(text)
  if (status === 200) return responseBody
  const code = refusalOf(outcome) as RefusalCode | undefined // the gateway names only those that the contract has
  throw new Refused(responseMessage, {
    status,
    code,
    responseCode,
    requestId: headers.get('x-request-id') ?? undefined,
  })
}
