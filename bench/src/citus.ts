import { randomBytes } from 'node:crypto'
import { migrateDatabase } from '@kobo/gateway/app/core.ts'
import { databaseUrls, makeRoles } from '@kobo/gateway/platform/postgres/roles.ts'
import pg from 'pg'
import { type Bench, median, type PlainBenchmark } from './benchmark.ts'
import { payInto } from './credits.ts'
import { openOverAll, type Payee, payeesOf } from './many-merchants.ts'
import { GATEWAY, type RunningGateway, runCommand, startGatewayProcess } from './processes.ts'

const MERCHANTS = 64
/** Credits per round and second. All of them are paid, even if that takes longer. */
const CREDITS_A_SECOND = 200

/** A gateway whose database is on one or more servers, and its credits per second in each round. */
interface Installation {
  readonly servers: readonly string[]
  readonly gateway: RunningGateway
  readonly payees: readonly Payee[]
  readonly rates: number[]
}

/** Measures credits to many merchants, in turn on plain PostgreSQL and on Citus with one and with two workers. */
export const citus: PlainBenchmark = async (bench) => {
  const { coordinatorUrl: coordinator } = bench
  const [first, second] = coordinator === undefined ? [] : await workersOf(coordinator)
  if (coordinator === undefined || first === undefined || second === undefined)
    return { 'not measured': '--coordinator URL names no Citus coordinator with two workers' }
  const name = `kobo_bench_${randomBytes(4).toString('hex')}`
  // A worker outside the cluster is a plain PostgreSQL with the same settings.
  const sets = [[second], [coordinator, first], [coordinator, first, second]] as const
  const all: Installation[] = []
  try {
    for (const server of [coordinator, first, second]) await makeRoles(server)
    for (const [nth, servers] of sets.entries()) {
      bench.progress(`making database ${nth + 1} of ${sets.length}`)
      all.push(await install(servers, `${name}_${nth}`))
    }
    for (let n = 1; n <= bench.rounds; n++)
      for (const installation of n % 2 === 1 ? all : all.toReversed()) await payRound(bench, installation, n)
  } finally {
    for (const { gateway } of all) await gateway.stop()
    for (const [nth, servers] of sets.entries()) await drop(servers, `${name}_${nth}`)
  }
  return figuresOf(all.map(({ rates }) => rates))
}

/** Returns the URL of another database on the same server. */
const at = (server: string, database: string): string => Object.assign(new URL(server), { pathname: database }).href

async function run(url: string, ...statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) ({ rows } = await client.query(statement))
    return rows
  } finally {
    await client.end()
  }
}

async function workersOf(coordinator: string): Promise<readonly string[]> {
  const [citus] = await run(coordinator, `select from pg_extension where extname = 'citus'`)
  if (citus === undefined) return []
  const nodes = await run(coordinator, 'select nodename, nodeport from pg_dist_node where groupid <> 0 order by nodeid')
  return nodes.map(
    ({ nodename, nodeport }) => Object.assign(new URL(coordinator), { host: `${nodename}:${nodeport}` }).href,
  )
}

async function install(servers: readonly [string, ...string[]], database: string): Promise<Installation> {
  for (const server of servers) await run(server, `create database ${database} template template0`)
  const urls = servers.map((server) => at(server, database))
  const [url = '', ...workers] = urls
  if (workers.length > 0) {
    for (const one of urls) await run(one, 'create extension citus')
    const added = [url, ...workers].map((one, nth) => {
      const { hostname, port } = new URL(one)
      return `select ${nth === 0 ? 'citus_set_coordinator_host' : 'citus_add_node'}('${hostname}', ${port})`
    })
    await run(url, ...added)
  }
  await migrateDatabase(databaseUrls(url))
  if (workers.length > 0) await runCommand(url, ['shards', 'distribute'])
  const gateway = await startGatewayProcess(url, GATEWAY)
  return { servers, gateway, payees: await payeesOf(gateway, MERCHANTS), rates: [] }
}

async function payRound(bench: Bench, { servers, gateway, payees, rates }: Installation, n: number): Promise<void> {
  bench.progress(`round ${n} of ${bench.rounds}, ${servers.length} servers`)
  const requestsMax = Math.ceil(CREDITS_A_SECOND * bench.seconds)
  const accounts = await openOverAll(gateway, payees, `citus-${n}`, requestsMax)
  rates.push((await payInto(gateway, accounts, { requestsMax })).perSecond)
}

async function drop(servers: readonly string[], database: string): Promise<void> {
  for (const server of servers) {
    const [there] = await run(server, `select from pg_database where datname = '${database}'`)
    if (there === undefined) continue
    // No new connections are allowed first, because Citus would reconnect while the database is dropped.
    await run(
      server,
      `alter database ${database} with allow_connections false`,
      `drop database ${database} with (force)`,
    )
  }
}

function figuresOf([plain = [], one = [], two = []]: readonly (readonly number[])[]): Readonly<Record<string, string>> {
  const ratio = (some: readonly number[], others: readonly number[]): string =>
    median(some.map((rate, n) => rate / (others[n] ?? Number.NaN))).toFixed(2)
  const rates = [plain, one, two].map((some) => median(some).toFixed(0)).join(' / ')
  return {
    [`credits to PAID over ${MERCHANTS} merchants a second, plain / 1 worker / 2 workers`]: rates,
    '1 worker ÷ plain, same rounds': ratio(one, plain),
    '2 workers ÷ plain, same rounds': ratio(two, plain),
    '2 workers ÷ 1, same rounds': ratio(two, one),
  }
}
