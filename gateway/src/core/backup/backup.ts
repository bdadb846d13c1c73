import { chmod, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type pg from 'pg'
import type { Environment } from '../../platform/config/config.ts'
import { connectionOptions, type Db } from '../../platform/postgres/db.ts'
import { openHosts } from '../../platform/postgres/hosts.ts'
import { checkTool, connectionOf, runPostgresTool } from '../../platform/postgres/tools.ts'
import type { MasterKey } from '../security/key-device.ts'
import { checkFiles, type Manifest, readManifest, writeManifest } from './manifest.ts'

export interface BackupOptions {
  /** The database URL of the owner, who can read everything. */
  readonly url: string
  readonly folder: string
  /** The master key, which signs the manifest. */
  readonly masterKey: MasterKey
  /** The folder of PostgreSQL's programs, if not in the path. */
  readonly tools: string | undefined
  /** How many tables are processed at the same time. */
  readonly jobs: number
  readonly onTable: (done: number, tables: number) => void
}

/** An exported snapshot of the database. */
interface Snapshot {
  readonly id: string
  readonly serverMajor: number
  readonly tables: number
  readonly auditLinks: string
  readonly auditHead: string
}

/**
 * Backs up the whole database into a folder, from one snapshot, while the database is in use. The folder appears only
 * when it is complete. Returns its size and the facts about the snapshot.
 */
export async function makeBackup(
  { url, folder, masterKey, tools, jobs, onTable }: BackupOptions,
  environment: Environment,
  at: Date,
): Promise<Snapshot & { readonly bytes: number }> {
  if (await exists(folder)) throw new Error(`${folder} already exists: choose a new folder.`)
  const draft = `${folder}.part`
  const client = await connected(url)
  try {
    const snapshot = await takeSnapshot(client)
    await checkTool('pg_dump', tools, snapshot.serverMajor)
    await rm(draft, { recursive: true, force: true })
    await mkdir(draft, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new Error(`${dirname(folder)} does not exist: create it first.`) : error
    })
    const options = [
      '--format=directory',
      `--file=${draft}`,
      `--jobs=${jobs}`,
      `--snapshot=${snapshot.id}`,
      '--verbose',
    ]
    const onLine = counting(/dumping contents of table/, snapshot.tables, onTable)
    await runPostgresTool({ tool: 'pg_dump', folder: tools, url, args: options, onLine })
    const { id: _, ...facts } = snapshot
    const bytes = await writeManifest(draft, masterKey, { ...facts, environment, madeAt: at.toISOString() })
    await chmod(draft, 0o700)
    await rename(draft, folder)
    return { ...snapshot, bytes }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  } finally {
    await client.end()
  }
}

/** Restores a complete backup of this environment into an empty database. Returns its manifest. */
export async function loadBackup(
  { url, folder, masterKey, tools, jobs, onTable }: BackupOptions,
  environment: Environment,
  onFile: (done: number, files: number) => void,
): Promise<Manifest> {
  const manifest = await readManifest(folder, masterKey)
  if (manifest.environment !== environment)
    throw new Error(`This is a ${manifest.environment} backup: set KOBO_ENVIRONMENT=${manifest.environment}.`)
  const client = await connected(url)
  const serverMajor = await majorOf(client).finally(() => client.end())
  if (serverMajor < manifest.serverMajor)
    throw new Error(
      `This backup is from PostgreSQL ${manifest.serverMajor}, but the server is ${serverMajor}: too old.`,
    )
  await checkTool('pg_restore', tools, manifest.serverMajor)
  await checkFiles(folder, manifest, onFile)
  const { PGDATABASE: database = '' } = connectionOf(url)
  const options = ['--format=directory', `--dbname=${database}`, `--jobs=${jobs}`, '--verbose', '--exit-on-error']
  const onLine = counting(/processing data for table/, manifest.tables, onTable)
  // Owner and rights come from the current configuration and are granted afterwards.
  const args = [...options, '--no-owner', '--no-privileges', folder]
  await runPostgresTool({ tool: 'pg_restore', folder: tools, url, args, onLine })
  return manifest
}

/** Whether a database contains nothing that a restore would collide with. */
export async function isEmpty(db: Db): Promise<boolean> {
  const [found] = await db<{ empty: boolean }[]>`
    select not exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname <> 'information_schema' and not starts_with(n.nspname, 'pg_')) as empty`
  return found?.empty === true
}

/** Opens a connection without an idle timeout. */
const connected = (url: string): Promise<pg.Client> =>
  openHosts(url).connect({ ...connectionOptions(url), idle_in_transaction_session_timeout: 0 })

/** Exports a snapshot for this connection and others. */
async function takeSnapshot(client: pg.Client): Promise<Snapshot> {
  const serverMajor = await majorOf(client)
  await client.query('begin isolation level repeatable read read only')
  const { rows } = await client.query<{ id: string; tables: string; links: string | null; head: string | null }>(`
    select pg_export_snapshot() as id,
           (select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')) as tables,
           newest.links, newest.head
      from (values (1)) one
      left join (select number as links, encode(hash, 'hex') as head
                   from audit_seal order by number desc limit 1) newest on true`)
  const [row] = rows
  if (row === undefined) throw new Error('The database returned no snapshot')
  const { id, tables, links, head } = row
  return { id, serverMajor, tables: Number(tables), auditLinks: String(links ?? 0), auditHead: head ?? '' }
}

async function majorOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ number: string }>(`select current_setting('server_version_num') as number`)
  return Math.floor(Number(rows[0]?.number) / 10_000)
}

/** Counts the output lines that announce the next table. */
function counting(
  pattern: RegExp,
  tables: number,
  onTable: (done: number, tables: number) => void,
): (line: string) => void {
  let done = 0
  return (line) => {
    if (pattern.test(line)) onTable(Math.min(++done, tables), tables)
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
