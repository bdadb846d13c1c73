import process from 'node:process'
import { openLog } from '@kobo/gateway/platform/log.ts'
import { readSettings, settingsHelp } from './settings.ts'
import { startRails } from './start.ts'

const STOP_SECONDS_MAX = 15

const HELP = `Kobo's connectors: what speaks to banks, card networks and billers, apart from the process that keeps the books.

Usage: npm run rails                 starts them
       npm run rails -- --help       shows this

Settings, all from the environment:
${settingsHelp()}
`

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return void process.stdout.write(HELP)
  const settings = readSettings(process.env)
  const rails = await startRails(settings, openLog(settings.logLevel))
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      setTimeout(() => process.exit(1), STOP_SECONDS_MAX * 1_000).unref()
      void rails.close().then(() => process.exit(0))
    })
  const addresses = settings.connectors.map(({ code }) => `  ${code}  KOBO_RAILS_URL=${rails.url}/${code}\n`)
  process.stdout.write(`The connectors are ready at ${rails.url}\n${addresses.join('')}`)
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
