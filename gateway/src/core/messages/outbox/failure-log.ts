import { monotonic } from '../../../kernel/clock.ts'
import type { PostOutcome } from '../../../platform/http/post-json.ts'
import type { Log } from '../../../platform/observability/log.ts'
import type { LeasedEvent } from '../../event-sender.ts'

/** A failing endpoint causes a warning at most this often. */
const QUIET_MILLISECONDS = 60_000
const ENDPOINTS_MAX = 10_000

interface Logged {
  /** When it was last logged, by the monotonic clock. */
  at: number
  /** The number of failures since then. */
  more: number
}

/**
 * Logs failed deliveries: a warning for the first failure of a merchant and kind, then one per minute with a count.
 * Only the URL's host is logged: the full URL would let others impersonate us.
 */
export function failureLog(log: Log): (event: LeasedEvent, outcome: PostOutcome) => void {
  const logged = new Map<string, Logged>()
  return ({ merchantId, id, kind, url, attempts }, { status, error }) => {
    const key = `${merchantId}/${kind}`
    const before = logged.get(key)
    const at = monotonic()
    const receiver = URL.parse(url ?? '')?.host
    const result = { receiver, attempt: attempts + 1, status, error: error ?? undefined }
    const facts = { merchantId: String(merchantId), kind, eventId: String(id), ...result }
    if (before !== undefined && at - before.at < QUIET_MILLISECONDS) {
      before.more++
      log.info(facts, 'webhook delivery failed')
      return
    }
    if (logged.size >= ENDPOINTS_MAX) logged.clear()
    logged.set(key, { at, more: 0 })
    log.warn({ ...facts, alsoFailed: before?.more ?? 0 }, 'webhook delivery failed')
  }
}
