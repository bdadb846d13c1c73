import type { Clock } from '../kernel/clock.ts'
import type { IdSource } from '../kernel/ids.ts'
import type { Channels } from '../platform/postgres/channels.ts'
import type { Db } from '../platform/postgres/db.ts'
import type { TimelineFence } from '../platform/postgres/timeline.ts'
import type { BusinessClock } from './business-clock.ts'
import type { MerchantDirectory } from './merchants/index.ts'
import type { NodeLease } from './nodes.ts'
import type { Keyring } from './security/keyring.ts'
import type { Shards } from './shards/index.ts'
import type { PaymentCounts, Wakeups } from './unit-of-work.ts'

/** The parts of every process: server, worker or command. */
export interface Core {
  readonly db: Db
  /** For reads that may be some seconds old: an up-to-date standby if there is one, else the primary. */
  readonly readDb: Db
  /** How many seconds old a read through `readDb` may be. */
  readonly readStalenessSeconds: () => number
  /** The vault's connection, whose role can read card numbers. */
  readonly vaultDb: Db
  /** Rejects a database server that is no longer the primary; undefined if the check is off. */
  readonly fence: TimelineFence | undefined
  /** Real time. */
  readonly wall: Clock
  /** Business time. Throws while this process is unhealthy. */
  readonly clock: BusinessClock
  /** The node number of this process, which may work only while the number is valid and its clock is right. */
  readonly nodeLease: Pick<NodeLease, 'node' | 'whyUnhealthy' | 'skewMilliseconds'>
  readonly ids: IdSource
  readonly keyring: Keyring
  readonly directory: MerchantDirectory
  /** How merchants are spread over servers. */
  readonly shards: Shards
  readonly wakeups: Wakeups
  /** Payments committed by this process, for metrics. */
  readonly paymentCounts: PaymentCounts
  /** Notifications between processes. */
  readonly channels: Channels
  readonly close: () => Promise<void>
}
