import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../platform/config/config.ts'
import { explainFailure, isDatabaseAway } from '../platform/config/start-errors.ts'
import type { Log } from '../platform/observability/log.ts'
import { openDatabase } from '../platform/postgres/db.ts'
import { whyUnavailable } from '../platform/postgres/health.ts'

const RETRY_MILLISECONDS = 2_000

/**
 * Starts the program. If the database is unavailable in live mode, waits for it and tries again. Until then, the
 * process is alive but not ready. It does not exit, because its manager would restart it with growing delays. Returns
 * undefined if it is stopped first.
 */
export async function startWithDatabase<T>(
  config: Config,
  log: Log,
  start: () => Promise<T>,
  isStopping: () => boolean,
): Promise<T | undefined> {
  while (!isStopping()) {
    try {
      return await start()
    } catch (error) {
      const { databaseUrl, environment } = config
      if (environment === 'sandbox' || databaseUrl === undefined || !isDatabaseAway(error)) throw error
      log.error({ reason: explainFailure(error, config) }, 'database unavailable; start waits for it')
      await waitFor(databaseUrl, config, isStopping)
    }
  }
  return undefined
}

/** Serves only health checks until the database accepts writes. */
async function waitFor(databaseUrl: string, { host, port }: Config, isStopping: () => boolean): Promise<void> {
  const server = createServer(({ url }, response) => {
    const isAlive = url === '/health/live'
    response.writeHead(isAlive ? 200 : 503, { 'content-type': 'application/json', connection: 'close' })
    response.end(isAlive ? '{"status":"UP"}' : '{"status":"DOWN","reason":"The database is unavailable"}')
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const db = openDatabase(databaseUrl, 1)
  try {
    do await pause(RETRY_MILLISECONDS)
    while (!isStopping() && (await whyUnavailable(db)) !== undefined)
  } finally {
    await db.end()
    await new Promise((resolve) => server.close(resolve))
  }
}
