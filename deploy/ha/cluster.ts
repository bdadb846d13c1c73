import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
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
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { postgresIn, signalAll, until } from './processes.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NAMES = ['one', 'two', 'three'] as const
const RESTART_MILLISECONDS = 1_000

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
const AS_POSTGRES =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []

/** Settings of connections between the servers, which Patroni's configuration does not have. */
const SERVICE = { PGSERVICEFILE: join(HERE, 'pg-service.conf'), PGSERVICE: 'kobo' }

/** Where a database server and a member of etcd run. */
export interface Place {
  readonly host: string
  /** The words in front of a command that make it run in this place, such as `nsenter`. */
  readonly enter: readonly string[]
}

const LOOPBACK: Place = { host: '127.0.0.1', enter: [] }

/** A PostgreSQL server and its Patroni. */
export interface Server {
  readonly name: string
  readonly host: string
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
  readonly dataFolder: string
  readonly pid: () => number
}

/** A member of etcd. */
export interface EtcdMember {
  readonly pid: () => number
  readonly start: () => void
}

export interface Cluster {
  readonly servers: readonly Server[]
  readonly nodes: readonly Node[]
  readonly etcd: readonly EtcdMember[]
  /** The primary's URL through HAProxy. */
  readonly primaryUrl: string
  readonly masterKey: string
  /** The role of each server, from Patroni. */
  readonly roles: () => Promise<readonly Member[]>
  readonly switchOver: (leader: string) => Promise<void>
  /** Resolves when all servers run and one is the synchronous standby. */
  readonly untilHealthy: (secondsMax?: number) => Promise<void>
  /** Repairs by hand what Patroni leaves broken; returns what was done. */
  readonly repair: () => Promise<readonly string[]>
  readonly stop: () => void
}

export interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
}

/** The folder, ports, passwords and child processes of a cluster that is being started. */
interface Setup {
  readonly folder: string
  readonly places: readonly Place[]
  readonly ports: { readonly first: number; readonly proxyPort: number }
  readonly password: string
  readonly masterKey: string
  readonly run: (command: readonly string[], env?: object) => ChildProcess
  readonly isStopping: () => boolean
  readonly stop: (servers: readonly Server[]) => void
}

function setUp(firstPort: number, places: readonly Place[]): Setup {
  const folder = mkdtempSync(join(tmpdir(), 'kobo-ha-'))
  chmodSync(folder, 0o755)
  const started = new Set<ChildProcess>()
  let isStopping = false
  return {
    folder,
    places,
    ports: { first: firstPort, proxyPort: firstPort + 6 },
    password: randomBytes(16).toString('hex'),
    masterKey: randomBytes(32).toString('base64'),
    run: ([program = '', ...args], env = {}) => {
      const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'ignore' })
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

/** Starts three members of etcd, three PostgreSQL servers with Patroni, HAProxy and two gateways. */
export async function startCluster(
  firstPort: number,
  places: readonly Place[] = NAMES.map(() => LOOPBACK),
): Promise<Cluster> {
  const setup = setUp(firstPort, places)
  const servers = NAMES.map((name, index) => defineServer(setup, name, index))
  const stop = (): void => setup.stop(servers)
  process.once('exit', stop)
  const etcd = defineEtcd(setup)
  for (const { start } of [...etcd, ...servers]) start()
  startHaproxy(setup, servers)
  const roles = () => readRoles(servers)
  const untilHealthy: Cluster['untilHealthy'] = (secondsMax) =>
    until('the cluster is healthy', async () => isHealthy(await roles()), secondsMax)
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
    repair: async () => [...(await repairRecord(setup, await roles())), ...(await copyAgain(servers, await roles()))],
    switchOver: async (leader) => {
      const body = JSON.stringify({ leader })
      // The leader may have been killed at the same moment, and every Patroni takes this request.
      await Promise.any(
        servers.map(({ host, restPort }) => fetch(`http://${host}:${restPort}/switchover`, { method: 'POST', body })),
      )
    },
    stop,
  }
}

const fillTemplate = (template: string, values: Readonly<Record<string, unknown>>): string =>
  readFileSync(join(HERE, template), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => String(values[name] ?? ''))

function defineServer(setup: Setup, name: string, index: number): Server {
  const { folder, ports, password, run } = setup
  const { host, enter } = setup.places[index] ?? LOOPBACK
  const [port, restPort] = [ports.first + 10 + index, ports.first + 20 + index]
  const home = join(folder, name)
  mkdirSync(home)
  if (AS_POSTGRES.length > 0) execFileSync('chown', ['postgres:', home])
  const config = join(home, 'patroni.yml')
  const etcdHosts = etcdAddresses(setup, 0).join()
  const values = { host, name, port, restPort, folder, password, etcdHosts, binaries: postgresBinaries() }
  writeFileSync(config, fillTemplate('patroni.yml', values))
  let patroni: ChildProcess | undefined
  return {
    name,
    host,
    port,
    restPort,
    agent: () => patroni?.pid ?? 0,
    processes: () => [patroni?.pid ?? 0, ...postgresIn(join(home, 'data'))].filter((pid) => pid > 0),
    start: () => {
      patroni = run([...enter, ...AS_POSTGRES, 'patroni', config], SERVICE)
    },
  }
}

function startHaproxy({ folder, ports, run }: Setup, servers: readonly Server[]): void {
  const lines = servers.map(
    ({ name, host, port, restPort }) => `  server ${name} ${host}:${port} check port ${restPort}`,
  )
  const config = join(folder, 'haproxy.cfg')
  writeFileSync(config, fillTemplate('haproxy.cfg', { ...ports, servers: lines.join('\n') }))
  run(['haproxy', '-db', '-f', config])
}

