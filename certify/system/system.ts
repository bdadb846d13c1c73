import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@kobo/gateway/platform/postgres/embedded/index.ts'
import pg from 'pg'
import type { Credentials } from './api.ts'
import { type Network, openNetwork } from './network.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const GATEWAYS = 2
const RESTART_MILLISECONDS = 1_000
const POLL_MILLISECONDS = 100
const READY_SECONDS_MAX = 300

/** The library of Debian's faketime package, which gives a process another clock. */
const [FAKETIME] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
/** Reads the file with the clock each time, and leaves timers alone. */
const LIVE_CLOCK = { FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' }

/** A gateway in its own process, started again when it exits, as a process manager does. */
export interface Process {
  readonly url: string
  readonly pid: () => number
}

/** The system under test. */
export interface System {
  readonly gateways: readonly Process[]
  readonly databaseUrl: () => string
  readonly credentials: Credentials
  /** Resolves when everything has recovered. */
  readonly untilReady: () => Promise<void>
  /** Runs a `kobo` command; returns its output. */
  readonly kobo: (...args: readonly string[]) => string
  readonly stop: () => Promise<void>
}

/** A gateway whose connection to the database can be broken, and whose clock can be set if faketime is installed. */
export interface Gateway extends Process {
  readonly network: Network
  /** Sets how far its clock is ahead, in seconds. */
  readonly setClock: (secondsAhead: number) => void
}

export interface Database {
  /** The database's present URL, which bypasses the simulated networks. */
  readonly url: () => string
  /** The process ids of the postmaster and its children. */
  readonly processes: () => readonly number[]
  /** Starts it again after it has died. */
  readonly start: () => Promise<void>
}

/** A durable PostgreSQL and two gateways on loopback. */
export interface ServerSystem extends System {
  readonly gateways: readonly Gateway[]
  readonly database: Database
}

export async function startServerSystem(): Promise<ServerSystem> {
  const folder = mkdtempSync(join(tmpdir(), 'kobo-certify-'))
  chmodSync(folder, 0o755) // PostgreSQL may run as another account
  const masterKey = randomBytes(32).toString('base64')
  const database = await startDatabase(join(folder, 'postgres'))
  const gateways = await startGateways(folder, database, masterKey)
  const kobo: System['kobo'] = (...args) =>
    runKobo({ DATABASE_URL: database.url(), KOBO_MASTER_KEY: masterKey }, ...args)
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  const abandon = (): void => {
    gateways.stop()
    signalAll(database.processes(), 'SIGKILL')
    remove()
  }
  process.once('exit', abandon)
  const stop = async (): Promise<void> => {
    process.off('exit', abandon)
    gateways.stop()
    await database.stop()
    remove()
  }
  try {
    await untilReady(gateways.all)
    return {
      gateways: gateways.all,
      database,
      databaseUrl: database.url,
      credentials: JSON.parse(kobo('credentials')) as Credentials,
      untilReady: () => untilReady(gateways.all),
      kobo,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

export async function untilReady(gateways: readonly Process[], secondsMax?: number): Promise<void> {
  for (const { url } of gateways) {
    let last = 'no response'
    await until(
      () => `${url} is ready (${last})`,
      async () => {
        last = 'no response'
        const response = await fetch(`${url}/health/ready`)
        last = await response.text()
        return response.status === 200
      },
      secondsMax,
    )
  }
}

export const runKobo = (env: NodeJS.ProcessEnv, ...args: readonly string[]): string =>
  execFileSync(process.execPath, ['cli/src/main.ts', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })

async function startDatabase(directory: string): Promise<Database & { readonly stop: () => Promise<void> }> {
  let server = await startEmbeddedPostgres({ directory })
  const data = await readDataDirectory(server.url)
  return {
    url: () => server.url,
    processes: () => processesIn(data),
    start: async () => {
      server = await startEmbeddedPostgres({ directory })
    },
    stop: () => server.stop(),
  }
}

async function readDataDirectory(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  await client.end()
  return rows[0]?.data_directory ?? ''
}

/** The postmaster of a data folder and its child processes; none if it does not run. */
function processesIn(data: string): readonly number[] {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return []
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0])
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChild(name, postmaster))
  return [postmaster, ...children.map(Number)]
}

function isChild(pid: string, parent: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(parent)
  } catch {
    return false // the process has just ended
  }
}

async function startGateways(
  folder: string,
  database: Database,
  masterKey: string,
): Promise<{ readonly all: readonly Gateway[]; readonly stop: () => void }> {
  const ports = await freePorts(GATEWAYS)
  const children = new Map<number, ChildProcess>()
  const all: Gateway[] = []
  let isStopping = false
  for (const port of ports) {
    const network = await openNetwork(() => Number(new URL(database.url()).port))
    const url = new URL(database.url())
    url.port = String(network.port)
    const data = join(folder, `gateway-${port}`)
    mkdirSync(data)
    const env = {
      ...process.env,
      DATABASE_URL: url.href,
      PORT: String(port),
      KOBO_MASTER_KEY: masterKey,
      KOBO_DATA_DIR: data,
      KOBO_PEERS: ports
        .filter((one) => one !== port)
        .map((one) => `http://127.0.0.1:${one}`)
        .join(),
      KOBO_RATE_LIMIT: '0',
      LOG_LEVEL: 'error',
    }
    const clock = join(data, 'clock')
    const setClock = (secondsAhead: number): void =>
      writeFileSync(clock, `${secondsAhead < 0 ? '' : '+'}${secondsAhead}`)
    setClock(0)
    if (FAKETIME !== undefined)
      Object.assign(env, { LD_PRELOAD: FAKETIME, FAKETIME_TIMESTAMP_FILE: clock, ...LIVE_CLOCK })
    const start = (): void => {
      const child = spawn(process.execPath, ['gateway/src/main.ts'], { cwd: ROOT, env, stdio: 'ignore' })
      children.set(port, child)
      child.once('exit', () => void setTimeout(() => isStopping || start(), RESTART_MILLISECONDS))
    }
    start()
    all.push({ url: `http://127.0.0.1:${port}`, pid: () => children.get(port)?.pid ?? 0, network, setClock })
  }
  return {
    all,
    stop: () => {
      isStopping = true
      for (const child of children.values()) child.kill('SIGKILL')
      for (const { network } of all) network.stop()
    },
  }
}

/** Ports that are free now, all different. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) =>
          server.once('listening', () => resolve((server.address() as { port: number }).port)),
        ),
    ),
  )
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** Signals each process that still runs. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // The process has already ended.
    }
}

/** Polls until the condition holds; an error counts as false. */
export async function until(
  what: string | (() => string),
  condition: () => Promise<boolean> | boolean,
  secondsMax = READY_SECONDS_MAX,
): Promise<void> {
  const deadline = performance.now() + secondsMax * 1_000
  const holds = async (): Promise<boolean> => condition()
  while (!(await holds().catch(() => false))) {
    if (performance.now() > deadline)
      throw new Error(`Not within ${secondsMax} s: ${typeof what === 'string' ? what : what()}`)
    await pause(POLL_MILLISECONDS)
  }
}
