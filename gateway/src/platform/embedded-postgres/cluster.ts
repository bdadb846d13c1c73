import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../sync-folder.ts'
import type { Binaries } from './binaries.ts'
import { type Account, CLUSTER, codeOf, type Home, writeOnce } from './home.ts'

const OUTPUT_LINES_MAX = 20
const PASSWORD = 'password'
const DRAFT_PREFIX = `${CLUSTER}.new-`

/** The name of PostgreSQL's superuser. */
export const SUPERUSER = 'kobo'
/** What PostgreSQL's programs see. Our own environment may hold secrets, and variables that mislead them. */
export const ENVIRONMENT = { PATH: process.env['PATH'], LC_ALL: 'C' }

const INITDB_OPTIONS = [
  ...['--username', SUPERUSER, '--auth', 'scram-sha-256', '--data-checksums', '--no-instructions'],
  // Built in: the same order and the same letters on every system, whichever locales it has.
  ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
] as const

/** What is needed to tell our server from all others and to talk to it. */
export interface Cluster {
  readonly folder: string
  readonly password: string
  /** Stands in the server's command line, so that it can be told from any other process. */
  readonly mark: string
}

/** The cluster of a home, or undefined when there is none yet. */
export async function findCluster(home: string): Promise<Cluster | undefined> {
  const password = await readFile(join(home, PASSWORD), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (password === undefined) return undefined
  const mark = `cluster_name=kobo-${createHash('sha256').update(password).digest('hex').slice(0, 12)}`
  return { folder: join(home, CLUSTER), password, mark }
}

/** The cluster of a home, made when it is missing. */
export async function prepareCluster(home: Home, binaries: Binaries, durable: boolean): Promise<Cluster> {
  const password = join(home.folder, PASSWORD)
  if (!(await exists(password))) {
    // The password comes first, so this is no start that was cut short.
    if (await isComplete(home.folder)) throw new Error(`The database's password is missing: put back ${password}`)
    await writeOnce(password, randomBytes(24).toString('hex'), home.account)
  }
  await initialize(home, binaries, durable)
  const cluster = await findCluster(home.folder)
  if (cluster === undefined) throw new Error(`${password} has vanished`)
  return cluster
}

const isComplete = (home: string): Promise<boolean> => exists(join(home, CLUSTER, 'PG_VERSION'))

/** Makes the cluster beside its place and moves it there when complete: one that is half made never counts. */
async function initialize({ folder, account }: Home, { initdb }: Binaries, durable: boolean): Promise<void> {
  if (!(await isComplete(folder))) {
    const draft = join(folder, DRAFT_PREFIX + randomBytes(4).toString('hex'))
    const sync = durable ? [] : ['--no-sync']
    try {
      await run(initdb, [...INITDB_OPTIONS, ...sync, '--pwfile', join(folder, PASSWORD), '-D', draft], account, folder)
      await rename(draft, join(folder, CLUSTER))
      if (durable) await syncFolder(folder)
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      // Another start was faster; it has removed our draft, or its cluster is in the way of ours.
      if (!(await isComplete(folder))) throw error
    }
  }
  for (const name of await readdir(folder)) {
    // Another start may be filling its draft just now: that one removes it itself.
    if (name.startsWith(DRAFT_PREFIX)) await rm(join(folder, name), { recursive: true, force: true }).catch(() => {})
  }
}

async function run(program: string, options: string[], account: Account | undefined, folder: string): Promise<void> {
  const child = spawn(program, options, {
    ...account,
    cwd: folder,
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const result = await new Promise<string | number | null>((resolve) => {
    child.once('error', (error) => resolve(error.message)).once('close', resolve)
  })
  if (result !== 0) throw failure(`PostgreSQL cannot make its folder in ${folder}`, output || String(result))
}

/** An error that ends with what PostgreSQL itself said, and with the way out. */
export const failure = (what: string, output: string): Error => {
  const tail = output.trim().split('\n').slice(-OUTPUT_LINES_MAX).join('\n')
  return new Error(`${what}:\n${tail}\nTo use a PostgreSQL server of your own instead, set DATABASE_URL.`)
}

const exists = async (path: string): Promise<boolean> => {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}
