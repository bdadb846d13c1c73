import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '@kobo/gateway/platform/postgres/embedded/index.ts'
import { makeRoles } from '@kobo/gateway/platform/postgres/roles.ts'
import pg from 'pg'
import { atSize } from './at-size.ts'
import type { Bench, PlainBenchmark, Race } from './benchmark.ts'
import { cardCharge } from './card-charge.ts'
import { citus } from './citus.ts'
import { measureDashboard } from './dashboard.ts'
import { creditWithEvent, eventsComparedWithGraphileWorker, eventsComparedWithPgBoss, eventsDrained } from './events.ts'
import { halfPeak } from './half-peak.ts'
import { inboundCredit, inboundCreditOf256 } from './inbound-credit.ts'
import { initTransaction } from './init-transaction.ts'
import { longSnapshot } from './long-snapshot.ts'
import { manyMerchants } from './many-merchants.ts'
import { takeCommit } from './other-commit.ts'
import { paymentCost } from './payment-cost.ts'
import { GATEWAY, pgbench, startGatewayProcess } from './processes.ts'
import { type Contestant, figuresOf, type Result, run } from './race.ts'
import { login, statusQuery } from './reads.ts'
import { storm } from './storm.ts'
import { TABLE_NAMES, tableText } from './table.ts'
import { transfers } from './transfers.ts'
import { workers } from './workers.ts'

const RACES: Readonly<Record<string, Race>> = {
  'init-transaction': initTransaction,
  'status-query': statusQuery,
  login,
  'inbound-credit': inboundCredit,
  'inbound-credit-256': inboundCreditOf256,
  'credit-with-event': creditWithEvent,
  'events-drained': eventsDrained,
  'events-pg-boss': eventsComparedWithPgBoss,
  'events-graphile-worker': eventsComparedWithGraphileWorker,
  'long-snapshot': longSnapshot,
  'many-merchants': manyMerchants,
  'card-charge': cardCharge,
  transfers,
}
const PLAIN_BENCHMARKS: Readonly<Record<string, PlainBenchmark>> = {
  storm,
  'half-peak': halfPeak,
  'at-size': atSize,
  'payment-cost': paymentCost,
  workers,
  citus,
}
const NAMES = [...Object.keys(RACES), ...Object.keys(PLAIN_BENCHMARKS)]

const HELP = `Measures Kobo and compares it with baselines in the same run, because machines differ and are shared.

Usage: npm run bench                         everything
       npm run bench -- NAME [NAME …]        only these: ${NAMES.slice(0, 5).join(', ')},
                                             ${NAMES.slice(5, 10).join(', ')},
                                             ${NAMES.slice(10).join(', ')};
                                             citus needs --coordinator URL, of a Citus with two workers
       npm run bench -- table                runs the benchmarks of the table in docs/inside/performance.md and prints it
       npm run bench -- --seconds 5          how long one round lasts (default 5)
       npm run bench -- --rounds 5           number of rounds; the result is the median (default 5)
       npm run bench -- --rows 5000000       number of rows in a large table (default 1000000)
       npm run bench -- --compare COMMIT     runs that commit and this version in turn, round by round
       npm run bench -- --json FILE          writes all rounds to FILE
       npm run bench -- --link LINK          times every read of the dashboard of a running gateway: the first, the median
                                             and the worst of the rounds, in ms. LINK is the sign-in link that npm start
                                             printed; ./kobo seed --payments 1000000 generates payments to read
       npm run bench -- --help               prints this help
`

/** The results by benchmark: figures, and the rounds behind them. */
type Findings = Record<
  string,
  { readonly figures: Readonly<Record<string, string>>; readonly rounds?: readonly Result[] }
>

interface Options {
  readonly names: readonly string[]
  readonly seconds: number
  readonly rounds: number
  readonly rows: number
  readonly compare: string | undefined
  readonly coordinatorUrl: string | undefined
}

