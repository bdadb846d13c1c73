import process from 'node:process'
import { type Core, openCore } from '@kobo/gateway/app/core.ts'
import { borrowDatabase, openReadingFence, readMasterKey, readRunning } from '@kobo/gateway/app/data-folder.ts'
import { checkEnvironment } from '@kobo/gateway/core/environment.ts'
import { findMerchantId, type Merchant } from '@kobo/gateway/core/merchants/index.ts'
import { type Clock, wallClock } from '@kobo/gateway/kernel/clock.ts'
import { type Config, readConfig } from '@kobo/gateway/platform/config/config.ts'
import { type Db, openDatabase } from '@kobo/gateway/platform/postgres/db.ts'
import { checkMigrated } from '@kobo/gateway/platform/postgres/migrate.ts'
import type { TimelineFence } from '@kobo/gateway/platform/postgres/timeline.ts'
import { PROGRAM } from './program.ts'

/** The environment variables and output streams of a command. */
export interface CommandContext {
  readonly env: NodeJS.ProcessEnv
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether `err` is a terminal, so that progress can be shown. */
  readonly isTerminal?: boolean
  /** Replaces real time in tests. */
  readonly wall?: Clock
}

export interface Command {
  /** The arguments after the command's name. */
  readonly usage: string
  readonly summary: string
  readonly details?: string
  /** The output format. Without this field, a command always prints JSON, and ignores --json. */
  readonly prints?: 'text or JSON' | 'no data'
  /** Returns the exit code. */
  readonly run: (args: string[], context: CommandContext) => Promise<number>
}

/** An error in the arguments. It is printed with the command's usage, and the exit code is 2. */
export class UsageError extends Error {}

/** An open connection to the gateway's data. */
export interface OpenGateway {
  readonly core: Core
  readonly config: Config
  /** The gateway's URL, from the configuration or from the running process. */
  readonly baseUrl: string
}

const CONNECTIONS_MAX = 3

/** Opens the gateway's database for `work`, whether or not the gateway is running. */
export async function withCore<T>(
  { env, wall = wallClock }: CommandContext,
  work: (gateway: OpenGateway) => Promise<T>,
  fenceOf: (config: Config) => TimelineFence | undefined = openReadingFence,
): Promise<T> {
  const config = readConfig(env, 'command')
  const database = await borrowDatabase(config)
  try {
    const core = await openCore({
      ...config,
      fence: fenceOf(config),
      database: database.urls,
      databaseConnectionsMax: CONNECTIONS_MAX,
      masterKey: await readMasterKey(config),
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

/** Opens the database without migrating it, registering a node or reading the master key. */
export async function withDatabase<T>({ env }: CommandContext, work: (db: Db) => Promise<T>): Promise<T> {
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

/** Finds a merchant by code, or throws a UsageError. */
export async function findMerchant({ db, directory }: Core, code: string): Promise<Merchant> {
  const id = await findMerchantId(db, code)
  const merchant = id === undefined ? undefined : await directory.byId(id)
  if (merchant === undefined)
    throw new UsageError(`No merchant has the code ${code}. Run "${PROGRAM} merchant list" to see the codes.`)
  return merchant
}

/** Opens the gateway's database and finds the merchant for `work`. */
export function withMerchant(
  context: CommandContext,
  code: string | undefined,
  work: (gateway: OpenGateway, merchant: Merchant) => Promise<void>,
): Promise<number> {
  if (code === undefined)
    throw new UsageError(`--merchant is required. Run "${PROGRAM} merchant list" to see the codes.`)
  return withCore(context, async (gateway) => {
    await work(gateway, await findMerchant(gateway.core, code))
    return 0
  })
}

/** Returns an option's value, or throws if it is missing or blank. */
export function required(value: string | undefined, option: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${option} is required.`)
  return value
}

export const isHttpUrl = (text: string): boolean => /^https?:/i.test(text) && URL.canParse(text)

/** Prints a value as JSON; bigints become strings. */
export const print = ({ out }: CommandContext, value: unknown): void =>
  out(`${JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner), 2)}\n`)
