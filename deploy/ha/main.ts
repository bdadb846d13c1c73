import { missingPrograms, startCluster } from './cluster.ts'

const HELP = `Usage: node deploy/ha/main.ts start   starts three members of etcd, three PostgreSQL servers with Patroni, HAProxy and two gateways until Ctrl-C

To break them under load, run npm run certify -- --cluster.

Environment: KOBO_HA_PORT (15400), the first of about forty ports
`

const [command] = process.argv.slice(2)
if (command !== 'start') {
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
const urls = cluster.nodes.map(({ url }) => url).join(', ')
console.log(`Gateways: ${urls}\nDATABASE_URL=${cluster.primaryUrl}\nKOBO_MASTER_KEY=${cluster.masterKey}`)
