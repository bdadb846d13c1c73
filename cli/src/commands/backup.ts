import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { migrateDatabase } from '@kobo/gateway/app/core.ts'
import { borrowDatabase } from '@kobo/gateway/app/data-folder.ts'
import { proveBooks } from '@kobo/gateway/app/ledger.ts'
import { type BackupOptions, isEmpty, loadBackup, type Manifest, makeBackup } from '@kobo/gateway/core/backup/index.ts'
import { checkEnvironment } from '@kobo/gateway/core/environment.ts'
import { isClean } from '@kobo/gateway/core/money/ledger/index.ts'
import { verifyChain } from '@kobo/gateway/core/security/audit-chain.ts'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { type Config, readConfig } from '@kobo/gateway/platform/config.ts'
import type { DatabaseUrls } from '@kobo/gateway/platform/database-roles.ts'
import { type Db, openDatabase } from '@kobo/gateway/platform/db.ts'
import { checkMigrated } from '@kobo/gateway/platform/migrate.ts'
import { NO_PROGRESS, type Progress, progressBar } from '@kobo/gateway/platform/progress.ts'
import { type Command, print, type Surroundings, UsageError } from '../command.ts'

const JOBS_STANDARD = 2
const JOBS_MAX = 32
const CONNECTIONS_MAX = 3

const TOOLS_AND_JOBS = `
  --tools FOLDER  where PostgreSQL's programs are, of the server's version or newer; else they are looked for in the path
  --jobs COUNT    tables at once (${JOBS_STANDARD})
`

export const backup: Command = {
  usage: 'FOLDER [--tools FOLDER] [--jobs COUNT]',
  summary: 'Writes the whole database, as it is at this moment, into a new folder, while the gateway runs',
  details: `
By pg_dump, as the owner: KOBO_MIGRATION_DATABASE_URL, or DATABASE_URL where one role does everything. The folder is there
when it is whole, with hashes of its files. Secrets in it are encrypted by the master key, which is not in it: keep that
elsewhere. People's data are not: keep the folder as you keep the database.
${TOOLS_AND_JOBS}`,
  run: async (args, around) => {
    const { folder, tools, jobs } = readArgs(args)
    return withOwner(around, async ({ config, owner, wall }) => {
      await onDatabase(owner, async (db) => {
        await checkMigrated(db)
        await checkEnvironment(db, config.environment)
      })
      const progress = shown(around, 'Backing up', 'tables')
      const options = { url: owner, folder, tools, jobs, onTable: progress.show }
      const made = await makeBackup(options, config.environment, wall.now()).finally(progress.clear)
      const { tables, bytes, auditLinks, auditHead } = made
      print(around, { folder, environment: config.environment, tables, bytes, auditLinks, auditHead })
      return 0
    })
  },
}

export const restore: Command = {
  usage: 'FOLDER [--tools FOLDER] [--jobs COUNT]',
  summary: 'Fills an empty database with a backup and proves its books; exit code 1 if anything is off',
  details: `
Into the database of KOBO_MIGRATION_DATABASE_URL, or of DATABASE_URL where one role does everything: it must be empty, and
KOBO_ENVIRONMENT that of the backup. The roles get their rights, migrations that are missing are applied, the books are
proven from their beginning and the audit's chain up to the end that the backup knows.

Do not start a gateway on it that reaches merchants or partners while another runs: it would send what is due.
${TOOLS_AND_JOBS}`,
  run: async (args, around) => {
    const options = readArgs(args)
    return withOwner(around, async ({ config, owner, urls, wall }) => {
      await onDatabase(owner, async (db) => {
        if (!(await isEmpty(db))) throw new Error('The database is not empty. Nothing was done: name an empty one.')
      })
      const manifest = await load(around, config, { ...options, url: owner })
      const applied = await migrateDatabase(urls, config.environment)
      return onDatabase(owner, (db) => prove(around, db, manifest, applied, wall.now()))
    })
  },
}

async function load(
  around: Surroundings,
  { environment }: Config,
  options: Omit<BackupOptions, 'onTable'>,
): Promise<Manifest> {
  const reading = shown(around, 'Checking', 'files')
  const loading = shown(around, 'Restoring', 'tables')
  const onFile = (done: number, files: number): void => {
    reading.show(done, files)
    if (done === files) reading.clear()
  }
  return loadBackup({ ...options, onTable: loading.show }, environment, onFile).finally(() => {
    reading.clear()
    loading.clear()
  })
}

/** Proves what was restored, and prints what came of it. */
async function prove(around: Surroundings, db: Db, manifest: Manifest, applied: number, at: Date): Promise<number> {
  const progress = shown(around, 'Proving the books', 'merchants')
  const verdict = await proveBooks(db, {
    isWhole: true,
    checkpointFile: undefined,
    at,
    onProgress: ({ merchantsDone, merchants }) => progress.show(merchantsDone, merchants),
  }).finally(progress.clear)
  const number = BigInt(manifest.auditLinks)
  const audit = await verifyChain(db, number === 0n ? [] : [{ number, hash: manifest.auditHead }])
  const clean = isClean(verdict) && audit.wrong.length === 0
  const { merchants, journals, wrong } = verdict
  const books = { merchants, journals, wrong: wrong.length }
  print(around, { clean, madeAt: manifest.madeAt, migrationsApplied: applied, books, audit })
  return clean ? 0 : 1
}

function readArgs(args: string[]): {
  readonly folder: string
  readonly tools: string | undefined
  readonly jobs: number
} {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({ args, options: { tools: text, jobs: text }, allowPositionals: true })
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw new UsageError('One folder is to be named.')
  const jobs = Number(values.jobs ?? JOBS_STANDARD)
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > JOBS_MAX)
    throw new UsageError(`--jobs must be a whole number from 1 to ${JOBS_MAX}.`)
  return { folder: resolve(folder), tools: values.tools, jobs }
}

interface OwnersPlace {
  readonly config: Config
  readonly urls: DatabaseUrls
  /** The database as its owner. */
  readonly owner: string
  readonly wall: typeof wallClock
}

async function withOwner<T>(around: Surroundings, work: (place: OwnersPlace) => Promise<T>): Promise<T> {
  const config = readConfig(around.env, 'command')
  const { urls, release } = await borrowDatabase(config)
  try {
    return await work({ config, urls, owner: urls.owner ?? urls.program, wall: around.wall ?? wallClock })
  } finally {
    await release()
  }
}

async function onDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabase(url, CONNECTIONS_MAX)
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}

const shown = ({ err, isWatched = false }: Surroundings, label: string, unit: string): Progress =>
  isWatched ? progressBar(err, label, unit) : NO_PROGRESS
