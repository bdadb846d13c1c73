import { monotonic } from '../../../kernel/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { PostOutcome } from '../../../platform/post.ts'
import type { LeasedEvent } from './repository.ts'

/** A receiver that is down is told of so often, however many events it does not take. */
const QUIET_MILLISECONDS = 60_000
const RECEIVERS_MAX = 10_000

interface Told {
  /** When it was last told of, by a clock that only runs ahead. */
  at: number
  /** How many failed since. */
  more: number
}

/**
 * Tells the log of deliveries that failed: the first of a merchant's kind at once, the next after a minute with the number
 * of those between. Of the address no more than the host, since who has it all could pass for us.
 */
export function failureLog(log: Log): (event: LeasedEvent, outcome: PostOutcome) => void {
  const told = new Map<string, Told>()
  return ({ merchantId, id, kind, url, attempts }, { status, error }) => {
    const key = `${merchantId}/${kind}`
    const before = told.get(key)
    const at = monotonic()
    if (before !== undefined && at - before.at < QUIET_MILLISECONDS) {
      before.more++
      return
    }
    if (told.size >= RECEIVERS_MAX) told.clear()
    told.set(key, { at, more: 0 })
    const receiver = URL.parse(url ?? '')?.host
    const facts = { merchantId: String(merchantId), kind, eventId: String(id), receiver, attempt: attempts + 1 }
    log.warn({ ...facts, status, error, alsoFailed: before?.more ?? 0 }, 'an event was not delivered')
  }
}
