import { openBusinessClock } from '../core/business-clock.ts'
import type { Core } from '../core/core.ts'
import { stampEnvironment, WrongEnvironment } from '../core/environment.ts'
import { openDirectory } from '../core/merchants/index.ts'
import { takeNodeNumber, whileFit } from '../core/nodes.ts'
import { openKeyring } from '../core/security/keyring.ts'
import { openWakeups } from '../core/unit-of-work.ts'
import { type Clock, wallClock } from '../kernel/clock.ts'
import { idSource } from '../kernel/ids.ts'
import { openChannels } from '../platform/channels.ts'
import type { Environment } from '../platform/config.ts'
import { openDatabase } from '../platform/db.ts'
import { migrate } from '../platform/migrate.ts'

export { WrongClock } from '../core/nodes.ts'
export { type Core, WrongEnvironment }

export interface CoreOptions {
  /** What the program was started as: it opens no database of the other environment. */
  readonly environment: Environment
  readonly databaseUrl: string
  readonly databaseConnectionsMax: number
  readonly masterKey: Buffer
  readonly referencePrefix: string
  /** Real time, where it is not the system's: tests hold it. */
  readonly wall?: Clock
  /** The machine's own clock, where a test has one that is wrong. */
  readonly machine?: Clock
  readonly nodeLeaseSeconds?: number
  /** Called when this process may no longer make references: it must stop. */
  readonly onNodeLost: () => void
  /** Told when this process must not act for a while, and why. */
  readonly onUnfit?: (why: string) => void
}

/** Opens the database, which must be of this environment, brings its schema up to date, and takes this process's place among the nodes. */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { environment, wall = wallClock, machine = wallClock } = options
  const db = openDatabase(options.databaseUrl, options.databaseConnectionsMax)
  /** What is open so far, in the order in which it is closed again. */
  const closers: (() => unknown)[] = [() => db.end()]
  const opened = <T extends { readonly close: () => unknown }>(one: T): T => {
    closers.unshift(one.close)
    return one
  }
  const close = async (): Promise<void> => {
    for (const closer of closers) await closer()
  }
  try {
    await migrate(db, (tx) => stampEnvironment(tx, environment))
    const channels = opened(await openChannels(db))
    const businessClock = await openBusinessClock(db, channels, wall)
    const fitness = await takeNodeNumber({
      db,
      clock: businessClock,
      machine,
      leaseSeconds: options.nodeLeaseSeconds,
      onLost: options.onNodeLost,
      onUnfit: options.onUnfit,
    })
    const clock = whileFit(businessClock, fitness)
    const ids = idSource(clock, options.referencePrefix, fitness.node)
    closers.unshift(() => fitness.release(ids.lastSecond()).catch(() => {})) // with the database gone, the lease runs out by itself
    const keyring = opened(await openKeyring(db, options.masterKey, businessClock.now(), wall))
    const wakeups = openWakeups()
    const directory = await openDirectory({ environment, db, clock, ids, wakeups, channels, keyring })
    return { db, wall, clock, fitness, ids, keyring, directory, wakeups, channels, close }
  } catch (error) {
    await close()
    throw error
  }
}
