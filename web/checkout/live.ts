import * as routes from '../routes.ts'
import { call } from '../ui/call.ts'
import type { Checkout } from './model.ts'
import type { CheckoutContext } from './store.ts'

const POLL_MILLISECONDS_MIN = 3_000
const POLL_MILLISECONDS_MAX = 15_000
/** After more stream errors in a row than this, we poll instead. */
const STREAM_FAILURES_MAX = 2

export interface Follower {
  /** Fetches the current state now. */
  readonly look: () => Promise<void>
  readonly stop: () => void
}

/**
 * Follows a payment by server-sent events; if those fail, polls at growing intervals. It does not follow a completed
 * payment, which changes only if money arrives late: the caller checks for that.
 */
export function follow(
  { params, isCompleted }: Pick<CheckoutContext, 'params'> & { readonly isCompleted: boolean },
  onUpdate: (checkout: Checkout) => void,
  onOffline: (offline: boolean) => void,
): Follower {
  let stream: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let pauseMilliseconds = POLL_MILLISECONDS_MIN
  let stopped = isCompleted

  const receive = (checkout: Checkout): void => {
    onOffline(false)
    onUpdate(checkout)
  }

  function listen(): void {
    if (stopped) return
    if (typeof EventSource === 'undefined') return void poll()
    stream = new EventSource(`/checkout/${encodeURIComponent(params.checkoutReference)}/events`)
    stream.onmessage = ({ data }) => {
      failures = 0
      receive(JSON.parse(String(data)) as Checkout)
    }
    stream.onerror = () => {
      failures++
      onOffline(!navigator.onLine)
      // The browser reconnects on its own unless its request was rejected; after a few failures we poll.
      if (stream?.readyState !== EventSource.CLOSED && failures <= STREAM_FAILURES_MAX) return
      stream?.close()
      stream = undefined
      poll()
    }
  }

  function poll(): void {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      await look()
      pauseMilliseconds = Math.min(pauseMilliseconds * 1.3, POLL_MILLISECONDS_MAX)
      if (!stopped) poll()
    }, pauseMilliseconds)
  }

  async function look(): Promise<void> {
    const response = await call(routes.getCheckout, { params })
    if (response.kind === 'done') receive(response.body)
    else if (response.kind === 'unreached' && !stopped) onOffline(true)
  }

  const resume = (): void => {
    if (stopped || document.visibilityState === 'hidden') return
    void look()
    if (stream !== undefined || !navigator.onLine) return
    clearTimeout(timer)
    failures = 0
    pauseMilliseconds = POLL_MILLISECONDS_MIN
    listen()
  }
  const unwatch = isCompleted ? () => {} : watchNetwork(resume, () => onOffline(true))
  listen()

  return {
    look,
    stop: () => {
      stopped = true
      stream?.close()
      clearTimeout(timer)
      unwatch()
    },
  }
}

/** Refreshes when a phone wakes up or is back online. Returns a function that stops watching. */
function watchNetwork(onBack: () => void, onGone: () => void): () => void {
  addEventListener('online', onBack)
  addEventListener('offline', onGone)
  document.addEventListener('visibilitychange', onBack)
  return () => {
    removeEventListener('online', onBack)
    removeEventListener('offline', onGone)
    document.removeEventListener('visibilitychange', onBack)
  }
}
