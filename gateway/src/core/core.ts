import type { Clock } from '../kernel/clock.ts'
import type { IdSource } from '../kernel/ids.ts'
import type { Channels } from '../platform/channels.ts'
import type { Db } from '../platform/db.ts'
import type { BusinessClock } from './business-clock.ts'
import type { MerchantDirectory } from './merchants/index.ts'
import type { NodeLease } from './nodes.ts'
import type { Keyring } from './security/keyring.ts'
import type { Shards } from './shards/index.ts'
import type { PaymentCounts, Wakeups } from './unit-of-work.ts'

/** What every process of Kobo has, whether it serves, works or is a command. */
export interface Core {
  readonly db: Db
  /** For what may be some seconds old: a standby where there is one that follows closely, else the same. */
  readonly readDb: Db
  /** How old what is read there may be. */
  readonly readStalenessSeconds: () => number
  /** The vault's own way to card numbers, by a role that may read them where the program's may not. */
  readonly vaultDb: Db
  /** Real time. */
  readonly wall: Clock
  /** Business time. Tells none while this process must not act. */
  readonly clock: BusinessClock
  /** Whether this process may act: its clock is right, and its node number its own. */
  readonly fitness: Pick<NodeLease, 'node' | 'whyUnfit' | 'skewMilliseconds'>
  readonly ids: IdSource
  readonly keyring: Keyring
  readonly directory: MerchantDirectory
  /** How merchants are spread over servers. */
  readonly shards: Shards
  readonly wakeups: Wakeups
  /** Payments that this process has committed, to be measured. */
  readonly paymentCounts: PaymentCounts
  /** What other processes say. */
  readonly channels: Channels
  readonly close: () => Promise<void>
}
