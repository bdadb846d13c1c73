import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Credentials } from '@kobo/gateway/features/sandbox/index.ts'

const run = promisify(execFile)

export interface Running {
  readonly stop: () => Promise<void>
}

/** Node's options in `npm start`. */
export const NODE_OPTIONS = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=50',
  '--no-allocation-site-pretenuring',
] as const

async function started<Message>(
  file: URL,
  env: NodeJS.ProcessEnv = process.env,
  args: readonly string[] = [],
): Promise<{ child: ChildProcess; message: Message }> {
  const child = fork(file, args, {
    env,
    execArgv: [...NODE_OPTIONS],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended before it was ready`))),
  ])) as [Message]
  return { child, message }
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

export async function startNoOp(): Promise<Running & { readonly url: string }> {
  const { child, message } = await started<{ port: number }>(new URL('no-op.ts', import.meta.url))
  return { url: `http://127.0.0.1:${message.port}`, stop: () => stop(child) }
}

/** A webhook endpoint. */
export interface Receiver extends Running {
  readonly url: string
  /** How many events it has received. */
  readonly count: () => Promise<number>
  /** Stops responding, so that deliveries wait. */
  readonly shut: () => Promise<number>
  /** Responds again, also to the deliveries that wait. */
  readonly open: () => Promise<number>
}

export async function startReceiver(): Promise<Receiver> {
  const { child, message } = await started<{ port: number }>(new URL('receiver.ts', import.meta.url))
  const command = (word: 'count' | 'shut' | 'open') => async (): Promise<number> => {
    const replied = once(child, 'message')
    child.send(word)
    const [{ received }] = (await replied) as [{ received: number }]
    return received
  }
  return {
    url: `http://127.0.0.1:${message.port}/`,
    count: command('count'),
    shut: command('shut'),
    open: command('open'),
    stop: () => stop(child),
  }
}

/** Starts the job queue of another library; returns undefined if it is not installed. */
export async function startJobQueue(library: string, databaseUrl: string, receiverUrl: string) {
  try {
    import.meta.resolve(library)
  } catch {
    process.stdout.write(`${library} is not installed (npm install --no-save ${library}), so it is not measured.\n`)
    return undefined
  }
  const file = new URL('job-queue.ts', import.meta.url)
  const { child } = await started(file, process.env, [library, databaseUrl, receiverUrl])
  const command = async (word: { readonly add: readonly object[] } | 'start' | 'stop'): Promise<void> => {
    const done = once(child, 'message')
    child.send(word)
    await done
  }
  return {
    add: (bodies: readonly object[]) => command({ add: bodies }),
    start: () => command('start'),
    /** Stops fetching jobs, and waits until the last deliveries are recorded. */
    finish: () => command('stop'),
    stop: () => stop(child),
  }
}

/** One key for all gateways of a benchmark, so that several can share a database. */
export const MASTER_KEY = Buffer.alloc(32, 1)

export interface RunningGateway extends Running {
  readonly url: string
  readonly credentials: Credentials
  readonly rssBytes: () => Promise<number>
  /** Creates more merchants; returns none if the measured version cannot create them. */
  readonly makeMerchants: (count: number) => Promise<readonly Credentials[]>
  readonly processId: number
}

/** The file that starts this version's gateway; another version has its own. */
export const GATEWAY = new URL('gateway.ts', import.meta.url)

/** The settings of every benchmark gateway. */
export const gatewayEnvironment = (databaseUrl: string): NodeJS.ProcessEnv => ({
  ...process.env,
  DATABASE_URL: databaseUrl,
  PORT: '0',
  LOG_LEVEL: 'info',
  KOBO_ENVIRONMENT: 'sandbox',
  KOBO_BATCH_TRANSFERS_MAX: '10000',
})

export async function startGatewayProcess(databaseUrl: string, file: URL): Promise<RunningGateway> {
  const env = gatewayEnvironment(databaseUrl)
  const { child, message } = await started<{ url: string; credentials: Credentials }>(file, env)
  const request = async <Result>(what: string | object): Promise<Result> => {
    child.send(what)
    return (await once(child, 'message'))[0] as Result
  }
  return {
    url: message.url.replace('localhost', '127.0.0.1'),
    credentials: message.credentials,
    rssBytes: async () => (await request<{ rss: number }>('memory')).rss,
    makeMerchants: async (count) => {
      const { merchants = [] } = await request<{ merchants?: readonly Credentials[] }>({ merchants: count })
      return merchants
    },
    processId: child.pid ?? 0,
    stop: () => stop(child),
  }
}

const PGBENCH_CLIENTS = '16'
const PGBENCH_THREADS = '2'

/** Runs PostgreSQL's own benchmark. Returns TPC-B transactions per second; undefined if pgbench is not installed. */
export async function pgbench(databaseUrl: string, seconds: number, initialize: boolean): Promise<number | undefined> {
  try {
    if (initialize) await run('pgbench', ['--initialize', '--quiet', '--scale=10', databaseUrl])
    const { stdout } = await run('pgbench', [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${PGBENCH_CLIENTS}`,
      `--jobs=${PGBENCH_THREADS}`,
      `--time=${Math.ceil(seconds)}`,
      databaseUrl,
    ])
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const COMMAND = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))

/** Runs a command against the gateway's database, like an operator. */
export async function runCommand(databaseUrl: string, words: readonly string[]): Promise<void> {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    KOBO_ENVIRONMENT: 'sandbox',
    KOBO_MASTER_KEY: MASTER_KEY.toString('base64'),
  }
  await run(process.execPath, [COMMAND, ...words], { env })
}
