import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type MasterKey, openKeyDevice } from '../core/security/key-device.ts'
import { type Config, NO_MASTER_KEY } from '../platform/config/config.ts'
import { KEY_LENGTH } from '../platform/crypto.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../platform/postgres/embedded/index.ts'
import { type DatabaseUrls, databaseUrls, makeRoles } from '../platform/postgres/roles.ts'
import { takeSessionLock } from '../platform/postgres/session-lock.ts'
import { openTimelineFence, type TimelineFence } from '../platform/postgres/timeline.ts'

/** The database in use, and how to release it. */
export interface DatabaseLease {
  readonly urls: DatabaseUrls
  readonly release: () => Promise<void>
}

/** Another Kobo already runs on this data folder. */
export class AlreadyRunning extends Error {}

/**
 * The advisory lock of the only Kobo that may run on an embedded database. PostgreSQL releases it when its holder dies.
 */
const OWNER_LOCK = 20_260_303
const RUNNING_FILE = 'running.json'

const postgresDirectory = ({ dataDirectory }: Config): string => join(dataDirectory, 'postgres')

/**
 * Throws if the port is taken, so that no database is created in vain. If Kobo already runs on this folder, does
 * nothing, because `takeDatabase` reports that.
 */
export async function checkPort(config: Config): Promise<void> {
  if ((await findEmbeddedPostgres(postgresDirectory(config))) !== undefined) return
  const server = createServer().listen(config.port, config.host)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

/**
 * Takes the database at DATABASE_URL, or starts the embedded one, which runs until it is released. Throws if another
 * Kobo uses the embedded database.
 */
export async function takeDatabase(config: Config): Promise<DatabaseLease> {
  const urls = configuredUrls(config)
  if (urls !== undefined) return { urls, release: async () => {} }
  const server = await startEmbeddedPostgres({ directory: postgresDirectory(config) })
  const releaseLock = await takeSessionLock(server.url, OWNER_LOCK)
  if (releaseLock === undefined) throw new AlreadyRunning(alreadyRunning(config))
  await makeRoles(server.url)
  return {
    urls: databaseUrls(server.url),
    release: async () => {
      await releaseLock()
      await server.stop()
    },
  }
}

/**
 * Takes the database for a command: the running gateway's, or one that runs only until the command ends. A command
 * never creates a database.
 */
export async function borrowDatabase(config: Config): Promise<DatabaseLease> {
  if (config.databaseUrl !== undefined) return takeDatabase(config)
  const running = await findEmbeddedPostgres(postgresDirectory(config))
  if (running === undefined) {
    if (existsSync(postgresDirectory(config))) return takeDatabase(config)
    throw new Error(
      `There is no Kobo in ${config.dataDirectory}. Start one with "npm start", or set KOBO_DATA_DIR or DATABASE_URL as your gateway has it.`,
    )
  }
  await makeRoles(running) // the running gateway may be an older version that created no roles
  return { urls: databaseUrls(running), release: async () => {} }
}

/** Returns the URLs of the database at DATABASE_URL. Its roles may share one URL or have one each. */
function configuredUrls({ databaseUrl, vaultDatabaseUrl, migrationDatabaseUrl }: Config): DatabaseUrls | undefined {
  if (databaseUrl === undefined) return undefined
  return { program: databaseUrl, vault: vaultDatabaseUrl ?? databaseUrl, owner: migrationDatabaseUrl }
}

/** Opens the fence that rejects former primaries, by the database timeline stored in this data folder. */
export const openFence = (config: Config, warn?: (text: string) => void): TimelineFence =>
  openTimelineFence({ ...fenceOptionsOf(config), warn })

/** Opens the fence for a command. It reads the timeline that gateways have stored, but stores none. */
export const openReadingFence = (config: Config): TimelineFence =>
  openTimelineFence({ ...fenceOptionsOf(config), isReader: true })

const fenceOptionsOf = ({ dataDirectory, environment }: Config) => ({
  file: join(dataDirectory, 'database-timeline.json'),
  isOneCluster: environment === 'live',
})

interface Running {
  readonly pid: number
  readonly url: string
}

/** Stores the gateway's URL for commands, which need it even when the gateway is stopped. */
export function writeRunningFile({ dataDirectory, databaseUrl }: Config, url: string): void {
  if (databaseUrl !== undefined) return
  const running: Running = { pid: process.pid, url }
  writeFileSync(join(dataDirectory, RUNNING_FILE), JSON.stringify(running))
}

/** Reads the URL of the gateway that runs, or last ran, on this data folder. */
export function readRunning({ dataDirectory }: Config): Running | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDirectory, RUNNING_FILE), 'utf8')) as Running
  } catch {
    return undefined
  }
}

function alreadyRunning(config: Config): string {
  const running = readRunning(config)
  const where = running === undefined ? '' : ` It listens at ${running.url} (process ${running.pid}).`
  return `Kobo is already running on ${config.dataDirectory}.${where}\nStop it first, or set KOBO_DATA_DIR to another folder.`
}

/** Reads the master key from the configuration, a file or a device. A sandbox creates one in its data folder. */
export async function readMasterKey(config: Config): Promise<MasterKey> {
  const { environment, masterKey, masterKeyFile, dataDirectory } = config
  const given = masterKey ?? masterKeyFile
  if (given !== undefined) return Buffer.isBuffer(given) ? given : openKeyDevice(given)
  if (environment === 'live') throw new Error(`Invalid settings:\n${NO_MASTER_KEY}`)
  const path = join(dataDirectory, 'master.key')
  mkdirSync(dataDirectory, { recursive: true })
  try {
    writeFileSync(path, randomBytes(KEY_LENGTH).toString('base64'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return Buffer.from(readFileSync(path, 'utf8'), 'base64')
}
