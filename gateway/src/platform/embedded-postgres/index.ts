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
/** Fast shutdown first; then the immediate one, after which the next start recovers. */
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
  // The path of a socket may have about 100 characters, less than many a folder's name.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Neither statements nor the values of rows belong into a log file.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
} as const
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } as const
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } as const

const NO_DATABASE = '3D000'
/** What a server answers, or does not, that may answer otherwise a little later. */
const PASSING = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE'],
  ...['57P01', '57P02', '57P03'], // is shutting down, has crashed, is starting up
  '53300', // has too many connections
  ...[NO_DATABASE, '42P04', '23505', '55006'], // another start makes the database at this moment
])
/** What the driver says, without a code, of a connection that broke or never came about. */
const BROKEN = /timeout expired|connection terminated/i
/** What PostgreSQL says when its port, or its folder, is taken by somebody who may be about to leave. */
const TAKEN = /could not create any TCP\/IP sockets|lock file ".*" already exists|shared memory block/
const LOCK_BROKEN = /lock file ".*" is empty|bogus data in lock file/

/** A PostgreSQL server of our own. */
export interface EmbeddedPostgres {
  /** Connects as superuser to the database `kobo`. */
  readonly url: string
  /** Ends all connections and waits until the server has gone. */
  readonly stop: () => Promise<void>
}

/** How the server is started. A server that already runs is taken as it is. */
export interface EmbeddedPostgresOptions {
  readonly directory: string
  /** Whether a commit outlives a power cut. False is for tests. */
  readonly durable?: boolean
  readonly settings?: Readonly<Record<string, string>>
}

/** One try to start the server. */
interface Launch {
  readonly ended: () => boolean
  readonly output: () => Promise<string>
  readonly abandon: () => void
}

/** Starts the server on the directory, which is made when missing, or takes over the one that runs there. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { directory, durable = true, settings = {} } = options
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
        if (lock.ready && (await answers(cluster, lock.port))) return running(cluster, lock)
      } else if (launched === undefined) {
        launched = await launch(home, binaries, cluster, all, lock)
      } else if (launched.ended()) {
        await makeWayForAnother(cluster, await launched.output())
        launched = undefined
      }
    }
  } catch (error) {
    launched?.abandon()
    throw error
  }
  // It is left to go on: after a crash it may have much to recover, and the next start takes it over.
  const output = (await launched?.output()) ?? ''
  throw failure(`PostgreSQL has not become ready in ${START_SECONDS_MAX} s; start again to go on waiting`, output)
}

/** The url of the server that runs on the directory, or undefined. */
export async function findEmbeddedPostgres(directory: string): Promise<string | undefined> {
  const cluster = await findCluster(await findHome(directory))
  if (cluster === undefined) return undefined
  const lock = await readLock(cluster.folder)
  if (lock === undefined || !(await holds(lock, cluster.folder, cluster.mark))) return undefined
  return lock.ready && (await answers(cluster, lock.port)) ? urlOf(cluster, lock.port) : undefined
}

const urlOf = ({ password }: Cluster, port: number, database = DATABASE): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`

async function launch(
  { folder, account }: Home,
  binaries: Binaries,
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
  lock: Lock | undefined,
): Promise<Launch> {
  const { log, size } = await openLog(folder, account)
  const all = Object.entries({ ...settings, port: String(await freePort()) }).map(([name, value]) => `${name}=${value}`)
  const options = ['-D', cluster.folder, ...[cluster.mark, ...all].flatMap((setting) => ['-c', setting])]
  const child = spawn(binaries.postgres, options, {
    ...account,
    cwd: folder,
    env: { ...ENVIRONMENT, ...(await ignoring(lock, cluster)) },
    stdio: ['ignore', log.fd, log.fd],
    // Ctrl-C in the terminal is for us, who stop the server last.
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

/** PostgreSQL takes any live process whose number is in the lock for a server, but for the one it is told here. */
async function ignoring(lock: Lock | undefined, { folder }: Cluster): Promise<{ PG_GRANDPARENT_PID?: string }> {
  return lock === undefined || (await runs(lock.pid, folder)) ? {} : { PG_GRANDPARENT_PID: String(lock.pid) }
}

/** Opens the log for adding to it, and says where the new part begins. The last log stays when it was full. */
async function openLog(folder: string, account: Account | undefined): Promise<{ log: FileHandle; size: number }> {
  const path = join(folder, LOG)
  const before = await stat(path).catch(() => undefined)
  if (before !== undefined && before.size > LOG_BYTES_MAX) await rename(path, `${path}.1`)
  // Root must not write through a link that the owner of the folder has put there.
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

/** Waits a little where another launch may go well, and throws where it would not. */
async function makeWayForAnother({ folder }: Cluster, output: string): Promise<void> {
  if (!TAKEN.test(output) && !LOCK_BROKEN.test(output)) throw failure('PostgreSQL does not start', output)
  await pause(RELAUNCH_MILLISECONDS)
  // PostgreSQL writes it right after making it, so it is a power cut that left it like this.
  if (LOCK_BROKEN.test(output) && (await readLock(folder)) === undefined)
    await rm(join(folder, LOCK_FILE), { force: true })
}

/** Whether the server answers. The first time, this makes the database. */
async function answers(cluster: Cluster, port: number): Promise<boolean> {
  const code = await ask(urlOf(cluster, port), 'select')
  if (code !== NO_DATABASE) return code === undefined
  await ask(urlOf(cluster, port, 'postgres'), `create database ${DATABASE}`)
  return false
}

/** Asks on a connection of its own. Returns the code of an answer that may be another one soon. */
async function ask(url: string, statement: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_SECONDS_MAX * 1_000 })
  client.on('error', () => {}) // a broken connection also fails what is asked on it
  try {
    await client.connect()
    await client.query(statement)
    return undefined
  } catch (error) {
    const code = codeOf(error) ?? (BROKEN.test((error as Error).message) ? 'ECONNRESET' : undefined)
    if (code !== undefined && PASSING.has(code)) return code
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
    // It has just gone.
    if (codeOf(error) !== 'ESRCH') throw error
  }
}
