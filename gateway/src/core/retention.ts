import { secondsAfter } from '../kernel/clock.ts'
import { firstIdAt } from '../kernel/ids.ts'
import { inOneQuery } from '../platform/postgres/db.ts'
import type { Core } from './core.ts'
import { deleteRequestsBefore } from './edge/request-recorder/index.ts'
import { deleteMailsBefore } from './messages/mail.ts'
import { deleteAttempts, deleteDeliveries, dropBodies } from './messages/outbox/index.ts'
import { keepingPartitions, outsideBefore } from './partitions.ts'
import { deleteCardsBefore } from './security/stored-cards.ts'
import type { Shard } from './shards/index.ts'
import { DELETION_SECONDS, type Sweep } from './sweep.ts'

/** How long personal data is kept, in days, by kind; 0 keeps it forever. */
export interface Retention {
  /** Event texts, after delivery or giving up. */
  readonly eventBodies: number
  /** Delivery attempts, counted from the event's creation. */
  readonly attempts: number
  /** Stored cards, after their expiry. */
  readonly expiredCards: number
  /** BVN, NIN and payment sources of closed reserved accounts. */
  readonly identities: number
  /** Mails in the sandbox inbox. */
  readonly inbox: number
  readonly requests: number
}

const DAY_SECONDS = 86_400

/**
 * Deletes rows older than a number of days. It runs once a day, because few of these tables have an index by age: every
 * payment would have to write to it.
 */
export const deletionSweep = (
  name: string,
  days: number,
  forget: (shard: Shard, before: Date, limit: number) => Promise<number>,
): Sweep => ({
  name,
  everySeconds: DELETION_SECONDS,
  restSeconds: DAY_SECONDS,
  runShard: async (shard, at, limit) => (days === 0 ? 0 : forget(shard, secondsAfter(at, -days * DAY_SECONDS), limit)),
})

/** Deletes expired data that belongs to no feature. */
export const retentionSweeps = ({ db }: Core, keep: Retention): readonly Sweep[] => [
  deletionSweep('drop texts of events', keep.eventBodies, (shard, before, limit) =>
    inOneQuery(db, (tx) => dropBodies(tx, shard, firstIdAt(before), limit)),
  ),
  deletionSweep('forget expired cards', keep.expiredCards, (_, before, limit) =>
    deleteCardsBefore(db, { year: String(before.getUTCFullYear()), month: monthOf(before) }, limit),
  ),
  deletionSweep('forget mails of the inbox', keep.inbox, (_, before, limit) =>
    deleteMailsBefore(db, firstIdAt(before), limit),
  ),
  keepingPartitions(db, { request_log: keep.requests, event_attempt: keep.attempts }),
  deletionSweep('forget requests', keep.requests, async (shard, before, limit) => {
    const end = await outsideBefore(db, 'request_log', before)
    return deleteRequestsBefore(db, shard, end ?? firstIdAt(before), limit)
  }),
  deletionSweep('forget attempts', keep.attempts, async (shard, before, limit) => {
    const end = await outsideBefore(db, 'event_attempt', before)
    // The first partition may be huge, so its rows are not deleted: it is dropped as a whole.
    return end === undefined ? 0 : deleteAttempts(db, shard, end, limit)
  }),
  deletionSweep('forget deliveries to additional endpoints', keep.attempts, (shard, before, limit) =>
    deleteDeliveries(db, shard, firstIdAt(before), limit),
  ),
]

const monthOf = (at: Date): string => String(at.getUTCMonth() + 1).padStart(2, '0')
