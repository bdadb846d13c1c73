import { missingPrograms, startCluster } from './cluster.ts'
import { FAULTS, runFaults, TABLE_HEAD } from './faults.ts'

const HELP = `Usage: node deploy/ha/main.ts start            starts etcd, three PostgreSQL servers with Patroni, HAProxy and two gateways until Ctrl-C
       node deploy/ha/main.ts break [FAULT …]  starts them, applies faults under load and prints the outages

Faults: ${Object.keys(FAULTS)
  .map((name) => `'${name}'`)
  .join(', ')}

Environment: KOBO_HA_PORT (15400), the first of about forty ports; KOBO_HA_RATE (50), payments per second
`

const [command, ...faults] = process.argv.slice(2)
if ((command !== 'start' && command !== 'break') || faults.some((name) => !(name in FAULTS))) {
  process.stdout.write(HELP)
  process.exit(command === undefined || command === '--help' ? 0 : 2)
}
const missing = missingPrograms()
if (missing !== undefined) {
  process.stderr.write(`${missing}\n`)
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130)) // stops the cluster
const cluster = await startCluster(Number(process.env['KOBO_HA_PORT'] ?? 15_400))
if (command === 'start') {
  const urls = cluster.nodes.map(({ url }) => url).join(', ')
  console.log(`Gateways: ${urls}\nDATABASE_URL=${cluster.primaryUrl}\nKOBO_MASTER_KEY=${cluster.masterKey}`)
} else {
  console.log(TABLE_HEAD)
  const expected = faults.length === 0 ? Object.keys(FAULTS) : faults
  const report = await runFaults(cluster, expected, Number(process.env['KOBO_HA_RATE'] ?? 50), console.log)
  const { acknowledged, lost, doubled, ledger } = report
  console.log(
    `\nAcknowledged: ${acknowledged.inits} inits, ${acknowledged.credits} credits. Lost: ${lost}. Doubled: ${doubled}.\n${ledger}`,
  )
  process.exit(lost === 0 && doubled === 0 ? 0 : 1)
}
