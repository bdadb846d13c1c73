import { type CompatSetting, requestRefusals } from '@kobo/contract'
import { checkCell, seedSandboxSources } from '../core/account-numbers/index.ts'
import { cacheBanks, setBankList } from '../core/bank-list/index.ts'
import { openBusinessClock } from '../core/business-clock.ts'
import type { Core } from '../core/core.ts'
import { stampEnvironment, WrongEnvironment } from '../core/environment.ts'
import { openDirectory } from '../core/merchants/index.ts'
import { takeNodeNumber, whileHealthy } from '../core/nodes.ts'
import type { MasterKey } from '../core/security/key-device.ts'
import { openKeyring } from '../core/security/keyring.ts'
import { distribute, isDistributed, openShards } from '../core/shards/index.ts'
import { openPaymentCounts, openWakeups } from '../core/unit-of-work.ts'
import { type Clock, wallClock } from '../kernel/clock.ts'
import { refusal } from '../kernel/errors.ts'
import { idSource, type NodeNumbers } from '../kernel/ids.ts'
import type { Environment } from '../platform/config/config.ts'
import { openChannels } from '../platform/postgres/channels.ts'
import { type Db, inTransaction, openDatabase, type Tx } from '../platform/postgres/db.ts'
import { checkMigrated, mayMigrate, migrate } from '../platform/postgres/migrate.ts'
import { configureSession } from '../platform/postgres/pooled-session.ts'
import { type DatabaseUrls, grantRights, roleOf } from '../platform/postgres/roles.ts'
import { openStandby } from '../platform/postgres/standby.ts'
import type { TimelineFence } from '../platform/postgres/timeline.ts'
import { SIMULATED } from '../rails/simulated/index.ts'

export { WrongCell } from '../core/account-numbers/index.ts'
export { WrongClock } from '../core/nodes.ts'
export { type Core, WrongEnvironment }

export interface CoreOptions {
  /** The environment. Opening a database of the other environment fails. */
  readonly environment: Environment
  readonly database: DatabaseUrls
  readonly databaseConnectionsMax: number
  readonly readDatabaseUrl?: string | undefined
  /** A URL without a pooler, if the other URLs go through one. */
  readonly sessionDatabaseUrl?: string | undefined
  /** Rejects former primaries of the database. Without it, any writable server is used. */
  readonly fence?: TimelineFence | undefined
  readonly masterKey: MasterKey
  readonly referencePrefix: string
  /** The rules that this sandbox does not enforce, for clients of Monnify; none by default. */
  readonly compat?: readonly CompatSetting[]
  /**
   * The digits after the bank's prefix in this installation's account numbers; empty if there is only one installation.
   */
  readonly cellDigits?: string
  /** The node numbers of this installation; all by default. */
  readonly nodeNumbers?: NodeNumbers
  /** Real time, replaced in tests. */
  readonly wall?: Clock
  /** This machine’s clock, which is compared with the database’s; replaced in tests. */
  readonly machine?: Clock
  readonly nodeLeaseSeconds?: number
  /** Receives warnings for the operator. */
  readonly warn?: (text: string) => void
  /** Called when this process may no longer create references: it must stop. */
  readonly onNodeLost: () => void
  /** Called when this process becomes unhealthy, with the reason. */
  readonly onUnhealthy?: (why: string) => void
}

/** Stored cards are looked up one at a time, so a few connections are enough. */
const VAULT_CONNECTIONS_MAX = 3
/** The standby serves only the dashboard's lists, so a few connections are enough. */
const READ_CONNECTIONS_MAX = 3

