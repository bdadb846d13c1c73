/** Starts an idle gateway and a Prometheus with our rules for ten minutes; exit code 1 if any alert fires. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { runVerification } from '../../gateway/src/app/ledger.ts'
import { wallClock } from '../../gateway/src/kernel/clock.ts'
import { endLater, ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { start } from '../../gateway/test/harness/gateway.ts'
import { DEPLOY, freePorts } from './tools.ts'

const SECONDS = Number(process.argv[2] ?? 600)
const LOOK_SECONDS = 15

interface Alert {
  readonly labels: Readonly<Record<string, string>>
  readonly state: string
  readonly activeAt: string
}

const gateway = await start({ wall: wallClock, env: { KOBO_DATABASE_CONNECTIONS: '10' } })
for (const isWhole of [false, true])
  await runVerification(gateway.core.db, {
    isWhole,
    checkpointFile: undefined,
    at: wallClock.now(),
    onProgress: () => {},
  })
const [port = 0] = await freePorts(1)
const folder = ownFolder('prometheus')
const config = join(folder, 'prometheus.yml')
writeFileSync(
  config,
  JSON.stringify({
    global: { scrape_interval: '15s', evaluation_interval: '15s' },
    rule_files: [join(DEPLOY, 'prometheus/rules.yml')],
    scrape_configs: [{ job_name: 'kobo', static_configs: [{ targets: [new URL(gateway.url).host] }] }],
  }),
)
const prometheus = spawn(
  'prometheus',
  [`--config.file=${config}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`],
  { stdio: 'ignore' },
)
endLater(prometheus, 'prometheus')

/** The alerts that are pending or firing; none while Prometheus starts. */
const alerts = (): Promise<readonly Alert[]> =>
  fetch(`http://127.0.0.1:${port}/api/v1/alerts`).then(
    async (response) => ((await response.json()) as { data: { alerts: Alert[] } }).data.alerts,
    () => [],
  )

const seen = new Map<string, string>()
for (let passed = 0; passed < SECONDS; passed += LOOK_SECONDS) {
  await pause(LOOK_SECONDS * 1_000)
  for (const { labels, state } of await alerts()) {
    const name = labels['alertname'] ?? ''
    if (seen.get(name) !== 'firing') seen.set(name, state)
  }
}
const firing = [...seen].filter(([, state]) => state === 'firing').map(([name]) => name)
const rules = (await (await fetch(`http://127.0.0.1:${port}/api/v1/rules`)).json()) as {
  data: { groups: readonly { readonly rules: readonly unknown[] }[] }
}
const count = rules.data.groups.reduce((sum, group) => sum + group.rules.length, 0)
process.stdout.write(
  `${count} alerts, ${SECONDS} s idle: ${firing.length === 0 ? 'none fired' : `fired: ${firing.join(', ')}`}${
    seen.size === firing.length ? '' : `; pending for a while: ${[...seen.keys()].join(', ')}`
  }\n`,
)
prometheus.kill('SIGKILL')
await gateway.close()
process.exit(firing.length === 0 && count > 0 ? 0 : 1)
