import cluster from 'node:cluster'
import process from 'node:process'
import { type Gateway, startGateway } from './app/compose.ts'
import { type Core, openCore, WrongCell, WrongClock, WrongEnvironment } from './app/core.ts'
import {
  AlreadyRunning,
  checkPort,
  type DatabaseLease,
  openFence,
  readMasterKey,
  takeDatabase,
  writeRunningFile,
} from './app/data-folder.ts'
import { SimulatedRails } from './app/rails.ts'
import { startWithDatabase } from './app/wait-for-database.ts'
import { welcome } from './app/welcome.ts'
import { demoSignInLink, ensureDemoMerchant, readCredentials } from './features/sandbox/index.ts'
import { type Config, readConfig, settingsHelp } from './platform/config/config.ts'
import { findInsecureSettings } from './platform/config/live-checks.ts'
import { explainFailure } from './platform/config/start-errors.ts'
import { gatherMeasurements } from './platform/metrics/metrics-of-processes.ts'
import { type Log, openLog, printLine } from './platform/observability/log.ts'
import type { DatabaseUrls } from './platform/postgres/roles.ts'

const STOP_SECONDS_MAX = 15
const RESTART_MILLISECONDS = 1_000

const HELP = `Kobo, a payment gateway.

Usage: npm start                     starts the gateway, and its own PostgreSQL unless DATABASE_URL is set
       npm start -- --help           shows this

Settings, all from the environment:
${settingsHelp()}
`

/**
 * Starts one process. A single process does everything; of several, the first does background work and the others serve
 * requests.
 */
async function start(config: Config, log: Log): Promise<() => Promise<void>> {
  const alone = config.workers === 1
  const isFirst = cluster.isPrimary
  if (isFirst) await checkPort(config)
  const database: DatabaseLease = await takeDatabase(config)
  hasFailed = false
  const fence = openFence(config, (text) => log.error(text))
  let core: Core | undefined
  let gateway: Gateway | undefined
  try {
    core = await openCore({
      ...config,
      database: database.urls,
      masterKey: await readMasterKey(config),
      fence,
      warn: (text) => config.environment === 'live' && isFirst && log.warn(text),
      onNodeLost: () => {
        log.fatal('node number lost; process stopping')
        process.exit(1)
      },
      onUnhealthy: (why) =>
        log.error({ why }, 'process unhealthy; requests and background work paused until this is fixed'),
    })
    if (isFirst && config.environment === 'sandbox') await ensureDemoMerchant(core)
    gateway = await startGateway(core, config, log, { serves: alone || !isFirst, works: isFirst })
    if (isFirst && !alone) gatherMeasurements(gateway.metrics)
    const url = isFirst && !alone ? await startWorkers(config, log, database.urls) : gateway.url
    if (isFirst) {
      writeRunningFile(config, url)
      const isSandbox = config.environment === 'sandbox'
      const credentials = isSandbox ? await readCredentials(core, url) : undefined
      printLine(
        welcome(url, credentials, isSandbox ? await demoSignInLink(core, config.dashboardUrl ?? url) : undefined),
      )
    }
  } catch (error) {
    hasFailed = true
    await inOrder(stopWorkers, gateway?.close, core?.close, database.release).catch(() => {}) // the first error is thrown
    throw error
  }
  const opened = { gateway, core }
  const drain = () => opened.gateway.drain(config.drainSeconds)
  return () => inOrder(stopWorkers, drain, opened.gateway.close, opened.core.close, database.release)
}

/** Runs every step, even after a failure; then throws the first failure. */
async function inOrder(...steps: readonly ((() => Promise<unknown>) | undefined)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) await step?.().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Starts the serving processes; returns their shared URL. */
async function startWorkers(config: Config, log: Log, urls: DatabaseUrls): Promise<string> {
  const env = {
    DATABASE_URL: urls.program,
    KOBO_VAULT_DATABASE_URL: urls.vault,
    KOBO_MIGRATION_DATABASE_URL: '', // this process has migrated
  }
  const [port] = await Promise.all(Array.from({ length: config.workers }, () => startWorker(log, env)))
  return config.publicUrl ?? `http://localhost:${port}`
}

/** Starts a serving process, and another one when it dies; returns its port. */
function startWorker(log: Log, env: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = cluster.fork(env)
    worker.once('listening', ({ port }) => resolve(port))
    worker.once('exit', (code, signal) => {
      reject(workerEnded()) // has no effect once the worker listens
      if (stopping || hasFailed) return
      log.error({ code, signal }, 'HTTP process exited; starting another')
      setTimeout(() => {
        if (!stopping && !hasFailed) startWorker(log, env).catch(() => {}) // reported above
      }, RESTART_MILLISECONDS)
    })
  })
}

const WORKER_ENDED = 'KOBO_WORKER_ENDED'
const workerEnded = (): Error =>
  Object.assign(new Error('An HTTP process exited during startup'), { code: WORKER_ENDED })

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

/** Whether a signal to stop was received. */
let stopping = false
/** Whether the start failed. Then workers that end are not replaced. */
let hasFailed = false

type Stop = () => Promise<void>

function stopOn(signal: NodeJS.Signals, log: Log, secondsMax: number, started: Promise<Stop | undefined>): void {
  process.on(signal, async () => {
    if (stopping) return
    stopping = true
    // The limit starts only here, because migrations may take long and are not interrupted.
    const stop = await started.catch(() => 'failed' as const)
    if (stop === 'failed') return // `main` reports why, and exits
    try {
      setTimeout(() => {
        log.error(`shutdown not finished within ${secondsMax} s`)
        process.exit(1)
      }, secondsMax * 1_000).unref()
      await stop?.()
      process.exit(0)
    } catch (error) {
      log.fatal({ error }, 'shutdown failed')
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
  if (cluster.isPrimary) warnOfInsecureSettings(config, log)
  const begin = () => start(config, log)
  const isStopping = (): boolean => stopping
  // Only the first process waits for the database: it restarts serving processes that fail.
  const started = (cluster.isPrimary ? startWithDatabase(config, log, begin, isStopping) : begin()).catch(
    (error: Error) => {
      const sentence = explainFailure(error, config)
      throw sentence === undefined ? error : new CannotStart(sentence, { cause: error })
    },
  )
  const secondsMax = STOP_SECONDS_MAX + config.drainSeconds
  // Signals are handled even before the start has finished, because such a process must also stop its PostgreSQL.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) stopOn(signal, log, secondsMax, started)
  await started
}

/** Logs insecure settings that are allowed, at every start. */
function warnOfInsecureSettings(config: Config, log: Log): void {
  for (const { name, setting, reason } of findInsecureSettings(config, 'gateway'))
    log.warn({ allowed: name }, `${setting} ${reason}`)
}

/** A failed start whose reason is outside the program. */
class CannotStart extends Error {}

/** Whether a failure is logged without a stack, because its message is enough or another process has reported it. */
const isKnown = (error: Error & { code?: string }): boolean =>
  error instanceof CannotStart ||
  error instanceof AlreadyRunning ||
  error instanceof WrongClock ||
  error instanceof WrongCell ||
  error instanceof WrongEnvironment ||
  error instanceof SimulatedRails ||
  error.message.startsWith('Invalid settings') ||
  error.code === WORKER_ENDED

main().catch((error: Error) => {
  process.stderr.write(`${isKnown(error) ? error.message : error.stack}\n`)
  process.exit(1)
})
