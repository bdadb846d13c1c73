import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../platform/config.ts'
import { KEY_LENGTH } from '../platform/crypto.ts'
import { type DatabaseUrls, databaseUrls, makeRoles } from '../platform/database-roles.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../platform/embedded-postgres/index.ts'
import { takeSessionLock } from '../platform/session-lock.ts'

/** The database in use, and how to let go of it. */
export interface DatabaseLease {
  readonly urls: DatabaseUrls
  readonly release: () => Promise<void>
}

/** Another Kobo already runs on the same data folder. */
export class AlreadyRunning extends Error {}

/** Held by the one Kobo that may run on an embedded database. PostgreSQL lets go of it when its holder dies, however it dies. */
const OWNER_LOCK = 20_260_303
const RUNNING_FILE = 'running.json'

const postgresDirectory = ({ dataDirectory }: Config): string => join(dataDirectory, 'postgres')

/** The server at DATABASE_URL, or the embedded one, which then runs until it is released. Throws where another Kobo has it. */
export async function takeDatabase(config: Config): Promise<DatabaseLease> {
  const urls = givenUrls(config)
  if (urls !== undefined) return { urls, release: async () => {} }
  const server = await startEmbeddedPostgres({ directory: postgresDirectory(config) })
  const letGo = await takeSessionLock(server.url, OWNER_LOCK)
  if (letGo === undefined) throw new AlreadyRunning(alreadyRunning(config))
  await makeRoles(server.url)
  return {
    urls: databaseUrls(server.url),
    release: async () => {
      rmSync(join(config.dataDirectory, RUNNING_FILE), { force: true })
      await letGo()
      await server.stop()
    },
  }
}

/** The database for a command that runs beside the gateway: the one it runs on, else one of its own for the while. */
export async function borrowDatabase(config: Config): Promise<DatabaseLease> {
  if (config.databaseUrl !== undefined) return takeDatabase(config)
  const running = await findEmbeddedPostgres(postgresDirectory(config))
  if (running === undefined) return takeDatabase(config)
  await makeRoles(running) // the gateway that runs may be one from before there were any
  return { urls: databaseUrls(running), release: async () => {} }
}

/** The ways to the server at DATABASE_URL: as one role, or as several. */
function givenUrls({ databaseUrl, vaultDatabaseUrl, migrationDatabaseUrl }: Config): DatabaseUrls | undefined {
  if (databaseUrl === undefined) return undefined
  return { program: databaseUrl, vault: vaultDatabaseUrl ?? databaseUrl, owner: migrationDatabaseUrl }
}

interface Running {
  readonly pid: number
  readonly url: string
}

/** Leaves word for other commands where the gateway is. */
export function tellRunning({ dataDirectory, databaseUrl }: Config, url: string): void {
  if (databaseUrl !== undefined) return
  const running: Running = { pid: process.pid, url }
  writeFileSync(join(dataDirectory, RUNNING_FILE), JSON.stringify(running))
}

/** Where the gateway of this data folder is, or was last. */
export function readRunning({ dataDirectory }: Config): Running | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDirectory, RUNNING_FILE), 'utf8')) as Running
  } catch {
    return undefined
  }
}

function alreadyRunning(config: Config): string {
  const running = readRunning(config)
  const where = running === undefined ? '' : ` It answers at ${running.url} (process ${running.pid}).`
  return `Kobo is already running on ${config.dataDirectory}.${where}\nStop it first, or give this one a folder of its own with KOBO_DATA_DIR.`
}

/** The master key: the one that is set, here or in a file, or in sandbox one that is made once and kept beside the data. */
export function readMasterKey({ masterKey, masterKeyFile, dataDirectory }: Config): Buffer {
  const given = masterKey ?? masterKeyFile
  if (given !== undefined) return given
  const path = join(dataDirectory, 'master.key')
  mkdirSync(dataDirectory, { recursive: true })
  try {
    writeFileSync(path, randomBytes(KEY_LENGTH).toString('base64'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return Buffer.from(readFileSync(path, 'utf8'), 'base64')
}
