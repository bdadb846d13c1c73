import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Binaries, findBinaries } from './binaries.ts'
import { type Cluster, ENVIRONMENT, failure, findCluster, prepareCluster, SUPERUSER } from './cluster.ts'
import { type Account, codeOf, findHome, type Home, prepareHome } from './home.ts'
import { holds, LOCK_FILE, type Lock, readLock, runs } from './lock.ts'

export { ENVIRONMENT }

const START_SECONDS_MAX = 60
/** How to stop the server: a fast shutdown first, then an immediate one, after which the next start recovers. */
const STOP_STEPS = [
  { signal: 'SIGINT', seconds: 30 },
  { signal: 'SIGQUIT', seconds: 10 },
] as const
const CONNECT_SECONDS_MAX = 5
const POLL_MILLISECONDS = 25
const RELAUNCH_MILLISECONDS = 200
const LOG_BYTES_MAX = 10_000_000

const DATABASE = 'kobo'
const LOG = 'postgres.log'
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // No socket: its path may have only about 100 characters, fewer than many folder names.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Queries and row values do not belong in a log file.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
} as const
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } as const
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } as const

const NO_DATABASE = '3D000'
/** Temporary errors, after which the query is retried. */
const TEMPORARY = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE'],
  ...['57P01', '57P02', '57P03'], // is shutting down, has crashed, is starting up
  '53300', // has too many connections
  ...[NO_DATABASE, '42P04', '23505', '55006'], // another start is creating the database
])
/** The driver's messages, without a code, for a broken connection. */
const BROKEN = /timeout expired|connection terminated/i
/** PostgreSQL's messages if its port or folder is in use. */
const IN_USE = /could not create any TCP\/IP sockets|lock file ".*" already exists|shared memory block/
const LOCK_BROKEN = /lock file ".*" is empty|bogus data in lock file/

/** Our own PostgreSQL server. */
export interface EmbeddedPostgres {
  /** The URL of the superuser and the database `kobo`. */
  readonly url: string
  /** Ends all connections and waits until the server has stopped. */
  readonly stop: () => Promise<void>
}

/** How the server is started. These options do not affect a server that already runs. */
export interface EmbeddedPostgresOptions {
  readonly directory: string
  /** Whether a commit survives a power cut. False for tests. */
  readonly durable?: boolean
  readonly settings?: Readonly<Record<string, string>>
  /** Further environment variables of the server. */
  readonly environment?: Readonly<Record<string, string>>
}

/** One attempt to start the server. */
interface Launch {
  readonly ended: () => boolean
  readonly output: () => Promise<string>
  readonly abandon: () => void
}

/** Starts the server on the directory, which is created if missing, or takes over the running one. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { directory, durable = true, settings = {}, environment = {} } = options
  const home = await prepareHome(directory)
  const binaries = await findBinaries(home.account)
  const cluster = await prepareCluster(home, binaries, durable)
  const all = { ...SETTINGS, ...(durable ? DURABLE : NOT_DURABLE), ...settings }

  let launched: Launch | undefined
  try {
    const deadline = performance.now() + START_SECONDS_MAX * 1_000
    for (; performance.now() < deadline; await pause(POLL_MILLISECONDS)) {
      const lock = await readLock(cluster.folder)
      if (lock !== undefined && (await holds(lock, cluster.folder, cluster.mark))) {
        if (lock.ready && (await responds(cluster, lock.port))) return running(cluster, lock)
      } else if (launched === undefined) {
        launched = await launch(home, binaries, cluster, { settings: all, environment, lock })
      } else if (launched.ended()) {
        await makeWayForAnother(cluster, await launched.output())
        launched = undefined
      }
    }
  } catch (error) {
    launched?.abandon()
    throw error
  }
  // The server keeps running: after a crash it may have much to recover, and the next start takes it over.
  const output = (await launched?.output()) ?? ''
  throw failure(`PostgreSQL was not ready within ${START_SECONDS_MAX} s; start again to keep waiting`, output)
}

/** The URL of the server running on the directory, or undefined. */
export async function findEmbeddedPostgres(directory: string): Promise<string | undefined> {
  const cluster = await findCluster(await findHome(directory))
  if (cluster === undefined) return undefined
  const lock = await readLock(cluster.folder)
  if (lock === undefined || !(await holds(lock, cluster.folder, cluster.mark))) return undefined
  return lock.ready && (await responds(cluster, lock.port)) ? urlOf(cluster, lock.port) : undefined
}

