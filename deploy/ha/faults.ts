import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Cluster, type Member, signalAll, untilReady } from './cluster.ts'
import { AMOUNT_NAIRA, type Load, startLoad, startProbe } from './load.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FROZEN_SECONDS = 40
const QUIET_SECONDS = 5
const OBSERVED_SECONDS = 25

/** Breaks something and returns how to repair it. */
type Fault = (cluster: Cluster) => Promise<() => Promise<void>>

const nameOf = (members: readonly Member[], role: string): string =>
  members.find((member) => member.role === role)?.name ?? ''

const kill =
  (role: string): Fault =>
  async ({ servers, roles }) => {
    const name = nameOf(await roles(), role)
    const server = servers.find((one) => one.name === name)
    signalAll(server?.processes() ?? [], 'SIGKILL')
    return async () => server?.start()
  }

async function freeze(pids: readonly number[]): Promise<() => Promise<void>> {
  signalAll(pids, 'SIGSTOP')
  return async () => {
    await pause((FROZEN_SECONDS - OBSERVED_SECONDS) * 1_000)
    signalAll(pids, 'SIGCONT')
  }
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  'primary killed': kill('leader'),
  'primary frozen': async ({ servers, roles }) => {
    const name = nameOf(await roles(), 'leader')
    return freeze(servers.find((one) => one.name === name)?.processes() ?? [])
  },
  'switched over': async ({ roles, switchOver }) => {
    await switchOver(nameOf(await roles(), 'leader'))
    return async () => {}
  },
  'synchronous standby killed': kill('sync_standby'),
  'a gateway killed': async ({ nodes: [node] }) => {
    signalAll([node?.pid() ?? 0], 'SIGKILL')
    return async () => {}
  },
  'a gateway frozen': ({ nodes: [node] }) => freeze([node?.pid() ?? 0]),
}

export const TABLE_HEAD = `| fault | database: no write for | gateways: no success for | 200 | 503 | 500 | no response | others | slowest |
|---|---|---|---|---|---|---|---|---|`

/** The longest time without a success, in seconds. */
function longestGap(succeededAt: readonly number[], since: number, end: number): string {
  const times = [since, ...succeededAt.filter((at) => at > since), end]
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at))
  return (Math.max(...gaps) / 1_000).toFixed(1)
}

/** Applies one fault under load, repairs it, and returns a row of the table. */
async function measureFault(name: string, cluster: Cluster, load: Load): Promise<string> {
  await cluster.untilHealthy()
  for (const { url } of cluster.nodes) await untilReady(url)
  await pause(QUIET_SECONDS * 1_000)
  const probe = startProbe(cluster.primaryUrl)
  const responses = load.observe()
  const since = performance.now()
  const repair = await FAULTS[name]?.(cluster)
  await pause(OBSERVED_SECONDS * 1_000)
  await repair?.()
  await pause(QUIET_SECONDS * 1_000)
  const end = performance.now()
  await probe.stop()
  const count = (status: number): number => responses.counts.get(status) ?? 0
  const others = [...responses.counts].filter(([status]) => ![0, 200, 500, 503].includes(status))
  const cells = [
    name,
    `${longestGap(probe.succeededAt, since, end)} s`,
    `${longestGap(responses.succeededAt, since, end)} s`,
    count(200),
    count(503),
    count(500),
    count(0),
    others.map(([status, times]) => `${times} × ${status}`).join() || 0,
    `${(responses.slowest / 1_000).toFixed(1)} s`,
  ]
  return `| ${cells.join(' | ')} |`
}

/** Counts acknowledged payments that are missing or exist twice. */
async function countLosses({ primaryUrl }: Cluster, { inits, credits }: Load) {
  const client = new pg.Client(primaryUrl)
  await client.connect()
  const { rows } = await client.query<{ ours: string; theirs: string; paid: string }>(
    'select transaction_reference as ours, payment_reference as theirs, amount_paid as paid from transaction',
  )
  await client.end()
  const found = new Map(rows.map((row) => [row.theirs, row]))
  const paid = new Map(rows.map((row) => [row.ours, BigInt(row.paid)]))
  const amount = BigInt(AMOUNT_NAIRA) * 100n
  return {
    lost:
      [...inits].filter(([theirs, ours]) => found.get(theirs)?.ours !== ours).length +
      [...credits].filter((ours) => (paid.get(ours) ?? 0n) < amount).length,
    doubled: rows.length - found.size + [...paid.values()].filter((one) => one > amount).length,
  }
}

const kobo = (cluster: Cluster, ...args: readonly string[]): string =>
  execFileSync(process.execPath, ['cli/src/main.ts', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: cluster.primaryUrl, KOBO_MASTER_KEY: cluster.masterKey },
  })

/** The result of all faults; `ledger` is the output of `kobo ledger verify`, which throws if the ledger is wrong. */
export interface FaultReport {
  readonly acknowledged: { readonly inits: number; readonly credits: number }
  readonly lost: number
  readonly doubled: number
  readonly ledger: string
}

/** Applies faults one after another under load and counts what was lost. */
export async function runFaults(
  cluster: Cluster,
  faults: readonly string[],
  perSecond: number,
  onRow: (row: string) => void,
): Promise<FaultReport> {
  const credentials = JSON.parse(kobo(cluster, 'credentials'))
  const urls = cluster.nodes.map(({ url }) => url)
  const load = await startLoad(urls, perSecond, credentials)
  for (const name of faults) onRow(await measureFault(name, cluster, load))
  await load.stop()
  await cluster.untilHealthy()
  const acknowledged = { inits: load.inits.size, credits: load.credits.size }
  return {
    acknowledged,
    ...(await countLosses(cluster, load)),
    ledger: kobo(cluster, 'ledger', 'verify', '--table'),
  }
}
