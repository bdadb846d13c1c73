import { monotonic } from '../../../kernel/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { PostOutcome } from '../../../platform/post.ts'
import type { LeasedEvent } from './repository.ts'

/** A receiver that is down is warned of so often, however many events it does not take. */
const QUIET_MILLISECONDS = 60_000
const RECEIVERS_MAX = 10_000

interface Told {
  /** When it was last told of, by a clock that only runs ahead. */
  at: number
  /** How many failed since. */
  more: number
}

/**
 * Tells the log of every delivery that failed, and warns of the first of a merchant's kind, and then of one in a minute, with
 * the number of those between. Of the address no more than the host, since who has it all could pass for us.
 */
export function failureLog(log: Log): (event: LeasedEvent, outcome: PostOutcome) => void {
  const told = new Map<string, Told>()
  return ({ merchantId, id, kind, url, attempts }, { status, error }) => {
    const key = `${merchantId}/${kind}`
    const before = told.get(key)
    const at = monotonic()
    const receiver = URL.parse(url ?? '')?.host
    const met = { receiver, attempt: attempts + 1, status, error }
    const facts = { merchantId: String(merchantId), kind, eventId: String(id), ...met }
    if (before !== undefined && at - before.at < QUIET_MILLISECONDS) {
      before.more++
      log.info(facts, 'an event was not delivered')
      return
    }
    if (told.size >= RECEIVERS_MAX) told.clear()
    told.set(key, { at, more: 0 })
    log.warn({ ...facts, alsoFailed: before?.more ?? 0 }, 'an event was not delivered')
  }
}