/** Runs benchmarks on their own PostgreSQL, durable as in production. */
async function measure(directory: string, options: Options, findings: Findings): Promise<void> {
  const server = await startEmbeddedPostgres({ directory: join(directory, 'postgres') })
  // Gateways end with this process, but the PostgreSQL server would keep running.
  const leave = (): void =>
    void server.stop().finally(() => {
      rmSync(directory, { recursive: true, force: true })
      process.exit(1)
    })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave)
  try {
    await makeRoles(server.url)
    await makeDatabases(server.url, ['pgbench'])
    const pgbenchUrl = databaseOf(server.url, 'pgbench')
    if ((await pgbench(pgbenchUrl, 1, true)) === undefined)
      process.stdout.write(
        'pgbench is not installed, so figures that are compared with it stand alone (Debian: postgresql-contrib).\n',
      )
    const versions: Version[] = [{ label: 'this version', database: 'ours', file: GATEWAY }]
    if (options.compare !== undefined) {
      const folder = join(directory, 'other')
      mkdirSync(folder)
      versions.push({
        label: options.compare,
        database: 'other',
        file: await takeCommit(options.compare, folder),
      })
    }
    const { coordinatorUrl } = options
    const others = { pgbenchUrl, coordinatorUrl }
    for (const [nth, name] of options.names.entries()) {
      // Each benchmark has its own databases, so that the data of one does not slow another.
      const fresh = versions.map(({ database, ...version }) => ({ ...version, database: `${database}_${nth}` }))
      const databases = fresh.map(({ database }) => database)
      await makeDatabases(server.url, databases)
      const at = fresh.map((version) => ({ ...version, databaseUrl: databaseOf(server.url, version.database) }))
      findings[name] = await measureOne(name, at, others, options)
      await dropDatabases(server.url, databases)
    }
  } finally {
    await server.stop()
  }
}

const databaseOf = (url: string, database: string): string => url.replace('/kobo?', `/${database}?`)

const makeDatabases = (url: string, names: readonly string[]): Promise<void> => forEach(url, 'create database', names)
const dropDatabases = (url: string, names: readonly string[]): Promise<void> => forEach(url, 'drop database', names)

async function forEach(url: string, what: string, databases: readonly string[]): Promise<void> {
  const admin = new pg.Client(url)
  await admin.connect()
  try {
    for (const database of databases) await admin.query(`${what} ${database}`)
  } finally {
    await admin.end()
  }
}

/** A version to measure, and the prefix of its databases. */
interface Version {
  readonly label: string
  readonly database: string
  readonly file: URL
}

async function measureOne(
  name: string,
  versions: readonly (Omit<Version, 'database'> & { readonly databaseUrl: string })[],
  others: Pick<Bench, 'pgbenchUrl' | 'coordinatorUrl'>,
  options: Options,
): Promise<Findings[string]> {
  const { seconds, rounds, rows } = options
  const progress = progressOf(name)
  const contestants: Contestant[] = []
  for (const { label, databaseUrl, file } of versions) {
    const gateway = await startGatewayProcess(databaseUrl, file)
    const numbers = { seconds, rounds, rows }
    contestants.push({ label, bench: { databaseUrl, ...others, ...numbers, gateway, progress } })
  }
  const race = RACES[name]
  const results = race === undefined ? [] : await run(race, contestants, rounds)
  const figures: Record<string, string> = race === undefined ? {} : { ...figuresOf(race, results) }
  if (race === undefined)
    for (const [index, { label, bench }] of contestants.entries())
      for (const [figure, text] of Object.entries((await PLAIN_BENCHMARKS[name]?.(bench)) ?? {}))
        figures[index === 0 ? figure : `${label}: ${figure}`] = text
  for (const { bench } of contestants) await bench.gateway.stop()
  printFigures(name, figures)
  return { figures, ...(results.length === 0 ? {} : { rounds: results }) }
}

const progressOf =
  (name: string) =>
  (text: string): void =>
    void process.stderr.write(`\r${name}: ${text}`.padEnd(79))

function printFigures(name: string, figures: Readonly<Record<string, string>>): void {
  process.stderr.write('\r'.padEnd(80))
  const width = Math.max(...Object.keys(figures).map(({ length }) => length))
  const lines = Object.entries(figures).map(([key, value]) => `  ${key.padEnd(width)}  ${value}\n`)
  process.stdout.write(`\r${name}\n${lines.join('')}`)
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '5' },
      rows: { type: 'string', default: '1000000' },
      compare: { type: 'string' },
      coordinator: { type: 'string' },
      json: { type: 'string' },
      link: { type: 'string' },
    },
  })
  const isTable = positionals.includes('table')
  const names = isTable ? TABLE_NAMES : positionals.length === 0 ? NAMES : positionals
  if (values.help === true || names.some((name) => !NAMES.includes(name))) {
    process.stdout.write(HELP)
    return
  }
  if (values.link !== undefined) {
    const progress = progressOf('dashboard')
    printFigures('dashboard', await measureDashboard({ link: values.link, rounds: Number(values.rounds), progress }))
    return
  }
  const directory = mkdtempSync(join(tmpdir(), 'kobo-bench-'))
  chmodSync(directory, 0o711)
  const findings: Findings = {}
  try {
    const numbers = {
      seconds: Number(values.seconds),
      rounds: Number(values.rounds),
      rows: Number(values.rows),
    }
    const { compare, coordinator: coordinatorUrl } = values
    await measure(directory, { names, ...numbers, compare, coordinatorUrl }, findings)
    if (isTable) process.stdout.write(tableText(findings))
  } finally {
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(findings, undefined, 2)}\n`)
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
