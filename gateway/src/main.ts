import cluster from 'node:cluster'
import process from 'node:process'
import { type Gateway, startGateway } from './app/compose.ts'
import { type Core, openCore } from './app/core.ts'
import { AlreadyRunning, type DatabaseLease, readMasterKey, takeDatabase, tellRunning } from './app/data-folder.ts'
import { ensureDemoMerchant, readCredentials } from './app/demo.ts'
import { welcome } from './app/welcome.ts'
import { type Config, readConfig, settingsHelp } from './platform/config.ts'
import { type Log, openLog } from './platform/log.ts'

const STOP_SECONDS_MAX = 15

const HELP = `Kobo, a payment gateway.

Usage: npm start                     starts the gateway, and its own PostgreSQL unless DATABASE_URL is set
       npm start -- --help           shows this

Settings, all from the environment:
${settingsHelp()}
`

/** Starts one process: alone it does everything; of several, the first works in the background and the others serve. */
async function start(config: Config, log: Log): Promise<() => Promise<void>> {
  const alone = config.workers === 1
  const isFirst = cluster.isPrimary
  const database: DatabaseLease = isFirst
    ? await takeDatabase(config)
    : { url: config.databaseUrl ?? '', release: async () => {} }
  const masterKey = readMasterKey(config)
  let core: Core | undefined
  let gateway: Gateway | undefined
  try {
    core = await openCore({
      databaseUrl: database.url,
      databaseConnectionsMax: config.databaseConnectionsMax,
      masterKey,
      referencePrefix: config.referencePrefix,
      onNodeLost: () => {
        log.fatal('this process lost its node number and stops')
        process.exit(1)
      },
    })
    if (isFirst && config.environment === 'sandbox') await ensureDemoMerchant(core.db, core, core.clock)
    gateway = await startGateway(core, config, log, { serves: alone || !isFirst, works: isFirst })
    const url = isFirst && !alone ? await startWorkers(config, database.url, masterKey) : gateway.url
    if (isFirst) {
      tellRunning(config, url)
      const credentials =
        config.environment === 'sandbox' ? await readCredentials(core.db, core.directory, core.clock, url) : undefined
      process.stdout.write(welcome(url, credentials))
    }
  } catch (error) {
    await gateway?.close()
    await core?.close()
    await database.release()
    throw error
  }
  const opened = { gateway, core }
  return async () => {
    if (isFirst && !alone) await stopWorkers()
    await opened.gateway.close()
    await opened.core.close()
    await database.release()
  }
}

/** Starts the processes that serve, and a new one for each that dies; answers the address they share. */
async function startWorkers(config: Config, databaseUrl: string, masterKey: Buffer): Promise<string> {
  const env = { DATABASE_URL: databaseUrl, KOBO_MASTER_KEY: masterKey.toString('base64') }
  cluster.on('exit', (worker) => {
    if (!worker.exitedAfterDisconnect && !stopping) cluster.fork(env)
  })
  const listening = Array.from(
    { length: config.workers },
    () =>
      new Promise<number>((resolve) => {
        cluster.fork(env).once('listening', ({ port }) => resolve(port))
      }),
  )
  const [port] = await Promise.all(listening)
  return config.publicUrl ?? `http://localhost:${port}`
}

function stopWorkers(): Promise<unknown> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  return Promise.all(
    workers.map(
      (worker) =>
        new Promise<void>((resolve) => {
          worker.once('exit', () => resolve())
          worker.process.kill('SIGTERM')
        }),
    ),
  )
}

let stopping = false

function stopOn(signal: NodeJS.Signals, log: Log, stop: () => Promise<void>): void {
  process.on(signal, async () => {
    if (stopping) return
    stopping = true
    setTimeout(() => {
      log.error(`not everything had stopped within ${STOP_SECONDS_MAX} s`)
      process.exit(1)
    }, STOP_SECONDS_MAX * 1_000).unref()
    await stop()
    process.exit(0)
  })
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  const stop = await start(config, log)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) stopOn(signal, log, stop)
}

main().catch((error: Error) => {
  const known = error instanceof AlreadyRunning || error.message.startsWith('Settings that are wrong')
  process.stderr.write(`${known ? error.message : error.stack}\n`)
  process.exit(1)
})
