import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { missingPrograms } from '../deploy/ha/cluster.ts'
import { certify, type Findings } from './certify.ts'
import { reportOf, reportText } from './report.ts'
import { CLUSTER_SCENARIOS } from './scenarios/cluster.ts'
import { SERVER_SCENARIOS } from './scenarios/server.ts'
import { startClusterSystem } from './system/cluster.ts'
import { hasOwnNetwork, runInOwnNetwork, whyNoNamespaces } from './system/namespaces.ts'
import { startServerSystem } from './system/system.ts'

const listOf = (scenarios: readonly { readonly name: string }[]): string =>
  scenarios.map(({ name }) => `  ${name}\n`).join('')

const HELP = `Puts real gateways and a real PostgreSQL under load, breaks them, and checks that nothing was lost or duplicated.

Usage: npm run certify                           all scenarios, then pairs of them, for half an hour
       npm run certify -- SCENARIO [SCENARIO …]  only these, and pairs of them
       npm run certify -- --server               only those of one database server
       npm run certify -- --cluster              only those of a cluster with failover
       npm run certify -- --minutes 5            how long at least; each scenario runs once in any case (default 30)
       npm run certify -- --hours 2              the same in hours
       npm run certify -- --repeat 20            how often each scenario runs alone (default 1)
       npm run certify -- --seed 7               chooses times and pairs (default 1)
       npm run certify -- --report FILE          writes FILE.md and FILE.json
       npm run certify -- --help                 shows this

Scenarios of two gateways and one database server:
${listOf(SERVER_SCENARIOS)}
Scenarios of two gateways and three database servers with Patroni, etcd and HAProxy, if these are installed:
${listOf(CLUSTER_SCENARIOS)}
It works with processes that it starts, on loopback; as root, in its own network namespaces. It exits with 1 if anything was lost, duplicated, invented or wrong.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '30' },
    hours: { type: 'string' },
    repeat: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    report: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const minutes = values.hours === undefined ? Number(values.minutes) : Number(values.hours) * 60
const seed = Number(values.seed)
const repeat = Number(values.repeat)

function chosen<One extends { readonly name: string }>(scenarios: readonly One[], isLeftOut: boolean): readonly One[] {
  if (isLeftOut) return []
  return positionals.length === 0 ? scenarios : scenarios.filter(({ name }) => positionals.includes(name))
}

/** Runs the chosen scenarios on both systems, one after the other. */
async function runAll(): Promise<readonly Findings[]> {
  const onServer = chosen(SERVER_SCENARIOS, values.cluster)
  const onCluster = chosen(CLUSTER_SCENARIOS, values.server)
  const missing = onCluster.length === 0 ? undefined : missingPrograms()
  const parts = Number(onServer.length > 0) + Number(onCluster.length > 0 && missing === undefined)
  const options = { minutes: minutes / parts, seed, repeat, say: (line: string) => console.log(line) }
  const found: Findings[] = []
  if (onServer.length > 0) found.push(await certify({ ...options, start: startServerSystem, scenarios: onServer }))
  if (missing !== undefined)
    found.push(skipped(onCluster.map(({ name }) => `${name}: ${missing.charAt(0).toLowerCase()}${missing.slice(1)}`)))
  else if (onCluster.length > 0)
    found.push(await certify({ ...options, start: startClusterSystem, scenarios: onCluster }))
  return found
}

const skipped = (names: readonly string[]): Findings => ({
  rows: [],
  skipped: names,
  operations: {},
  events: { received: 0, repeated: 0 },
  violations: [],
  notes: [],
  databases: [],
})

const known = [...SERVER_SCENARIOS, ...CLUSTER_SCENARIOS].map(({ name }) => name)
const unknown = positionals.filter((name) => !known.includes(name))
if (values.help || unknown.length > 0 || !(minutes >= 0) || !Number.isInteger(seed) || !(repeat >= 1)) {
  process.stdout.write(unknown.length > 0 ? `No such scenario: ${unknown.join(', ')}\n\n${HELP}` : HELP)
  process.exit(values.help ? 0 : 2)
}
if (!hasOwnNetwork() && whyNoNamespaces() === undefined) await runInOwnNetwork()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130)) // stops the processes that it started
const startedAt = new Date()
const report = reportOf(await runAll(), { seed, startedAt, endedAt: new Date() })
const text = reportText(report)
process.stdout.write(`\n${text}`)
if (values.report !== undefined) {
  writeFileSync(`${values.report}.md`, text)
  writeFileSync(`${values.report}.json`, `${JSON.stringify(report, null, 2)}\n`)
}
process.exit(report.violations.length === 0 ? 0 : 1)
