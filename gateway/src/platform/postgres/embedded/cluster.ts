import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../sync-folder.ts'
import type { Binaries } from './binaries.ts'
import { type Account, CLUSTER, codeOf, type Home, writeOnce } from './home.ts'

const OUTPUT_LINES_MAX = 20
const PASSWORD = 'password'
const DRAFT_PREFIX = `${CLUSTER}.new-`

export const SUPERUSER = 'kobo'
/**
 * The environment of PostgreSQL's programs. They do not get our own environment, because it may contain secrets and
 * variables that PostgreSQL reads.
 */
export const ENVIRONMENT = { PATH: process.env['PATH'], LC_ALL: 'C' }

const INITDB_OPTIONS = [
  ...['--username', SUPERUSER, '--auth', 'scram-sha-256', '--data-checksums', '--no-instructions'],
  // PostgreSQL's built-in locale has the same sort order on every system.
  ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
] as const

/** The identity and address of our server. */
export interface Cluster {
  readonly folder: string
  readonly password: string
  /** A part of the server's command line that no other process has. */
  readonly mark: string
}

/** Finds the cluster in a home folder. */
export async function findCluster(home: string): Promise<Cluster | undefined> {
  const password = await readFile(join(home, PASSWORD), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (password === undefined) return undefined
  const mark = `cluster_name=kobo-${createHash('sha256').update(password).digest('hex').slice(0, 12)}`
  return { folder: join(home, CLUSTER), password, mark }
}

/** Finds the cluster in a home folder, or creates it. */
export async function prepareCluster(home: Home, binaries: Binaries, durable: boolean): Promise<Cluster> {
  const password = join(home.folder, PASSWORD)
  if (!(await exists(password))) {
    // The password is created before the cluster, so a cluster without a password has lost it.
    if (await isComplete(home.folder)) throw new Error(`The database's password is missing: restore ${password}`)
    await writeOnce(password, randomBytes(24).toString('hex'), home.account)
  }
  await initialize(home, binaries, durable)
  const cluster = await findCluster(home.folder)
  if (cluster === undefined) throw new Error(`${password} is missing`)
  return cluster
}

const isComplete = (home: string): Promise<boolean> => exists(join(home, CLUSTER, 'PG_VERSION'))

/** Creates the cluster in a draft folder and renames it when it is complete. */
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
      // If the cluster is complete, another process was faster, and the error does not matter.
      if (!(await isComplete(folder))) throw error
    }
  }
  for (const name of await readdir(folder)) {
    // If another process is still writing its draft, that process removes it.
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
  if (result !== 0) throw failure(`PostgreSQL cannot create its folder in ${folder}`, output || String(result))
}

/** Creates an error with PostgreSQL's own message and the fix. */
export const failure = (what: string, output: string): Error => {
  const tail = output.trim().split('\n').slice(-OUTPUT_LINES_MAX).join('\n')
  return new Error(`${what}:\n${tail}\nTo use your own PostgreSQL server instead, set DATABASE_URL.`)
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
