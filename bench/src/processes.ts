import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import type { Credentials } from '@kobo/gateway/app/demo.ts'

const run = promisify(execFile)

export interface Running {
  readonly stop: () => Promise<void>
}

async function started<Message>(file: URL, env: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; message: Message }> {
  const child = fork(file, {
    env: { ...process.env, ...env },
    execArgv: ['--max-semi-space-size=16', '--heap-growing-percent=50'], // as npm start does
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
  const { child, message } = await started<{ port: number }>(new URL('no-op.ts', import.meta.url), {})
  return { url: `http://127.0.0.1:${message.port}`, stop: () => stop(child) }
}

/** A merchant's server. */
export interface Receiver extends Running {
  readonly url: string
  /** How many events it has taken. */
  readonly count: () => Promise<number>
  /** Lets events wait for their answers. */
  readonly shut: () => Promise<number>
  /** Answers those that wait, and all further ones. */
  readonly open: () => Promise<number>
}

export async function startReceiver(): Promise<Receiver> {
  const { child, message } = await started<{ port: number }>(new URL('receiver.ts', import.meta.url), {})
  const tell = (word: 'count' | 'shut' | 'open') => async (): Promise<number> => {
    const told = once(child, 'message')
    child.send(word)
    const [{ received }] = (await told) as [{ received: number }]
    return received
  }
  return {
    url: `http://127.0.0.1:${message.port}/`,
    count: tell('count'),
    shut: tell('shut'),
    open: tell('open'),
    stop: () => stop(child),
  }
}

export interface RunningGateway extends Running {
  readonly url: string
  readonly credentials: Credentials
  readonly rssBytes: () => Promise<number>
  /** Makes so many further merchants; none where the version cannot. */
  readonly makeMerchants: (count: number) => Promise<readonly Credentials[]>
  readonly processId: number
}

/** The gateway of this version; that of another has its own file. */
export const GATEWAY = new URL('gateway.ts', import.meta.url)

export async function startGatewayProcess(databaseUrl: string, file: URL): Promise<RunningGateway> {
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    LOG_LEVEL: 'info',
    KOBO_ENVIRONMENT: 'sandbox',
    KOBO_BATCH_TRANSFERS_MAX: '10000',
  }
  const { child, message } = await started<{ url: string; credentials: Credentials }>(file, env)
  return {
    url: message.url.replace('localhost', '127.0.0.1'),
    credentials: message.credentials,
    rssBytes: async () => {
      child.send('memory')
      const [{ rss }] = (await once(child, 'message')) as [{ rss: number }]
      return rss
    },
    makeMerchants: async (count) => {
      child.send({ merchants: count })
      const [{ merchants = [] }] = (await once(child, 'message')) as [{ merchants?: readonly Credentials[] }]
      return merchants
    },
    processId: child.pid ?? 0,
    stop: () => stop(child),
  }
}

const PGBENCH_CLIENTS = '16'
const PGBENCH_THREADS = '2'

/** PostgreSQL's own measure on the same server: TPC-B transactions a second. Undefined where pgbench is not installed. */
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
