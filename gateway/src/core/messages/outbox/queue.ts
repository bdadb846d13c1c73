import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { LeasedEvent } from '../../event-sender.ts'
import type { Shard } from '../../shards/index.ts'
import type { BackgroundWork } from '../../unit-of-work.ts'
import type { AttemptedEvent, EndpointTally, LeaseRequest } from './repository.ts'

/** A merchant's endpoint in a queue: a kind of event, or the id of an additional endpoint. */
export interface QueueKey {
  readonly merchantId: bigint
  readonly kind: string
}

type Owners = readonly { readonly merchantId: bigint }[]

/**
 * Events to be sent: to the URLs of the settings, or to additional endpoints. The two queues have separate tables and
 * workers, so a merchant without additional endpoints pays nothing for them.
 */
export interface DeliveryQueue {
  readonly name: 'default' | 'additional'
  /** The background work that sends its events. */
  readonly work: BackgroundWork
  /** Leases due events of a shard, a few per endpoint, so that the backlog of a dead endpoint never blocks another. */
  readonly lease: (db: Db, shard: Shard, request: LeaseRequest) => Promise<LeasedEvent[]>
  /** When the next sendable event is due. */
  readonly nextDue: (db: Db) => Promise<Date | undefined>
  /** Stores the outcomes of events, unless they were resent meanwhile. */
  readonly updateAttempted: (tx: Tx, rows: readonly AttemptedEvent[]) => void
  /** Counts consecutive failures and pauses endpoints; returns the newly paused ones. */
  readonly tally: (
    tx: Tx,
    at: Date,
    tallies: readonly EndpointTally[],
    givenUpMax: number,
  ) => Promise<readonly QueueKey[]>
  /** Queues events whose next attempt is due; returns how many. */
  readonly enqueueDue: (tx: Tx, shard: Shard, at: Date, limit: number) => Promise<number>
  readonly nextWaitingDue: (db: Db) => Promise<Date | undefined>
  readonly selectPausedQueued: (db: Db, shard: Shard, limit: number) => Promise<readonly QueueKey[]>
  /** Locks merchants' endpoints, so that none is paused or resumed meanwhile. */
  readonly lockEndpoints: (tx: Tx, merchants: Owners) => Promise<void>
  /** Takes events of paused endpoints out of the queue; returns how many. The endpoints are locked. */
  readonly setAside: (tx: Tx, paused: readonly QueueKey[], limit: number) => Promise<number>
  /** Merchants with active endpoints that may still have events outside the queue. */
  readonly selectResuming: (db: Db, shard: Shard, limit: number) => Promise<Owners>
  /** Queues events again for active endpoints; returns how many. The endpoints are locked. */
  readonly enqueueResumed: (tx: Tx, merchants: Owners, limit: number) => Promise<number>
  /** Records that active endpoints have no events left outside the queue. The endpoints are locked. */
  readonly markResumed: (tx: Tx, merchants: Owners) => void
}
