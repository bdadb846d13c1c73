import { call } from '../ui/call.ts'
import type { Checkout } from './model.ts'
import { ROUTES } from './routes.ts'
import type { CheckoutContext } from './store.ts'

const POLL_MILLISECONDS_MIN = 3_000
const POLL_MILLISECONDS_MAX = 15_000
/** How long the stream may be silent before it is asked for: a heartbeat comes every 15 seconds. */
const STREAM_FAILURES_MAX = 2

export interface Follower {
  /** Asks at once. */
  readonly look: () => Promise<void>
  readonly stop: () => void
}

/**
 * Follows a payment: the gateway tells what happens as server-sent events; where those do not come through, it is asked
 * again and again, ever more slowly.
 */
export function follow(
  params: CheckoutContext['params'],
  onNews: (checkout: Checkout) => void,
  onOffline: (offline: boolean) => void,
): Follower {
  let stream: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let pauseMilliseconds = POLL_MILLISECONDS_MIN
  let stopped = false

  const hear = (checkout: Checkout): void => {
    onOffline(false)
    if (!stopped) onNews(checkout)
  }

  function listen(): void {
    if (stopped) return
    if (typeof EventSource === 'undefined') return void poll()
    stream = new EventSource(`/checkout/${encodeURIComponent(params.checkoutReference)}/events`)
    stream.onmessage = ({ data }) => {
      failures = 0
      hear(JSON.parse(String(data)) as Checkout)
    }
    stream.onerror = () => {
      failures++
      onOffline(!navigator.onLine)
      // The browser tries again by itself, unless it was refused; after a while we ask instead.
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
    const answer = await call(ROUTES.state, { params })
    if (answer.kind === 'done') hear(answer.body)
    else if (answer.kind === 'unreached') onOffline(true)
  }

  const lookAgain = (): void => {
    if (stopped || document.visibilityState === 'hidden') return
    void look()
    if (stream !== undefined || !navigator.onLine) return
    clearTimeout(timer)
    failures = 0
    pauseMilliseconds = POLL_MILLISECONDS_MIN
    listen()
  }
  const unwatch = watchNetwork(lookAgain, () => onOffline(true))
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

/** A phone that slept, or was without network, asks as soon as it is back. Answers how to stop watching. */
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
