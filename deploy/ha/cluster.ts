import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
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

/** What must be installed, each with Debian's package of it. */
const PROGRAMS = { etcd: 'etcd-server', patroni: 'patroni', haproxy: 'haproxy' }

/** What is not here and would be needed; undefined where all is. */
export function whatIsMissing(): string | undefined {
  const missing = Object.entries(PROGRAMS).filter(([program]) => !isHere(program))
  if (binariesFolder() === undefined) missing.push(['postgres', 'postgresql-15'])
  return missing.length === 0
    ? undefined
    : `Not installed: ${missing.map(([program, name]) => `${program} (Debian: ${name})`).join(', ')}.`
}

function isHere(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Debian's newest PostgreSQL. */
function binariesFolder(): string | undefined {
  const folder = '/usr/lib/postgresql'
  const versions = existsSync(folder) ? readdirSync(folder).sort((one, other) => Number(other) - Number(one)) : []
  return versions.map((version) => join(folder, version, 'bin')).find((bin) => existsSync(join(bin, 'postgres')))
}

/** PostgreSQL does not run as root: then as the account that Debian makes for it. */
function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (kind: string): number => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** One PostgreSQL with the Patroni that watches over it. */
export interface Server {
  readonly name: string
  readonly port: number
  /** Its Patroni, its postmaster and all processes of that, as they are now. */
  readonly processes: () => readonly number[]
  readonly start: () => void
}

/** A gateway that is started again when it ends, as a process manager does. */
export interface Node {
  readonly url: string
  readonly pid: () => number
}

export interface Cluster {
  readonly servers: readonly Server[]
  readonly nodes: readonly Node[]
  /** The primary's address through the proxy. */
  readonly primaryUrl: string
  readonly masterKey: string
  /** Who is what, as Patroni says. */
  readonly roles: () => Promise<readonly Member[]>
  readonly switchOver: (leader: string) => Promise<void>
  /** Resolves when all servers run, one of them as the synchronous standby. */
  readonly whole: () => Promise<void>
  readonly stop: () => void
}

export interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

/** Starts everything on loopback: etcd, three PostgreSQL with Patroni, HAProxy, two gateways. */
export async function startCluster(firstPort: number): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'kobo-ha-'))
  chmodSync(folder, 0o755)
  const owner = account()
  const password = randomBytes(16).toString('hex')
  const masterKey = randomBytes(32).toString('base64')
  const ports = { etcdPort: firstPort, etcdPeerPort: firstPort + 1, proxyPort: firstPort + 2 }
  const started = new Set<ChildProcess>()
  let isStopping = false

  const run = (program: string, args: readonly string[], env: object = {}, as: object = {}): ChildProcess => {
    const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'ignore', ...as })
    started.add(child)
    child.on('error', () => {})
    child.once('exit', () => started.delete(child))
    return child
  }
  const fill = (template: string, values: Record<string, unknown>): string =>
    readFileSync(join(HERE, template), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => String(values[name] ?? ''))

  const servers: Server[] = []
  /** All at once and at the latest when this program ends, however it ends. */
  const stop = (): void => {
    isStopping = true
    const pids = [...servers.flatMap(({ processes }) => processes()), ...[...started].map(({ pid }) => pid ?? 0)]
    for (const signal of ['SIGKILL', 'SIGCONT'] as const) signalAll(pids, signal)
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)

  startEtcd(run, folder, ports)
  for (const [index, name] of NAMES.entries()) {
    const [port, restPort] = [firstPort + 10 + index, firstPort + 20 + index]
    const home = join(folder, name)
    mkdirSync(home)
    if (owner.uid !== undefined && owner.gid !== undefined) chownSync(home, owner.uid, owner.gid)
    const config = join(home, 'patroni.yml')
    writeFileSync(
      config,
      fill('patroni.yml', { ...ports, name, port, restPort, folder, password, binaries: binariesFolder() }),
    )
    let patroni: ChildProcess | undefined
    servers.push({
      name,
      port,
      processes: () => [patroni?.pid ?? 0, ...postgresIn(join(home, 'data'))].filter((pid) => pid > 0),
      start: () => {
        patroni = run('patroni', [config], {}, owner)
      },
    })
  }
  const restPortOf = (name: string): number => firstPort + 20 + NAMES.indexOf(name as (typeof NAMES)[number])
  for (const { start } of servers) start()
  const lines = servers.map(({ name, port }) => `  server ${name} 127.0.0.1:${port} check port ${restPortOf(name)}`)
  writeFileSync(join(folder, 'haproxy.cfg'), fill('haproxy.cfg', { ...ports, servers: lines.join('\n') }))
  run('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])

  const credentials = `postgres://postgres:${password}@`
  const primaryUrl = `${credentials}127.0.0.1:${ports.proxyPort}/kobo`
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const roles = () => readRoles(NAMES.map(restPortOf))
  const whole = () => until('the cluster is whole', async () => isWhole(await roles()))

  await whole()
  await until('there is a database', () => makeDatabase(`${credentials}127.0.0.1:${ports.proxyPort}/postgres`))
  // Two ways to the primary, so that both are tried: through the proxy, and by all servers' addresses.
  const addresses = [primaryUrl, `${credentials}${hosts}/kobo?target_session_attrs=read-write`]
  const nodes: Node[] = []
  for (const [index, DATABASE_URL] of addresses.entries()) {
    const port = firstPort + 30 + index
    const env = { DATABASE_URL, PORT: String(port), KOBO_MASTER_KEY: masterKey, LOG_LEVEL: 'error' }
    const url = `http://127.0.0.1:${port}`
    let child: ChildProcess | undefined
    const start = (): void => {
      child = run(process.execPath, ['gateway/src/main.ts'], env)
      child.once('exit', () => void setTimeout(() => isStopping || start(), RESTART_MILLISECONDS))
    }
    start()
    nodes.push({ url, pid: () => child?.pid ?? 0 })
    await until(`${url} is ready`, async () => (await fetch(`${url}/health/ready`)).status === 200)
  }

  return {
    servers,
    nodes,
    primaryUrl,
    masterKey,
    roles,
    whole,
    switchOver: async (leader) => {
      const body = JSON.stringify({ leader })
      await fetch(`http://127.0.0.1:${restPortOf(leader)}/switchover`, { method: 'POST', body })
    },
    stop,
  }
}

