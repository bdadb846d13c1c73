import { openBusinessClock } from '../core/business-clock.ts'
import type { Core } from '../core/core.ts'
import { stampEnvironment, WrongEnvironment } from '../core/environment.ts'
import { openDirectory } from '../core/merchants/index.ts'
import { answerFrom, keepBanks } from '../core/money/bank-list/index.ts'
import { checkCell, seedSandboxSources } from '../core/money/virtual-accounts/index.ts'
import { takeNodeNumber, whileFit } from '../core/nodes.ts'
import { openKeyring } from '../core/security/keyring.ts'
import { distribute, isDistributed, openShards } from '../core/shards/index.ts'
import { openPaymentCounts, openWakeups } from '../core/unit-of-work.ts'
import { type Clock, wallClock } from '../kernel/clock.ts'
import { idSource } from '../kernel/ids.ts'
import { openChannels } from '../platform/channels.ts'
import type { Environment } from '../platform/config.ts'
import { type DatabaseUrls, grantRights, roleOf } from '../platform/database-roles.ts'
import { type Db, inTransaction, openDatabase, type Tx } from '../platform/db.ts'
import { checkMigrated, mayMigrate, migrate } from '../platform/migrate.ts'
import { settleSession } from '../platform/pooled-session.ts'
import { openStandby } from '../platform/standby.ts'
import { SIMULATED } from '../rails/simulated/index.ts'

export { WrongCell } from '../core/money/virtual-accounts/index.ts'
export { WrongClock } from '../core/nodes.ts'
export { type Core, WrongEnvironment }

export interface CoreOptions {
  /** What the program was started as: it opens no database of the other environment. */
  readonly environment: Environment
  readonly database: DatabaseUrls
  readonly databaseConnectionsMax: number
  /** A standby to read from. */
  readonly readDatabaseUrl?: string | undefined
  /** Around the pooler, where the ways to the database go through one. */
  readonly sessionDatabaseUrl?: string | undefined
  readonly masterKey: Buffer
  readonly referencePrefix: string
  /** Which of several installations this one is; empty where it is the only one. */
  readonly cellDigits?: string
  /** Real time, where it is not the system's: tests hold it. */
  readonly wall?: Clock
  /** The machine's own clock, where a test has one that is wrong. */
  readonly machine?: Clock
  readonly nodeLeaseSeconds?: number
  /** Told what an operator should know and may go on with. */
  readonly warn?: (text: string) => void
  /** Called when this process may no longer make references: it must stop. */
  readonly onNodeLost: () => void
  /** Told when this process must not act for a while, and why. */
  readonly onUnfit?: (why: string) => void
}

/** A token that is charged is looked up by itself: few are enough. */
const VAULT_CONNECTIONS_MAX = 3
/** Who reads from a standby is a person who waits for a list. */
const READ_CONNECTIONS_MAX = 3

/** Opens the database, which must be of this environment, brings its schema up to date, and takes this process's place among the nodes. */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { environment, wall = wallClock, machine = wallClock } = options
  const { database, sessionDatabaseUrl: around } = options
  const db = openDatabase(database.program, options.databaseConnectionsMax, around)
  const vaultDb = database.vault === database.program ? db : openDatabase(database.vault, VAULT_CONNECTIONS_MAX, around)
  /** What is open so far, in the order in which it is closed again. */
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
    if (around !== undefined) await settleSession(db)
    await prepareSchema(options, db, vaultDb)
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
    const ids = idSource(clock, options.referencePrefix, fitness.node, options.cellDigits)
    closers.unshift(() => fitness.release(ids.lastSecond()).catch(() => {})) // with the database gone, the lease runs out by itself
    if (environment === 'sandbox') await inTransaction(db, (tx) => seedSandboxSources(tx, SIMULATED, clock.now()))
    await checkCell(db, ids.cell)
    closers.unshift(answerFrom((await keepBanks(db, channels, clock.now())).present))
    const keyring = opened(await openKeyring(db, options.masterKey, businessClock.now(), wall))
    const shards = await openShards(db)
    const wakeups = openWakeups()
    const paymentCounts = openPaymentCounts()
    const directory = await openDirectory({ environment, db, clock, ids, wakeups, paymentCounts, channels, keyring })
    const read =
      options.readDatabaseUrl === undefined ? undefined : openStandby(db, options.readDatabaseUrl, READ_CONNECTIONS_MAX)
    if (read !== undefined) opened(read)
    const [readDb, readStalenessSeconds] = [read?.db ?? db, read?.stalenessSeconds ?? (() => 0)]
    return {
      db,
      readDb,
      readStalenessSeconds,
      vaultDb,
      wall,
      clock,
      fitness,
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
  'the program owns its tables, so nothing but triggers keeps its books as they are: give it a role of its own, and the owner in KOBO_MIGRATION_DATABASE_URL'
const ONE_WAY =
  'the program reads card numbers by the role that does everything else: give the vault a role of its own in KOBO_VAULT_DATABASE_URL'

/** Migrates, where this process may; else sees that somebody has. */
async function prepareSchema({ database, environment, warn }: CoreOptions, db: Db, vaultDb: Db): Promise<void> {
  if (vaultDb === db) warn?.(ONE_WAY)
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

/** Migrates as the owner, and gives the program and the vault what they need of the tables. */
async function migrateAs(ownerUrl: string, db: Db, vaultDb: Db, stamp?: Stamp): Promise<number> {
  const owner = openDatabase(ownerUrl, 1)
  try {
    const [program, vault] = await Promise.all([roleOf(db), roleOf(vaultDb)])
    const applied = await migrate(owner, async (tx) => {
      await stamp?.(tx)
      await grantRights(tx, { program, vault })
    })
    // What a migration has added goes where it belongs.
    if (applied > 0 && (await isDistributed(owner))) await distribute(owner)
    return applied
  } finally {
    await owner.end()
  }
}

/**
 * Brings a database up to date without opening anything else on it; answers how many migrations were applied. One of another
 * environment than is named is refused.
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
