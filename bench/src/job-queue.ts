// Runs the job queue of another library in its own process: it stores jobs in PostgreSQL and sends them by HTTP. Each
// library has the settings that its documentation recommends for speed, and sends as many requests at once as we do.
import process from 'node:process'
import { Agent, request } from 'undici'

const [name = '', databaseUrl = '', receiverUrl = ''] = process.argv.slice(2)
const CONNECTIONS = 16
/** How many jobs one query fetches: as many as Kobo leases in advance for a fast endpoint. */
const JOBS_AHEAD = 256
const dispatcher = new Agent({ connections: CONNECTIONS })

async function post(body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await request(receiverUrl, { method: 'POST', headers, body: JSON.stringify(body), dispatcher })
  await response.body.dump()
}

interface JobQueue {
  readonly add: (bodies: readonly object[]) => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

// Neither library is a dependency of Kobo, so their types are unknown here.
const load = (library: string) => import(library)

async function pgBoss(): Promise<JobQueue> {
  const { PgBoss } = await load('pg-boss')
  const boss = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false })
  boss.on('error', (error: Error) => process.stderr.write(`${error.message}\n`))
  await boss.start()
  await boss.createQueue('events')
  const deliver = async (jobs: readonly { readonly data: unknown }[]): Promise<void> => {
    const left = jobs.values()
    const lane = async (): Promise<void> => {
      for (const job of left) await post(job.data)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  }
  return {
    add: (bodies) =>
      boss.insert(
        'events',
        bodies.map((data) => ({ data })),
      ),
    start: () =>
      boss.work('events', { batchSize: JOBS_AHEAD, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 }, deliver),
    stop: () => boss.offWork('events', { wait: true }),
  }
}

async function graphileWorker(): Promise<JobQueue> {
  const { Logger, makeWorkerUtils, run } = await load('graphile-worker')
  const logger = new Logger(() => () => {})
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger })
  await utils.migrate()
  const preset = { worker: { localQueue: { size: JOBS_AHEAD }, completeJobBatchDelay: 0, maxPoolSize: 20 } }
  let runner: { stop: () => Promise<void> } | undefined
  return {
    add: (bodies) => utils.addJobs(bodies.map((payload) => ({ identifier: 'deliver', payload }))),
    start: async () => {
      const settings = {
        connectionString: databaseUrl,
        concurrency: CONNECTIONS,
        noHandleSignals: true,
        logger,
        preset,
      }
      runner = await run({ ...settings, taskList: { deliver: post } })
    },
    stop: async () => runner?.stop(),
  }
}

const queue = name === 'pg-boss' ? await pgBoss() : await graphileWorker()
process.on('disconnect', () => process.exit())
process.on('message', async (word: { readonly add: readonly object[] } | 'start' | 'stop') => {
  await (typeof word === 'object' ? queue.add(word.add) : queue[word]())
  process.send?.('done')
})
process.send?.('ready')
