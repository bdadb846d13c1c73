import { secondsAfter } from '../kernel/clock.ts'
import { firstIdAt } from '../kernel/ids.ts'
import { inOneStatement } from '../platform/db.ts'
import type { Core } from './core.ts'
import { forgetRequestsBefore } from './edge/request-log/index.ts'
import { forgetMailsBefore } from './messages/mail.ts'
import { dropBodies, forgetAttempts } from './messages/outbox/index.ts'
import { keepingPartitions, outsideBefore } from './partitions.ts'
import { forgetCardsBefore } from './security/stored-cards.ts'
import { FORGETTING_SECONDS, type Sweep } from './sweep.ts'

/** For how many days what is known of people is kept, by kind; 0 keeps it for ever. */
export interface Retention {
  /** The texts of events, once they were delivered or given up. */
  readonly eventBodies: number
  /** Attempts to deliver an event, by when the event was made. */
  readonly attempts: number
  /** Cards on file, after they have expired. */
  readonly expiredCards: number
  /** BVN, NIN and payment sources of reserved accounts, after they were given up. */
  readonly identities: number
  /** Mails in the sandbox's inbox. */
  readonly inbox: number
  /** The log of requests. */
  readonly requests: number
}

const DAY_SECONDS = 86_400

/**
 * Forgets what is older than so many days. What is kept by days is looked for once a day: few of these tables have an index
 * by age, and none is to be written for that with every payment.
 */
export function forgetting(
  name: string,
  days: number,
  forget: (before: Date, limit: number) => Promise<number>,
): Sweep {
  let looksAgainAt = new Date(0)
  return {
    name,
    everySeconds: FORGETTING_SECONDS,
    run: async (at, limit) => {
      if (days === 0 || at < looksAgainAt) return 0
      const done = await forget(secondsAfter(at, -days * DAY_SECONDS), limit)
      if (done < limit) looksAgainAt = secondsAfter(at, DAY_SECONDS)
      return done
    },
  }
}

/** What is forgotten as time passes, of what is no feature's own. */
export const retentionSweeps = ({ db, shards }: Core, keep: Retention): readonly Sweep[] => [
  forgetting('drop texts of events', keep.eventBodies, (before, limit) =>
    shards.each((shard) => inOneStatement(db, (tx) => dropBodies(tx, shard, firstIdAt(before), limit))),
  ),
  forgetting('forget expired cards', keep.expiredCards, (before, limit) =>
    forgetCardsBefore(db, { year: String(before.getUTCFullYear()), month: monthOf(before) }, limit),
  ),
  forgetting('forget mails of the inbox', keep.inbox, (before, limit) =>
    forgetMailsBefore(db, firstIdAt(before), limit),
  ),
  keepingPartitions(db, { request_log: keep.requests, event_attempt: keep.attempts }),
  forgetting('forget requests', keep.requests, async (before, limit) => {
    const left = await outsideBefore(db, 'request_log', before)
    return shards.each((shard) => forgetRequestsBefore(db, shard, left ?? firstIdAt(before), limit))
  }),
  forgetting('forget attempts', keep.attempts, async (before, limit) => {
    const left = await outsideBefore(db, 'event_attempt', before)
    // The first partition may be huge, and goes as a whole.
    return left === undefined ? 0 : shards.each((shard) => forgetAttempts(db, shard, left, limit))
  }),
]

const monthOf = (at: Date): string => String(at.getUTCMonth() + 1).padStart(2, '0')
