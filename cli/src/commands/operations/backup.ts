import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { migrateDatabase } from '@kobo/gateway/app/core.ts'
import { borrowDatabase, readMasterKey } from '@kobo/gateway/app/data-folder.ts'
import { runVerification } from '@kobo/gateway/app/ledger.ts'
import { type BackupOptions, isEmpty, loadBackup, type Manifest, makeBackup } from '@kobo/gateway/core/backup/index.ts'
import { checkEnvironment } from '@kobo/gateway/core/environment.ts'
import { isClean } from '@kobo/gateway/core/money/ledger/index.ts'
import { verifyChain } from '@kobo/gateway/core/security/audit-chain.ts'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { type Config, readConfig } from '@kobo/gateway/platform/config/config.ts'
import { NO_PROGRESS, type Progress, progressBar } from '@kobo/gateway/platform/formats/progress-bar.ts'
import { type Db, openDatabase } from '@kobo/gateway/platform/postgres/db.ts'
import { checkMigrated } from '@kobo/gateway/platform/postgres/migrate.ts'
import type { DatabaseUrls } from '@kobo/gateway/platform/postgres/roles.ts'
import { type Command, type CommandContext, print, UsageError } from '../../command.ts'

const JOBS_DEFAULT = 2
const JOBS_MAX = 32
const CONNECTIONS_MAX = 3

const TOOLS_AND_JOBS = `
  --tools FOLDER  the folder of PostgreSQL's programs, of the server's version or newer (default: from the PATH)
  --jobs COUNT    tables to process in parallel (default ${JOBS_DEFAULT})
`

export const backup: Command = {
  usage: 'FOLDER [--tools FOLDER] [--jobs COUNT]',
  summary: 'Backs up the database into a new folder while the gateway runs',
  details: `
Uses pg_dump as the database owner: KOBO_MIGRATION_DATABASE_URL, or DATABASE_URL if you use a single role. The folder appears
when the backup is complete, with hashes of its files, signed with the master key. Secrets are encrypted with the master key, which
is not included: store it separately. Personal data is not encrypted: protect the folder like the database.
${TOOLS_AND_JOBS}`,
  run: async (args, context) => {
    const { folder, tools, jobs } = readArgs(args)
    return withOwner(context, async ({ config, owner, wall }) => {
      await onDatabase(owner, async (db) => {
        await checkMigrated(db)
        await checkEnvironment(db, config.environment)
      })
      const progress = progressIn(context, 'Backing up', 'tables')
      const masterKey = await readMasterKey(config)
      const options = { url: owner, folder, masterKey, tools, jobs, onTable: progress.show }
      const made = await makeBackup(options, config.environment, wall.now()).finally(progress.clear)
      const { tables, bytes, auditLinks, auditHead } = made
      print(context, { folder, environment: config.environment, tables, bytes, auditLinks, auditHead })
      return 0
    })
  },
}

export const restore: Command = {
  usage: 'FOLDER [--tools FOLDER] [--jobs COUNT]',
  summary: 'Restores a backup into an empty database and verifies it; exit code 1 if anything is wrong',
  details: `
Restores into KOBO_MIGRATION_DATABASE_URL, or DATABASE_URL if you use a single role. The database must be empty, its roles must exist,
and KOBO_ENVIRONMENT must match the backup. Grants the roles their rights, applies missing migrations, and verifies the whole ledger
and the audit log's hash chain.

Do not start a gateway on the restored database while another one runs: both would send the same payouts and events.
${TOOLS_AND_JOBS}`,
  run: async (args, context) => {
    const options = readArgs(args)
    return withOwner(context, async ({ config, owner, urls, wall }) => {
      await onDatabase(owner, async (db) => {
        if (!(await isEmpty(db)))
          throw new Error('The database is not empty. Nothing was restored: use an empty database.')
      })
      // Checks that the roles can log in. Otherwise their rights could not be granted at the end.
      for (const url of [urls.program, urls.vault]) await onDatabase(url, isEmpty)
      const masterKey = await readMasterKey(config)
      const manifest = await load(context, config, { ...options, url: owner, masterKey })
      const applied = await migrateDatabase(urls, config.environment)
      return onDatabase(owner, (db) => verify(context, db, manifest, applied, wall.now()))
    })
  },
}

async function load(
  context: CommandContext,
  { environment }: Config,
  options: Omit<BackupOptions, 'onTable'>,
): Promise<Manifest> {
  const reading = progressIn(context, 'Checking', 'files')
  const loading = progressIn(context, 'Restoring', 'tables')
  const onFile = (done: number, files: number): void => {
    reading.show(done, files)
    if (done === files) reading.clear()
  }
  return loadBackup({ ...options, onTable: loading.show }, environment, onFile).finally(() => {
    reading.clear()
    loading.clear()
  })
}

/** Verifies the restored database and prints the result. */
async function verify(context: CommandContext, db: Db, manifest: Manifest, applied: number, at: Date): Promise<number> {
  const progress = progressIn(context, 'Verifying the ledger', 'merchants')
  const verdict = await runVerification(db, {
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
  print(context, { clean, madeAt: manifest.madeAt, migrationsApplied: applied, books, audit })
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
  if (folder === undefined || more.length > 0) throw new UsageError('Specify one folder.')
  const jobs = Number(values.jobs ?? JOBS_DEFAULT)
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > JOBS_MAX)
    throw new UsageError(`--jobs must be a whole number from 1 to ${JOBS_MAX}.`)
  return { folder: resolve(folder), tools: values.tools, jobs }
}

interface OwnerContext {
  readonly config: Config
  readonly urls: DatabaseUrls
  /** The database URL of the owner role. */
  readonly owner: string
  readonly wall: typeof wallClock
}

async function withOwner<T>(context: CommandContext, work: (place: OwnerContext) => Promise<T>): Promise<T> {
  const config = readConfig(context.env, 'command')
  const { urls, release } = await borrowDatabase(config)
  try {
    return await work({ config, urls, owner: urls.owner ?? urls.program, wall: context.wall ?? wallClock })
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

const progressIn = ({ err, isTerminal = false }: CommandContext, label: string, unit: string): Progress =>
  isTerminal ? progressBar(err, label, unit) : NO_PROGRESS
