import process from 'node:process'
import { openLog, printLine } from '@kobo/gateway/platform/observability/log.ts'
import { readSettings, settingsHelp } from './settings.ts'
import { startConnectors } from './start.ts'

const STOP_SECONDS_MAX = 15

const HELP = `Kobo's connectors: the process that talks to banks, card networks and billers, separate from the ledger.

Usage: npm run connectors                 starts them
       npm run connectors -- --help       shows this

Settings, all from the environment:
${settingsHelp()}
`

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return void process.stdout.write(HELP)
  const settings = readSettings(process.env)
  const rails = await startConnectors(settings, openLog(settings.logLevel))
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      setTimeout(() => process.exit(1), (STOP_SECONDS_MAX + settings.drainSeconds) * 1_000).unref()
      void rails
        .drain(settings.drainSeconds)
        .then(rails.close)
        .then(() => process.exit(0))
    })
  const addresses = settings.connectors.map(({ code }) => `  ${code}  KOBO_RAILS_URL=${rails.url}/${code}\n`)
  printLine(`The connectors are ready at ${rails.url}\n${addresses.join('')}`)
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
