import cluster from 'node:cluster'
import process from 'node:process'
import { type Gateway, startGateway } from './app/compose.ts'
import { type Core, openCore, WrongCell, WrongClock, WrongEnvironment } from './app/core.ts'
import { AlreadyRunning, type DatabaseLease, readMasterKey, takeDatabase, tellRunning } from './app/data-folder.ts'
import { demoSignInLink, ensureDemoMerchant, readCredentials } from './app/demo.ts'
import { welcome } from './app/welcome.ts'
import { findCareless } from './platform/careless.ts'
import { type Config, readConfig, settingsHelp } from './platform/config.ts'
import type { DatabaseUrls } from './platform/database-roles.ts'
import { type Log, openLog } from './platform/log.ts'
import { gatherMeasurements } from './platform/metrics-of-all.ts'
import { explainFailure } from './platform/start-failures.ts'

const STOP_SECONDS_MAX = 15
const RESTART_MILLISECONDS = 1_000

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
  const database: DatabaseLease = await takeDatabase(config)
  let core: Core | undefined
  let gateway: Gateway | undefined
  try {
    const masterKey = readMasterKey(config)
    core = await openCore({
      environment: config.environment,
      database: database.urls,
      databaseConnectionsMax: config.databaseConnectionsMax,
      masterKey,
      referencePrefix: config.referencePrefix,
      cellDigits: config.cellDigits,
      warn: (text) => config.environment === 'live' && isFirst && log.warn(text),
      onNodeLost: () => {
        log.fatal('this process lost its node number and stops')
        process.exit(1)
      },
      onUnfit: (why) => log.error({ why }, 'this process neither serves nor works until that is mended'),
    })
    if (isFirst && config.environment === 'sandbox') await ensureDemoMerchant(core)
    gateway = await startGateway(core, config, log, { serves: alone || !isFirst, works: isFirst })
    if (isFirst && !alone) gatherMeasurements(gateway.metrics)
    const url = isFirst && !alone ? await startWorkers(config, log, database.urls, masterKey) : gateway.url
    if (isFirst) {
      tellRunning(config, url)
      const isSandbox = config.environment === 'sandbox'
      const credentials = isSandbox ? await readCredentials(core, url) : undefined
      process.stdout.write(
        welcome(url, credentials, isSandbox ? await demoSignInLink(core, config.dashboardUrl ?? url) : undefined),
      )
    }
  } catch (error) {
    stopping = true
    await inOrder(stopWorkers, gateway?.close, core?.close, database.release).catch(() => {}) // the first failure is told
    throw error
  }
  const opened = { gateway, core }
  const drain = () => opened.gateway.drain(config.drainSeconds)
  return () => inOrder(stopWorkers, drain, opened.gateway.close, opened.core.close, database.release)
}

/** Takes every step, also after one that fails; then throws the first failure. */
async function inOrder(...steps: readonly ((() => Promise<unknown>) | undefined)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) await step?.().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Starts the processes that serve; answers the address they share. */
async function startWorkers(config: Config, log: Log, urls: DatabaseUrls, masterKey: Buffer): Promise<string> {
  const env = {
    DATABASE_URL: urls.program,
    KOBO_VAULT_DATABASE_URL: urls.vault,
    KOBO_MIGRATION_DATABASE_URL: '', // this process has migrated
    // What stands in a file is not put into the environment.
    ...(config.masterKeyFile === undefined ? { KOBO_MASTER_KEY: masterKey.toString('base64') } : {}),
  }
  const [port] = await Promise.all(Array.from({ length: config.workers }, () => startWorker(log, env)))
  return config.publicUrl ?? `http://localhost:${port}`
}

/** Starts one process that serves, and a new one when it dies; answers its port. */
function startWorker(log: Log, env: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = cluster.fork(env)
    worker.once('listening', ({ port }) => resolve(port))
    worker.once('exit', (code, signal) => {
      reject(workerEnded()) // of no effect once it listens
      if (stopping) return
      log.error({ code, signal }, 'a process that serves has ended; another is started')
      setTimeout(() => {
        if (!stopping) startWorker(log, env).catch(() => {}) // told above
      }, RESTART_MILLISECONDS)
    })
  })
}

const WORKER_ENDED = 'KOBO_WORKER_ENDED'
const workerEnded = (): Error =>
  Object.assign(new Error('A process that was to serve has ended'), { code: WORKER_ENDED })

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

function stopOn(signal: NodeJS.Signals, log: Log, secondsMax: number, stop: () => Promise<void>): void {
  process.on(signal, async () => {
    if (stopping) return
    stopping = true
    setTimeout(() => {
      log.error(`not everything had stopped within ${secondsMax} s`)
      process.exit(1)
    }, secondsMax * 1_000).unref()
    try {
      await stop()
      process.exit(0)
    } catch (error) {
      log.fatal({ error }, 'not everything could be stopped')
      process.exit(1)
    }
  })
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  if (cluster.isPrimary) warnOfCareless(config, log)
  const started = start(config, log).catch((error: Error) => {
    const sentence = explainFailure(error, config)
    throw sentence === undefined ? error : new CannotStart(sentence, { cause: error })
  })
  const secondsMax = STOP_SECONDS_MAX + config.drainSeconds
  // From the very start: a process that is stopped while it starts must not leave its PostgreSQL behind.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) stopOn(signal, log, secondsMax, async () => (await started)())
  await started
}

/** What was allowed although it is careless is not forgotten: it is told at every start. */
function warnOfCareless(config: Config, log: Log): void {
  for (const { name, setting, reason } of findCareless(config, 'gateway'))
    log.warn({ allowed: name }, `${setting} ${reason}`)
}

/** Something that is not the program's is in the way of its start. */
class CannotStart extends Error {}

/** Failures that need no stack: what went wrong is in the message, or has been told by another process. */
const isKnown = (error: Error & { code?: string }): boolean =>
  error instanceof CannotStart ||
  error instanceof AlreadyRunning ||
  error instanceof WrongClock ||
  error instanceof WrongCell ||
  error instanceof WrongEnvironment ||
  error.message.startsWith('Settings that are wrong') ||
  error.code === WORKER_ENDED

main().catch((error: Error) => {
  process.stderr.write(`${isKnown(error) ? error.message : error.stack}\n`)
  process.exit(1)
})
