import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '@kobo/gateway/platform/postgres/embedded/index.ts'
import pg from 'pg'
import { postgresIn, signalAll, until } from '../../deploy/ha/processes.ts'
import type { Credentials } from './api.ts'
import { type Bank, startBank } from './bank.ts'
import { type Network, openNetwork } from './network.ts'
import { keepRunning, ROOT, type RunningProgram } from './process.ts'

const run = promisify(execFile)
const GATEWAYS = 2

/** The library of Debian's faketime package, which gives a process another clock. */
const [FAKETIME] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
/** Makes faketime read the file with the clock each time, and not change timers. */
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
  /** The bank behind a connector. If there is none, the gateways simulate a bank in their database. */
  readonly bank?: Bank
  /** Events that the report must mention. */
  readonly notes?: readonly string[]
  /** Resolves when everything has recovered. */
  readonly untilReady: () => Promise<void>
  /** Runs a `kobo` command; returns its output. */
  readonly kobo: (...args: readonly string[]) => Promise<string>
  readonly stop: () => Promise<void>
}

/** A gateway whose connection to the database can be broken, and whose clock can be set if faketime is installed. */
export interface Gateway extends Process {
  readonly network: Network
  /** Sets how far its clock is ahead, in seconds. */
  readonly setClock: (secondsAhead: number) => void
  /** Restarts it with other options. Ends it with SIGTERM, or with the given signal. */
  readonly restart: (how: Parameters<RunningProgram['change']>[0], signal?: NodeJS.Signals) => Promise<void>
}

interface GatewayOptions {
  readonly database: Database
  readonly bank: Bank
  readonly ports: readonly number[]
  readonly masterKey: string
}

export interface Database {
  /** The database's current URL. It bypasses the simulated networks. */
  readonly url: () => string
  /** The process ids of the postmaster and its children. */
  readonly processes: () => readonly number[]
  /** The folders of its data and of its archived WAL. */
  readonly data: string
  readonly archive: string
  /** Starts it again after it was killed, optionally with more settings. */
  readonly start: (settings?: Readonly<Record<string, string>>) => Promise<void>
  /** Makes archiving fail as if the disk were full, or work again. */
  readonly setArchiveFull: (isFull: boolean) => void
}

/** A durable PostgreSQL, two gateways and a bank behind its connector, on loopback. */
export interface ServerSystem extends System {
  readonly gateways: readonly Gateway[]
  readonly bank: Bank
  readonly database: Database
}

export interface ServerOptions {
  /** Whether the WAL is really archived. Otherwise the archive command does nothing. */
  readonly keepsArchive?: boolean
}

export async function startServerSystem({ keepsArchive = false }: ServerOptions = {}): Promise<ServerSystem> {
  const folder = mkdtempSync(join(tmpdir(), 'kobo-certify-'))
  chmodSync(folder, 0o755) // PostgreSQL may run as another account
  const masterKey = randomBytes(32).toString('base64')
  const database = await startDatabase(folder, keepsArchive)
  const [bankPort = 0, ...ports] = await freePorts(GATEWAYS + 1)
  const bank = startBank(folder, bankPort)
  const gateways = await startGateways(folder, { database, bank, ports, masterKey })
  const kobo: System['kobo'] = (...args) =>
    runKobo({ DATABASE_URL: database.url(), KOBO_MASTER_KEY: masterKey }, ...args)
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  const abandon = (): void => {
    gateways.stop()
    bank.stop()
    signalAll(database.processes(), 'SIGKILL')
    remove()
  }
  process.once('exit', abandon)
  const stop = async (): Promise<void> => {
    process.off('exit', abandon)
    gateways.stop()
    bank.stop()
    await database.stop()
    remove()
  }
  try {
    await untilReady([bank, ...gateways.all])
    return {
      gateways: gateways.all,
      bank,
      database,
      databaseUrl: database.url,
      credentials: JSON.parse(await kobo('credentials')) as Credentials,
      untilReady: () => untilReady([bank, ...gateways.all]),
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

/** Runs a command without blocking this process, which also forwards the gateways' connections. */
export const runKobo = async (env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<string> =>
  (await run(process.execPath, ['cli/src/main.ts', ...args], { cwd: ROOT, env: { ...process.env, ...env } })).stdout

async function startDatabase(
  folder: string,
  keepsArchive: boolean,
): Promise<Database & { readonly stop: () => Promise<void> }> {
  const directory = join(folder, 'postgres')
  const archive = join(folder, 'archive')
  const full = join(archive, 'full')
  mkdirSync(archive)
  chmodSync(archive, 0o777) // PostgreSQL may run as another account
  const settings = {
    archive_mode: 'on',
    archive_command: `test ! -e ${full}${keepsArchive ? ` && cp %p ${archive}/%f` : ''}`,
  }
  const start = (more = {}): ReturnType<typeof startEmbeddedPostgres> =>
    startEmbeddedPostgres({ directory, settings: { ...settings, ...more } })
  let server = await start()
  const data = await readDataDirectory(server.url)
  return {
    url: () => server.url,
    data,
    archive,
    processes: () => postgresIn(data),
    start: async (more) => {
      server = await start(more)
    },
    setArchiveFull: (isFull) => (isFull ? writeFileSync(full, '') : rmSync(full, { force: true })),
    stop: () => server.stop(),
  }
}

async function readDataDirectory(url: string): Promise<string> {
  const [row] = await queryRows(url, 'show data_directory')
  return String(row?.['data_directory'])
}

/** Runs a query on its own connection. */
export async function queryRows(url: string, query: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(query)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

async function startGateways(
  folder: string,
  { database, bank, ports, masterKey }: GatewayOptions,
): Promise<{ readonly all: readonly Gateway[]; readonly stop: () => void }> {
  const stops: (() => void)[] = []
  const all: Gateway[] = []
  for (const port of ports) {
    const network = await openNetwork(() => Number(new URL(database.url()).port))
    const url = new URL(database.url())
    url.port = String(network.port)
    const data = join(folder, `gateway-${port}`)
    mkdirSync(data)
    const env = {
      ...process.env,
      ...bank.settings,
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
    const { pid, change, stop } = keepRunning('gateway/src/main.ts', env)
    stops.push(stop, network.stop)
    const restart: Gateway['restart'] = async (how, signal = 'SIGTERM') => {
      const before = pid()
      change(how)
      signalAll([before], signal)
      await until('it has started again', () => pid() !== before)
      await untilReady([{ url: `http://127.0.0.1:${port}`, pid }])
    }
    all.push({ url: `http://127.0.0.1:${port}`, pid, network, setClock, restart })
  }
  return {
    all,
    stop: () => {
      for (const stop of stops) stop()
    },
  }
}

/** Returns different ports that are free now. */
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
