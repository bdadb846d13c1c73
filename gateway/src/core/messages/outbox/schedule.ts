import { EVENT_RETRY_AFTER_SECONDS } from '@kobo/contract'

/** The only status that means delivered. */
export const OK = 200
const GONE = 410
/** Statuses whose `Retry-After` is respected. */
const ASKS_TO_WAIT = new Set([429, 503])

export interface Attempted {
  /** The status of the response; null if there was none. */
  readonly status: number | null
  readonly retryAfterSeconds: number | null
}

/** The next step for an event after its nth attempt. */
export type Next =
  | { readonly status: 'DELIVERED' }
  | { readonly status: 'PENDING'; readonly waitSeconds: number }
  | { readonly status: 'GIVEN_UP' }

export function afterAttempt(nth: number, { status, retryAfterSeconds }: Attempted): Next {
  if (status === OK) return { status: 'DELIVERED' }
  const step = EVENT_RETRY_AFTER_SECONDS[nth - 1]
  if (step === undefined) return { status: 'GIVEN_UP' }
  return { status: 'PENDING', waitSeconds: Math.max(step, requestedWait(nth, status, retryAfterSeconds)) }
}

/** Returns the delay that the endpoint requested, but no longer than the delay after the next attempt. */
function requestedWait(nth: number, status: number | null, retryAfterSeconds: number | null): number {
  if (status === null || retryAfterSeconds === null || !ASKS_TO_WAIT.has(status)) return 0
  return Math.min(retryAfterSeconds, EVENT_RETRY_AFTER_SECONDS[nth] ?? 0)
}

/** Whether the endpoint asked to receive no more events. */
export const requestsStop = ({ status }: Attempted): boolean => status === GONE
