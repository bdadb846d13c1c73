import process from 'node:process'
import { type Core, openCore } from '@kobo/gateway/app/core.ts'
import { borrowDatabase, readMasterKey, readRunning } from '@kobo/gateway/app/data-folder.ts'
import { checkEnvironment } from '@kobo/gateway/core/environment.ts'
import { findMerchantId, type Merchant } from '@kobo/gateway/core/merchants/index.ts'
import { type Clock, wallClock } from '@kobo/gateway/kernel/clock.ts'
import { type Config, readConfig } from '@kobo/gateway/platform/config.ts'
import { type Db, openDatabase } from '@kobo/gateway/platform/db.ts'
import { checkMigrated } from '@kobo/gateway/platform/migrate.ts'

/** What a command has around it: settings, and where it writes to. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether a person watches what goes to `err`: then it may show how far something has come. */
  readonly isWatched?: boolean
  /** Real time, where a test holds it. */
  readonly wall?: Clock
}

/** A command of the command line. */
export interface Command {
  /** What may follow its words. */
  readonly usage: string
  readonly summary: string
  readonly details?: string
  /** What it prints: JSON, with or without --json, unless this says that --json is a choice of its own, or that there is no data. */
  readonly prints?: 'text or JSON' | 'no data'
  /** Does it; answers the exit code. */
  readonly run: (args: string[], around: Surroundings) => Promise<number>
}

/** The words of the call are off: shown with the command's usage, exit code 2. */
export class UsageError extends Error {}

/** What a command works with. */
export interface Workplace {
  readonly core: Core
  readonly config: Config
  /** Where the gateway answers, as far as can be known from beside it. */
  readonly baseUrl: string
}

const CONNECTIONS_MAX = 3

/** Runs work on the gateway's database, whether the gateway runs or not. */
export async function withCore<T>(
  { env, wall = wallClock }: Surroundings,
  work: (workplace: Workplace) => Promise<T>,
): Promise<T> {
  const config = readConfig(env, 'command')
  const database = await borrowDatabase(config)
  try {
    const core = await openCore({
      ...config,
      database: database.urls,
      databaseConnectionsMax: CONNECTIONS_MAX,
      masterKey: readMasterKey(config),
      wall,
      onNodeLost: () => process.exit(1),
    })
    try {
      const baseUrl = config.publicUrl ?? readRunning(config)?.url ?? `http://localhost:${config.port}`
      return await work({ core, config, baseUrl })
    } finally {
      await core.close()
    }
  } finally {
    await database.release()
  }
}

/** Runs work on the gateway's database as it is: nothing is migrated, no place among the nodes is taken, no key is needed. */
export async function withDatabase<T>({ env }: Surroundings, work: (db: Db) => Promise<T>): Promise<T> {
  const config = readConfig(env, 'command')
  const database = await borrowDatabase(config)
  try {
    const db = openDatabase(database.urls.program, CONNECTIONS_MAX)
    try {
      await checkMigrated(db)
      await checkEnvironment(db, config.environment)
      return await work(db)
    } finally {
      await db.end()
    }
  } finally {
    await database.release()
  }
}

/** The merchant with this code; refuses one that nobody has. */
export async function findMerchant({ db, directory }: Core, code: string): Promise<Merchant> {
  const id = await findMerchantId(db, code)
  const merchant = id === undefined ? undefined : await directory.byId(id)
  if (merchant === undefined) throw new UsageError(`There is no merchant ${code}.`)
  return merchant
}

/** Runs work for the merchant that the call names. */
export function withMerchant(
  around: Surroundings,
  code: string | undefined,
  work: (workplace: Workplace, merchant: Merchant) => Promise<void>,
): Promise<number> {
  if (code === undefined) throw new UsageError('--merchant is required: merchant list shows the codes.')
  return withCore(around, async (workplace) => {
    await work(workplace, await findMerchant(workplace.core, code))
    return 0
  })
}

/** What an option says that must not be left out. */
export function required(value: string | undefined, option: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${option} is required.`)
  return value
}

/** Prints a value as JSON, whole numbers of any size among it. */
export const print = ({ out }: Surroundings, value: unknown): void =>
  out(`${JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner), 2)}\n`)