/** Opens the database of this environment, migrates it, and leases a node number. */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { environment, wall = wallClock, machine = wallClock, database, sessionDatabaseUrl, fence } = options
  const db = openDatabase(database.program, options.databaseConnectionsMax, sessionDatabaseUrl, fence)
  const isOneRole = database.vault === database.program
  const vaultDb = isOneRole ? db : openDatabase(database.vault, VAULT_CONNECTIONS_MAX, sessionDatabaseUrl, fence)
  /** Functions that close the parts opened so far, in order. */
  const closers: (() => unknown)[] = [() => db.end()]
  if (vaultDb !== db) closers.push(() => vaultDb.end())
  const opened = <T extends { readonly close: () => unknown }>(one: T): T => {
    closers.unshift(one.close)
    return one
  }
  const close = async (): Promise<void> => {
    for (const closer of closers) await closer()
  }
  try {
    if (sessionDatabaseUrl !== undefined) await configureSession(db)
    await prepareSchema(options, db, vaultDb)
    const channels = opened(await openChannels(db))
    const businessClock = await openBusinessClock(db, channels, wall)
    const nodeLease = await takeNodeNumber({
      db,
      clock: businessClock,
      machine,
      ...{ numbers: options.nodeNumbers, leaseSeconds: options.nodeLeaseSeconds, fence },
      onLost: options.onNodeLost,
      onUnhealthy: options.onUnhealthy,
    })
    const clock = whileHealthy(businessClock, nodeLease)
    const busy = refusal(requestRefusals.busy)
    const ids = idSource(clock, options.referencePrefix, nodeLease.node, options.cellDigits, busy)
    closers.unshift(() => nodeLease.release(ids.lastSecond()).catch(() => {})) // with the database gone, the lease expires anyway
    if (environment === 'sandbox') await inTransaction(db, (tx) => seedSandboxSources(tx, SIMULATED, clock.now()))
    await checkCell(db, ids.cell)
    closers.unshift(setBankList((await cacheBanks(db, channels, clock.now())).present))
    const keyring = opened(await openKeyring(db, options.masterKey, businessClock.now(), wall))
    const shards = await openShards(db)
    const wakeups = openWakeups()
    const paymentCounts = openPaymentCounts()
    const directory = await openDirectory({
      ...{ environment, db, clock, ids, wakeups, paymentCounts, channels, keyring },
      compat: options.compat ?? [],
    })
    const read =
      options.readDatabaseUrl === undefined ? undefined : openStandby(db, options.readDatabaseUrl, READ_CONNECTIONS_MAX)
    if (read !== undefined) opened(read)
    return {
      db,
      readDb: read?.db ?? db,
      readStalenessSeconds: read?.stalenessSeconds ?? (() => 0),
      vaultDb,
      fence,
      wall,
      clock,
      nodeLease,
      ids,
      keyring,
      directory,
      shards,
      wakeups,
      paymentCounts,
      channels,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const ONE_ROLE =
  'database role owns its tables, so only triggers protect the ledger: use a separate role in DATABASE_URL and put the owner in KOBO_MIGRATION_DATABASE_URL'
const VAULT_SHARES_ROLE = 'card vault shares the main database role: set KOBO_VAULT_DATABASE_URL to a separate role'

/** Migrates the database if this process may; otherwise checks that it is migrated. */
async function prepareSchema({ database, environment, warn }: CoreOptions, db: Db, vaultDb: Db): Promise<void> {
  if (vaultDb === db) warn?.(VAULT_SHARES_ROLE)
  const stamp: Stamp = (tx) => stampEnvironment(tx, environment)
  if (database.owner !== undefined) await migrateAs(database.owner, db, vaultDb, stamp)
  else if (await mayMigrate(db)) {
    warn?.(ONE_ROLE)
    await migrate(db, stamp)
  } else {
    await checkMigrated(db)
    await inTransaction(db, stamp)
  }
}

type Stamp = (tx: Tx) => Promise<void>

/** Migrates as the owner and grants the program's and the vault's rights. */
async function migrateAs(ownerUrl: string, db: Db, vaultDb: Db, stamp?: Stamp): Promise<number> {
  const owner = openDatabase(ownerUrl, 1)
  try {
    const [program, vault] = await Promise.all([roleOf(db), roleOf(vaultDb)])
    const applied = await migrate(owner, async (tx) => {
      await stamp?.(tx)
      await grantRights(tx, { program, vault })
    })
    // On a distributed database, new tables are distributed too.
    if (applied > 0 && (await isDistributed(owner))) await distribute(owner)
    return applied
  } finally {
    await owner.end()
  }
}

/**
 * Migrates a database without opening anything else; returns how many migrations ran. Rejects a database of another
 * environment.
 */
export async function migrateDatabase(
  { program, vault, owner }: DatabaseUrls,
  environment?: Environment,
): Promise<number> {
  const [db, vaultDb] = [openDatabase(program, 1), openDatabase(vault, 1)]
  try {
    const stamp: Stamp | undefined = environment && ((tx) => stampEnvironment(tx, environment))
    return await migrateAs(owner ?? program, db, vaultDb, stamp)
  } finally {
    await Promise.all([db.end(), vaultDb.end()])
  }
}
