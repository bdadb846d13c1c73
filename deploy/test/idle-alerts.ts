/**
 * Starts two idle gateways, a sandbox and a live one with two workers and its connector process, each with a Prometheus
 * and our rules, for ten minutes; exit code 1 if any alert fires.
 */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { clearUp, endLater, ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { ownDatabase } from '../../gateway/test/harness/postgres.ts'
import { command, type Program, startProgram } from '../../gateway/test/harness/processes.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { DEPLOY, freePorts } from './tools.ts'

const SECONDS = Number(process.argv[2] ?? 600)
const LOOK_SECONDS = 15
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
const RAILS_SECRET = 'a-secret-between-gateway-and-adapter'

/** All programs end with this process. */
const startedBy = { after: () => {} }

/** The configuration of both gateways, apart from the database and the port. */
const SHAPES = {
  sandbox: () => ({}),
  live: (connectorUrl: string) => ({
    KOBO_ENVIRONMENT: 'live',
    KOBO_WORKERS: '2',
    KOBO_RAILS_URL: `sandbox=${connectorUrl}/sandbox`,
    KOBO_RAILS_SECRET: `sandbox=${RAILS_SECRET}`,
    KOBO_ALLOW: 'embedded-database,plain-http,plain-public-url,plain-rails,simulated-rails,no-mail',
  }),
}

interface Alert {
  readonly labels: Readonly<Record<string, string>>
  readonly state: string
}
interface Watched {
  readonly shape: string
  readonly api: (path: string) => Promise<unknown>
  /** The worst state of each alert that was not inactive all the time. */
  readonly seen: Map<string, string>
}

/** Starts one of the shapes, verifies its ledger as the timer does, and watches it. */
async function startShape(shape: keyof typeof SHAPES): Promise<Watched> {
  const { urls } = await ownDatabase()
  const [port = 0, connectorPort = 0] = await freePorts(2)
  const url = `http://127.0.0.1:${port}`
  const env = {
    PORT: String(port),
    DATABASE_URL: urls.program,
    KOBO_VAULT_DATABASE_URL: urls.vault,
    KOBO_PUBLIC_URL: url,
    KOBO_MASTER_KEY: MASTER_KEY,
    ...SHAPES[shape](`http://127.0.0.1:${connectorPort}`),
  }
  if (shape === 'live')
    await startProgram(startedBy, 'connectors/src/main.ts', [], {
      PORT: String(connectorPort),
      KOBO_RAILS_SECRET: RAILS_SECRET,
      KOBO_GATEWAY_URL: url,
    }).says(/ready at (\S+)/)
  const program = startProgram(startedBy, 'gateway/src/main.ts', [], env)
  await until(`${shape} is ready`, () => isReady(url, program))
  for (const how of [[], ['--all']]) {
    const { code, stderr } = await command(env, 'ledger', 'verify', ...how)
    if (code !== 0) throw new Error(`The ledger was not verified: ${stderr}`)
  }
  return { shape, api: await startPrometheus(url), seen: new Map() }
}

async function isReady(url: string, { child, stdout, stderr }: Program): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`The gateway has ended: ${stdout()}${stderr()}`)
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** A Prometheus with the shipped intervals and rules; returns a function to read its API. */
async function startPrometheus(url: string): Promise<Watched['api']> {
  const [port = 0] = await freePorts(1)
  const folder = ownFolder('prometheus')
  const config = join(folder, 'prometheus.yml')
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '15s', evaluation_interval: '15s' },
      rule_files: [join(DEPLOY, 'prometheus/rules.yml')],
      scrape_configs: [{ job_name: 'kobo', static_configs: [{ targets: [new URL(url).host] }] }],
    }),
  )
  const options = [`--config.file=${config}`, `--storage.tsdb.path=${folder}/data`]
  const child = spawn('prometheus', [...options, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' })
  endLater(child, options[0] ?? '')
  const api = async (path: string): Promise<unknown> =>
    ((await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()) as { data: unknown }).data
  await until('Prometheus has scraped it', () =>
    api('query?query=kobo_database_up').then(
      (data) => (data as { result: unknown[] }).result.length > 0,
      () => false,
    ),
  )
  return api
}

const watched = [await startShape('sandbox'), await startShape('live')]
for (let passed = 0; passed < SECONDS; passed += LOOK_SECONDS) {
  await pause(LOOK_SECONDS * 1_000)
  for (const { api, seen } of watched)
    for (const { labels, state } of ((await api('alerts')) as { alerts: readonly Alert[] }).alerts) {
      const name = labels['alertname'] ?? ''
      if (seen.get(name) !== 'firing') seen.set(name, state)
    }
}
let isQuiet = true
for (const { shape, api, seen } of watched) {
  const { groups } = (await api('rules')) as { groups: readonly { readonly rules: readonly unknown[] }[] }
  const count = groups.reduce((sum, group) => sum + group.rules.length, 0)
  const ofState = (wanted: string): string =>
    [...seen].flatMap(([name, state]) => (state === wanted ? name : [])).join(', ') || 'none'
  process.stdout.write(
    `${shape}: ${count} alerts, ${SECONDS} s idle; fired: ${ofState('firing')}; pending for a while: ${ofState('pending')}\n`,
  )
  isQuiet &&= count > 0 && ofState('firing') === 'none'
}
process.exitCode = isQuiet ? 0 : 1
await clearUp()
process.exit()