type Ports = { readonly etcdPort: number; readonly etcdPeerPort: number }

function startEtcd(
  run: (program: string, args: readonly string[], env?: object) => unknown,
  folder: string,
  { etcdPort, etcdPeerPort }: Ports,
): void {
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
  run('etcd', options, { ETCD_UNSUPPORTED_ARCH: process.arch }) // it wants to be told so on 64-bit ARM
}

/** A signal to each process that is still there. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // it has ended
    }
}

/** The postmaster of a data folder and its processes. */
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

async function readRoles(ports: readonly number[]): Promise<readonly Member[]> {
  for (const port of ports)
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/cluster`, { signal: AbortSignal.timeout(1_000) })
      const { members } = (await answer.json()) as { members: Member[] }
      return members
    } catch {
      // another will know
    }
  return []
}

const isWhole = (members: readonly Member[]): boolean =>
  members.length === NAMES.length &&
  members.every(({ state }) => state === 'running' || state === 'streaming') &&
  ['leader', 'sync_standby'].every((wanted) => members.some(({ role }) => role === wanted))

async function makeDatabase(url: string): Promise<boolean> {
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

/** Asks again and again until it is so; a question that fails is a no. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_SECONDS_MAX * 1_000
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`Not within ${READY_SECONDS_MAX} s: ${what}`)
    await pause(POLL_MILLISECONDS)
  }
}