const urlOf = ({ password }: Cluster, port: number, database = DATABASE): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`

interface LaunchOptions extends Required<Pick<EmbeddedPostgresOptions, 'settings' | 'environment'>> {
  readonly lock: Lock | undefined
}

async function launch(
  { folder, account }: Home,
  binaries: Binaries,
  cluster: Cluster,
  { settings, environment, lock }: LaunchOptions,
): Promise<Launch> {
  const { log, size } = await openLog(folder, account)
  const all = Object.entries({ ...settings, port: String(await freePort()) }).map(([name, value]) => `${name}=${value}`)
  const options = ['-D', cluster.folder, ...[cluster.mark, ...all].flatMap((setting) => ['-c', setting])]
  const child = spawn(binaries.postgres, options, {
    ...account,
    cwd: folder,
    env: { ...ENVIRONMENT, ...environment, ...(await environmentToIgnore(lock, cluster)) },
    stdio: ['ignore', log.fd, log.fd],
    // Ctrl-C must not reach the server, because we stop it last.
    detached: true,
  })
  let failed: string | undefined
  let ended = false
  child.once('error', (error) => {
    failed = error.message
    ended = true
  })
  child.once('exit', () => {
    ended = true
  })
  child.unref()
  await log.close()
  return {
    ended: () => ended,
    output: async () => failed ?? (await readFile(join(folder, LOG))).subarray(size).toString(),
    abandon: () => void child.kill('SIGINT'),
  }
}

/**
 * If a process with the number in the lock file runs, PostgreSQL assumes that it is a PostgreSQL server and does not
 * start. If it is another program, this variable makes PostgreSQL ignore it.
 */
async function environmentToIgnore(
  lock: Lock | undefined,
  { folder }: Cluster,
): Promise<{ PG_GRANDPARENT_PID?: string }> {
  return lock === undefined || (await runs(lock.pid, folder)) ? {} : { PG_GRANDPARENT_PID: String(lock.pid) }
}

/** Opens the log for appending, and returns where the new part starts. A full log is rotated. */
async function openLog(folder: string, account: Account | undefined): Promise<{ log: FileHandle; size: number }> {
  const path = join(folder, LOG)
  const before = await stat(path).catch(() => undefined)
  if (before !== undefined && before.size > LOG_BYTES_MAX) await rename(path, `${path}.1`)
  // Root must not write through a symbolic link that the folder's owner created.
  const log = await open(
    path,
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
    0o600,
  )
  if (account !== undefined) await log.chown(account.uid, account.gid)
  return { log, size: (await log.stat()).size }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Waits a little if another process may be starting the server, and throws otherwise. */
async function makeWayForAnother({ folder }: Cluster, output: string): Promise<void> {
  if (!IN_USE.test(output) && !LOCK_BROKEN.test(output)) throw failure('PostgreSQL did not start', output)
  await pause(RELAUNCH_MILLISECONDS)
  // PostgreSQL fills the lock file right after creating it, so an empty one is left over from a power cut.
  if (LOCK_BROKEN.test(output) && (await readLock(folder)) === undefined)
    await rm(join(folder, LOCK_FILE), { force: true })
}

/** Whether the server responds. The first time, this creates the database. */
async function responds(cluster: Cluster, port: number): Promise<boolean> {
  const code = await runQuery(urlOf(cluster, port), 'select')
  if (code !== NO_DATABASE) return code === undefined
  await runQuery(urlOf(cluster, port, 'postgres'), `create database ${DATABASE}`)
  return false
}

/** Runs a query on its own connection. Returns the code of a temporary error. */
async function runQuery(url: string, statement: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_SECONDS_MAX * 1_000 })
  client.on('error', () => {}) // a broken connection also fails its queries
  try {
    await client.connect()
    await client.query(statement)
    return undefined
  } catch (error) {
    const code = codeOf(error) ?? (BROKEN.test((error as Error).message) ? 'ECONNRESET' : undefined)
    if (code !== undefined && TEMPORARY.has(code)) return code
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

function running(cluster: Cluster, { pid, port }: Lock): EmbeddedPostgres {
  let stopped: Promise<void> | undefined
  return {
    url: urlOf(cluster, port),
    stop: () => {
      stopped ??= stop(pid, cluster.mark)
      return stopped
    },
  }
}

async function stop(pid: number, mark: string): Promise<void> {
  for (const { signal, seconds } of STOP_STEPS) {
    const deadline = performance.now() + seconds * 1_000
    if (await runs(pid, mark)) send(pid, signal)
    for (; performance.now() < deadline; await pause(POLL_MILLISECONDS)) {
      if (!(await runs(pid, mark))) return
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // The process has just ended.
    if (codeOf(error) !== 'ESRCH') throw error
  }
}
