import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Credentials } from '@kobo/gateway/app/demo.ts'
import type { Profile } from './flame.ts'

const run = promisify(execFile)

export interface Running {
  readonly stop: () => Promise<void>
}

async function started<Message>(
  file: URL,
  env: NodeJS.ProcessEnv = process.env,
  args: readonly string[] = [],
): Promise<{ child: ChildProcess; message: Message }> {
  const child = fork(file, args, {
    env,
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
  const { child, message } = await started<{ port: number }>(new URL('no-op.ts', import.meta.url))
  return { url: `http://127.0.0.1:${message.port}`, stop: () => stop(child) }
}

/** Medusa's payment module, as it is installed in a folder, behind a bare HTTP server. */
export async function startMedusa(folder: string, databaseUrl: string): Promise<Running & { readonly url: string }> {
  const args = [folder, databaseUrl]
  const { child, message } = await started<{ port: number }>(new URL('medusa.ts', import.meta.url), process.env, args)
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
  const { child, message } = await started<{ port: number }>(new URL('receiver.ts', import.meta.url))
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

/** The same for every gateway of a benchmark, so that several can share a database. */
export const MASTER_KEY = Buffer.alloc(32, 1)

export interface RunningGateway extends Running {
  readonly url: string
  readonly credentials: Credentials
  readonly rssBytes: () => Promise<number>
  /** Makes so many further merchants; none where the version cannot. */
  readonly makeMerchants: (count: number) => Promise<readonly Credentials[]>
  readonly processId: number
  /** From now on it is noted where its time goes. */
  readonly startProfile: () => Promise<void>
  readonly endProfile: () => Promise<Profile>
}

/** The gateway of this version; that of another has its own file. */
export const GATEWAY = new URL('gateway.ts', import.meta.url)

/** The settings of every gateway of a benchmark. */
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
  const ask = async <Answer>(what: string | object): Promise<Answer> => {
    child.send(what)
    return (await once(child, 'message'))[0] as Answer
  }
  return {
    url: message.url.replace('localhost', '127.0.0.1'),
    credentials: message.credentials,
    rssBytes: async () => (await ask<{ rss: number }>('memory')).rss,
    makeMerchants: async (count) => {
      const { merchants = [] } = await ask<{ merchants?: readonly Credentials[] }>({ merchants: count })
      return merchants
    },
    processId: child.pid ?? 0,
    startProfile: async () => void (await ask('start profile')),
    endProfile: async () => (await ask<{ profile: Profile }>('end profile')).profile,
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

/** What a command printed, how long it took from its start to its end, and what it used. */
export interface Ran {
  readonly printed: unknown
  readonly seconds: number
  readonly megabytes: number
  readonly statements: number
}

const COMMAND = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))
const METER = new URL('command-meter.ts', import.meta.url)
const OUTPUT_BYTES_MAX = 100_000_000

/** Runs a command beside the gateway as an operator does, in a process of its own. */
export async function runCommand(databaseUrl: string, words: readonly string[]): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'kobo-command-'))
  try {
    const used = join(folder, 'used.json')
    const env = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      KOBO_ENVIRONMENT: 'sandbox',
      KOBO_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), // as the gateway's
    }
    const started = performance.now()
    const args = ['--import', `${METER}?into=${encodeURIComponent(used)}`, COMMAND, ...words]
    const { stdout } = await run(process.execPath, args, { env, maxBuffer: OUTPUT_BYTES_MAX })
    const seconds = (performance.now() - started) / 1_000
    const { maxRssKilobytes, statements } = JSON.parse(readFileSync(used, 'utf8'))
    return { printed: JSON.parse(stdout), seconds, megabytes: maxRssKilobytes / 1_000, statements }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
