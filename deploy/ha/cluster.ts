import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NAMES = ['one', 'two', 'three'] as const
const RESTART_MILLISECONDS = 1_000
const READY_SECONDS_MAX = 180
const POLL_MILLISECONDS = 200

/** Required programs and their Debian packages. */
const PROGRAMS = { etcd: 'etcd-server', patroni: 'patroni', haproxy: 'haproxy' }

/** Says which required programs are not installed; undefined if all are. */
export function missingPrograms(): string | undefined {
  const missing = Object.entries(PROGRAMS).filter(([program]) => spawnSync('which', [program]).status !== 0)
  if (postgresBinaries() === undefined) missing.push(['postgres', 'postgresql'])
  return missing.length === 0
    ? undefined
    : `Not installed: ${missing.map(([program, name]) => `${program} (Debian: ${name})`).join(', ')}.`
}

/** The programs of the newest PostgreSQL that Debian installed. */
function postgresBinaries(): string | undefined {
  const folder = '/usr/lib/postgresql'
  const versions = existsSync(folder) ? readdirSync(folder).sort((one, other) => Number(other) - Number(one)) : []
  return versions.map((version) => join(folder, version, 'bin')).find((bin) => existsSync(join(bin, 'postgres')))
}

/** PostgreSQL does not run as root, so root uses Debian's postgres account. */
function postgresAccount(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (kind: string): number => Number(spawnSync('id', [kind, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** A PostgreSQL server and its Patroni. */
export interface Server {
  readonly name: string
  readonly port: number
  /** Patroni's HTTP port. */
  readonly restPort: number
  /** The process id of Patroni. */
  readonly agent: () => number
  /** The process ids of Patroni, the postmaster and its children. */
  readonly processes: () => readonly number[]
  readonly start: () => void
}

/** A gateway that is restarted when it exits, as a process manager does. */
export interface Node {
  readonly url: string
  readonly pid: () => number
}

export interface Cluster {
  readonly servers: readonly Server[]
  readonly nodes: readonly Node[]
  readonly etcd: { readonly pid: () => number; readonly start: () => void }
  /** The primary's URL through HAProxy. */
  readonly primaryUrl: string
  readonly masterKey: string
  /** The role of each server, from Patroni. */
  readonly roles: () => Promise<readonly Member[]>
  readonly switchOver: (leader: string) => Promise<void>
  /** Resolves when all servers run and one is the synchronous standby. */
  readonly untilHealthy: () => Promise<void>
  readonly stop: () => void
}

export interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

/** The folder, ports, passwords and child processes of a cluster that is being started. */
interface Setup {
  readonly folder: string
  readonly ports: {
    readonly first: number
    readonly etcdPort: number
    readonly etcdPeerPort: number
    readonly proxyPort: number
  }
  readonly password: string
  readonly masterKey: string
  readonly run: (program: string, args: readonly string[], env?: object, as?: object) => ChildProcess
  readonly isStopping: () => boolean
  readonly stop: (servers: readonly Server[]) => void
}

function setUp(firstPort: number): Setup {
  const folder = mkdtempSync(join(tmpdir(), 'kobo-ha-'))
  chmodSync(folder, 0o755)
  const started = new Set<ChildProcess>()
  let isStopping = false
  return {
    folder,
    ports: { first: firstPort, etcdPort: firstPort, etcdPeerPort: firstPort + 1, proxyPort: firstPort + 2 },
    password: randomBytes(16).toString('hex'),
    masterKey: randomBytes(32).toString('base64'),
    run: (program, args, env = {}, as = {}) => {
      const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'ignore', ...as })
      started.add(child)
      child.on('error', () => {})
      child.once('exit', () => started.delete(child))
      return child
    },
    isStopping: () => isStopping,
    stop: (servers) => {
      isStopping = true
      const pids = [...servers.flatMap(({ processes }) => processes()), ...[...started].map(({ pid }) => pid ?? 0)]
      for (const signal of ['SIGKILL', 'SIGCONT'] as const) signalAll(pids, signal)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Starts etcd, three PostgreSQL servers with Patroni, HAProxy and two gateways on loopback. */
export async function startCluster(firstPort: number): Promise<Cluster> {
  const setup = setUp(firstPort)
  const servers = NAMES.map((name, index) => defineServer(setup, name, index))
  const stop = (): void => setup.stop(servers)
  process.once('exit', stop)
  const etcd = defineEtcd(setup)
  etcd.start()
  for (const { start } of servers) start()
  startHaproxy(setup, servers)
  const roles = () => readRoles(servers)
  const untilHealthy = () => until('the cluster is healthy', async () => isHealthy(await roles()))
  await untilHealthy()
  const databaseUrl = (name: string): string =>
    `postgres://postgres:${setup.password}@127.0.0.1:${setup.ports.proxyPort}/${name}`
  await until('the database exists', () => createDatabase(databaseUrl('postgres')))
  const primaryUrl = databaseUrl('kobo')
  const nodes = await startGateways(setup, servers, primaryUrl)
  return {
    servers,
    nodes,
    etcd,
    primaryUrl,
    masterKey: setup.masterKey,
    roles,
    untilHealthy,
    switchOver: async (leader) => {
      const restPort = servers.find(({ name }) => name === leader)?.restPort
      const body = JSON.stringify({ leader })
      await fetch(`http://127.0.0.1:${restPort}/switchover`, { method: 'POST', body })
    },
    stop,
  }
}

const fillTemplate = (template: string, values: Readonly<Record<string, unknown>>): string =>
  readFileSync(join(HERE, template), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => String(values[name] ?? ''))

function defineServer({ folder, ports, password, run }: Setup, name: string, index: number): Server {
  const [port, restPort] = [ports.first + 10 + index, ports.first + 20 + index]
  const owner = postgresAccount()
  const home = join(folder, name)
  mkdirSync(home)
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(home, owner.uid, owner.gid)
  const config = join(home, 'patroni.yml')
  const values = { ...ports, name, port, restPort, folder, password, binaries: postgresBinaries() }
  writeFileSync(config, fillTemplate('patroni.yml', values))
  let patroni: ChildProcess | undefined
  return {
    name,
    port,
    restPort,
    agent: () => patroni?.pid ?? 0,
    processes: () => [patroni?.pid ?? 0, ...postgresIn(join(home, 'data'))].filter((pid) => pid > 0),
    start: () => {
      patroni = run('patroni', [config], {}, owner)
    },
  }
}

function startHaproxy({ folder, ports, run }: Setup, servers: readonly Server[]): void {
  const lines = servers.map(({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`)
  const config = join(folder, 'haproxy.cfg')
  writeFileSync(config, fillTemplate('haproxy.cfg', { ...ports, servers: lines.join('\n') }))
  run('haproxy', ['-db', '-f', config])
}

/** Starts two gateways that reach the primary in different ways: by HAProxy, and by the addresses of all servers. */
async function startGateways(
  { folder, ports, password, masterKey, run, isStopping }: Setup,
  servers: readonly Server[],
  primaryUrl: string,
): Promise<readonly Node[]> {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const urls = [primaryUrl, `postgres://postgres:${password}@${hosts}/kobo?target_session_attrs=read-write`]
  const nodes: Node[] = []
  for (const [index, DATABASE_URL] of urls.entries()) {
    const port = ports.first + 30 + index
    const env = {
      DATABASE_URL,
      PORT: String(port),
      KOBO_MASTER_KEY: masterKey,
      KOBO_DATA_DIR: join(folder, `gateway-${index}`),
      KOBO_PEERS: urls.map((_, other) => `http://127.0.0.1:${ports.first + 30 + other}`)[1 - index],
      KOBO_RATE_LIMIT: '0',
      LOG_LEVEL: 'error',
    }
    const url = `http://127.0.0.1:${port}`
    let child: ChildProcess | undefined
    const start = (): void => {
      child = run(process.execPath, ['gateway/src/main.ts'], env)
      child.once('exit', () => void setTimeout(() => isStopping() || start(), RESTART_MILLISECONDS))
    }
    start()
    nodes.push({ url, pid: () => child?.pid ?? 0 })
    await untilReady(url)
  }
  return nodes
}

/** Waits until a gateway is ready. */
const untilReady = (url: string): Promise<void> =>
  until(`${url} is ready`, async () => (await fetch(`${url}/health/ready`)).status === 200)

function defineEtcd({ folder, ports: { etcdPort, etcdPeerPort }, run }: Setup): Cluster['etcd'] {
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${etcdPeerPort}`]
  const args = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `one=${peer}`,
    name: 'one',
  }
  const options = Object.entries(args).map(([name, value]) => `--${name}=${value}`)
  let etcd: ChildProcess | undefined
  return {
    pid: () => etcd?.pid ?? 0,
    start: () => {
      etcd = run('etcd', options, { ETCD_UNSUPPORTED_ARCH: process.arch }) // required on 64-bit ARM
    },
  }
}

/** Signals each process that is still running. */
function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // already exited
    }
}

/** The postmaster of a data folder and its child processes. */
function postgresIn(data: string): readonly number[] {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return []
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0])
  const isChild = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(postmaster)
    } catch {
      return false
    }
  }
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChild(name))
  return [postmaster, ...children.map(Number)]
}

async function readRoles(servers: readonly Server[]): Promise<readonly Member[]> {
  for (const { restPort } of servers)
    try {
      const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(1_000) })
      const { members } = (await response.json()) as { members: Member[] }
      return members
    } catch {
      // ask the next one
    }
  return []
}

const isHealthy = (members: readonly Member[]): boolean =>
  members.length === NAMES.length &&
  members.every(({ state }) => state === 'running' || state === 'streaming') &&
  ['leader', 'sync_standby'].every((expected) => members.some(({ role }) => role === expected))

async function createDatabase(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query(`select from pg_database where datname = 'kobo'`)
    if (rowCount === 0) await client.query('create database kobo')
    return true
  } finally {
    await client.end()
  }
}

/** Polls until the condition holds; an error counts as false. */
async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_SECONDS_MAX * 1_000
  while (!(await condition().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`Not within ${READY_SECONDS_MAX} s: ${what}`)
    await pause(POLL_MILLISECONDS)
  }
}