/** Starts two gateways that reach the primary in different ways: by HAProxy, and by the addresses of all servers. */
async function startGateways(
  { folder, ports, password, masterKey, run, isStopping }: Setup,
  servers: readonly Server[],
  primaryUrl: string,
): Promise<readonly Node[]> {
  const hosts = servers.map(({ host, port }) => `${host}:${port}`).join()
  const urls = [primaryUrl, `postgres://postgres:${password}@${hosts}/kobo?target_session_attrs=read-write`]
  const nodes: Node[] = []
  for (const [index, DATABASE_URL] of urls.entries()) {
    const port = ports.first + 30 + index
    const dataFolder = join(folder, `gateway-${index}`)
    const env = {
      DATABASE_URL,
      PORT: String(port),
      KOBO_MASTER_KEY: masterKey,
      KOBO_DATA_DIR: dataFolder,
      KOBO_PEERS: urls.map((_, other) => `http://127.0.0.1:${ports.first + 30 + other}`)[1 - index],
      KOBO_RATE_LIMIT: '0',
      LOG_LEVEL: 'error',
    }
    const url = `http://127.0.0.1:${port}`
    let child: ChildProcess | undefined
    const start = (): void => {
      child = run([process.execPath, 'gateway/src/main.ts'], env)
      child.once('exit', () => void setTimeout(() => isStopping() || start(), RESTART_MILLISECONDS))
    }
    start()
    nodes.push({ url, dataFolder, pid: () => child?.pid ?? 0 })
    await untilReady(url)
  }
  return nodes
}

/** Waits until a gateway is ready. */
const untilReady = (url: string): Promise<void> =>
  until(`${url} is ready`, async () => (await fetch(`${url}/health/ready`)).status === 200)

/** The addresses of all members of etcd, for clients or for each other. */
const etcdAddresses = ({ places, ports }: Setup, firstPort: number): readonly string[] =>
  places.map(({ host }, index) => `${host}:${ports.first + firstPort + index}`)

function defineEtcd(setup: Setup): Cluster['etcd'] {
  const clients = etcdAddresses(setup, 0).map((address) => `http://${address}`)
  const peers = etcdAddresses(setup, NAMES.length).map((address) => `http://${address}`)
  return setup.places.map(({ enter }, index) => {
    const args = {
      'data-dir': join(setup.folder, `etcd-${index}`),
      'listen-client-urls': clients[index],
      'advertise-client-urls': clients[index],
      'listen-peer-urls': peers[index],
      'initial-advertise-peer-urls': peers[index],
      'initial-cluster': peers.map((peer, other) => `${NAMES[other]}=${peer}`).join(),
      name: NAMES[index],
      // Longer than the defaults, for machines and disks that are shared.
      'heartbeat-interval': 200,
      'election-timeout': 2_000,
    }
    const options = Object.entries(args).map(([name, value]) => `--${name}=${value}`)
    let etcd: ChildProcess | undefined
    return {
      pid: () => etcd?.pid ?? 0,
      start: () => {
        etcd = setup.run([...enter, 'etcd', ...options], { ETCD_UNSUPPORTED_ARCH: process.arch }) // required on 64-bit ARM
      },
    }
  })
}

async function readRoles(servers: readonly Server[]): Promise<readonly Member[]> {
  for (const { host, restPort } of servers)
    try {
      const response = await fetch(`http://${host}:${restPort}/cluster`, { signal: AbortSignal.timeout(1_000) })
      const { members } = (await response.json()) as { members: Member[] }
      return members
    } catch {
      // ask the next one
    }
  return []
}

const isRunning = ({ state }: Member): boolean => state === 'running' || state === 'streaming'

/** A former primary may have WAL that its successor lacks. If Patroni does not rewind it, it waits for ever. */
async function copyAgain(servers: readonly Server[], members: readonly Member[]): Promise<readonly string[]> {
  const timeline = members.find(({ role }) => role === 'leader')?.timeline
  const isStuck = (one: Member): boolean => !isRunning(one) || one.timeline !== timeline
  const stuck = servers.filter(({ name }) => members.some((one) => one.name === name && isStuck(one)))
  for (const { host, restPort } of stuck)
    await fetch(`http://${host}:${restPort}/reinitialize`, { method: 'POST', body: '{"force": true}' })
  return stuck.map(({ name }) => `An operator had server ${name} copied again, which Patroni had not repaired.`)
}

/**
 * After a failover, Patroni 3.0 may keep its record of the synchronous standby for ever, with a former primary in it.
 * Deletes a record that does not name the present primary, so that Patroni writes a new one.
 */
async function repairRecord(setup: Setup, members: readonly Member[]): Promise<readonly string[]> {
  const leader = members.find(({ role }) => role === 'leader')?.name
  if (leader === undefined || !members.every(isRunning)) return []
  const send = async (action: string): Promise<{ readonly kvs?: readonly { readonly value: string }[] }> => {
    const body = JSON.stringify({ key: btoa('/service/kobo/sync') })
    const response = await fetch(`http://${etcdAddresses(setup, 0)[0]}/v3/kv/${action}`, { method: 'POST', body })
    return (await response.json()) as Awaited<ReturnType<typeof send>>
  }
  const [found] = (await send('range')).kvs ?? []
  const record = JSON.parse(atob(found?.value ?? btoa('{}'))) as { leader?: string }
  if (record.leader === leader) return []
  await send('deleterange')
  return ['An operator deleted Patroni’s record of the synchronous standby, which named a former primary.']
}

const isHealthy = (members: readonly Member[]): boolean =>
  members.length === NAMES.length &&
  members.every(isRunning) &&
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
