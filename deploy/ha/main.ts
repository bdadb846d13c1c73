import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Cluster, type Member, signalAll, startCluster, until, whatIsMissing } from './cluster.ts'
import { AMOUNT_NAIRA, type Load, type Seen, startLoad, startProbe } from './load.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HELP = `Usage: node deploy/ha/main.ts start           starts etcd, three PostgreSQL under Patroni, HAProxy and two gateways, until Ctrl-C
       node deploy/ha/main.ts break [FAULT …]  starts them, breaks them under load, and prints what that cost

Settings: KOBO_HA_PORT (15400) the first of some forty ports; KOBO_HA_RATE (50) payments a second
`

const FROZEN_SECONDS = 40
const QUIET_SECONDS = 5
const WATCHED_SECONDS = 25

type Fault = (cluster: Cluster) => Promise<() => Promise<void>>

const named = (members: readonly Member[], role: string): string =>
  members.find((member) => member.role === role)?.name ?? ''

const killed =
  (role: string): Fault =>
  async ({ servers, roles }) => {
    const name = named(await roles(), role)
    const server = servers.find((one) => one.name === name)
    signalAll(server?.processes() ?? [], 'SIGKILL')
    return async () => server?.start()
  }

async function frozen(pids: readonly number[]): Promise<() => Promise<void>> {
  signalAll(pids, 'SIGSTOP')
  return async () => {
    await pause((FROZEN_SECONDS - WATCHED_SECONDS) * 1_000)
    signalAll(pids, 'SIGCONT')
  }
}

/** Each breaks something, and answers what mends it. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'primary killed': killed('leader'),
  'primary frozen': async ({ servers, roles }) => {
    const name = named(await roles(), 'leader')
    return frozen(servers.find((one) => one.name === name)?.processes() ?? [])
  },
  'switched over': async ({ roles, switchOver }) => {
    await switchOver(named(await roles(), 'leader'))
    return async () => {}
  },
  'synchronous standby killed': killed('sync_standby'),
  'a gateway killed': async ({ nodes: [node] }) => {
    signalAll([node?.pid() ?? 0], 'SIGKILL')
    return async () => {}
  },
  'a gateway frozen': ({ nodes: [node] }) => frozen([node?.pid() ?? 0]),
}

/** The longest time without a success from a moment on, in seconds. */
function gapSince(succeededAt: readonly number[], since: number, end: number): string {
  const moments = [since, ...succeededAt.filter((at) => at > since), end]
  const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? at))
  return (Math.max(...gaps) / 1_000).toFixed(1)
}

async function breakOnce(name: string, cluster: Cluster, load: Load): Promise<string> {
  await cluster.whole()
  for (const { url } of cluster.nodes)
    await until(`${url} is ready`, async () => (await fetch(`${url}/health/ready`)).status === 200)
  await pause(QUIET_SECONDS * 1_000)
  const probe = startProbe(cluster.primaryUrl)
  const seen: Seen = load.look()
  const since = performance.now()
  const mend = await FAULTS[name]?.(cluster)
  await pause(WATCHED_SECONDS * 1_000)
  await mend?.()
  await pause(QUIET_SECONDS * 1_000)
  const end = performance.now()
  await probe.stop()
  const count = (status: number): number => seen.answers.get(status) ?? 0
  const others = [...seen.answers].filter(([status]) => ![0, 200, 500, 503].includes(status))
  const gaps = [gapSince(probe.succeededAt, since, end), gapSince(seen.succeededAt, since, end)]
  const cells = [
    name,
    `${gaps[0]} s`,
    `${gaps[1]} s`,
    count(200),
    count(503),
    count(500),
    count(0),
    others.map(([status, times]) => `${times} × ${status}`).join() || 0,
    `${(seen.slowest / 1_000).toFixed(1)} s`,
  ]
  return `| ${cells.join(' | ')} |`
}

/** How many of the acknowledged are not there, and how many are there twice. */
async function losses({ primaryUrl }: Cluster, { inits, credits }: Load): Promise<{ lost: number; doubled: number }> {
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

const HEAD = `| fault | engine: no write for | gateways: no success for | 200 | 503 | 500 | no answer | others | slowest |
|---|---|---|---|---|---|---|---|---|`

const commandOf = (cluster: Cluster, ...args: readonly string[]): string =>
  execFileSync(process.execPath, ['cli/src/main.ts', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: cluster.primaryUrl, KOBO_MASTER_KEY: cluster.masterKey },
  })

async function breakAll(cluster: Cluster, faults: readonly string[]): Promise<boolean> {
  const credentials = JSON.parse(commandOf(cluster, 'credentials'))
  const urls = cluster.nodes.map(({ url }) => url)
  const load = await startLoad(urls, Number(process.env['KOBO_HA_RATE'] ?? 50), credentials)
  console.log(HEAD)
  for (const name of faults) console.log(await breakOnce(name, cluster, load))
  await load.stop()
  await cluster.whole()
  const { lost, doubled } = await losses(cluster, load)
  console.log(
    `\nAcknowledged: ${load.inits.size} initializations, ${load.credits.size} credits. Lost: ${lost}. Doubled: ${doubled}.`,
  )
  console.log(commandOf(cluster, 'ledger', 'verify', '--table'))
  return lost === 0 && doubled === 0
}

const [command, ...asked] = process.argv.slice(2)
const unknown = asked.find((name) => !(name in FAULTS))
if ((command !== 'start' && command !== 'break') || unknown !== undefined) {
  process.stdout.write(
    `${HELP}\nFaults: ${Object.keys(FAULTS)
      .map((name) => `'${name}'`)
      .join(', ')}\n`,
  )
  process.exit(command === undefined || command === '--help' ? 0 : 2)
}
const missing = whatIsMissing()
if (missing !== undefined) {
  process.stderr.write(`${missing}\n`)
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130)) // which stops all
const cluster = await startCluster(Number(process.env['KOBO_HA_PORT'] ?? 15_400))
if (command === 'start') {
  console.log(
    `Gateways: ${cluster.nodes.map(({ url }) => url).join(', ')}\nDATABASE_URL=${cluster.primaryUrl}\nKOBO_MASTER_KEY=${cluster.masterKey}`,
  )
} else process.exit((await breakAll(cluster, asked.length === 0 ? Object.keys(FAULTS) : asked)) ? 0 : 1)
