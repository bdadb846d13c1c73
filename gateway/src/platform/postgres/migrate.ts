import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type Db, inTransaction, type Tx, waitForLocks } from './db.ts'

const DIRECTORY = new URL('../../../migrations/', import.meta.url)
const LOCK = 20_260_301

/** The comment in a migration that removes something: older programs cannot run with it. */
export const MUST_BE_KNOWN = /^-- Every program must know this: \S/m
/** A migration's name starts with the minute in which it was written: 202611171001_merchants.sql. */
export const MIGRATION_NAME = /^(\d{12})_[a-z0-9_]+\.sql$/

/** The database's schema is not the one that this program needs; the message says what to do. */
export class WrongSchema extends Error {}

interface Migration {
  readonly version: bigint
  readonly name: string
  readonly text: string
  readonly checksum: string
  /** Whether a program must know this migration to run. */
  readonly mustBeKnown: boolean
}

interface Applied {
  readonly version: bigint
  readonly checksum: string
  readonly mustBeKnown: boolean
}

/**
 * Migrates the database, then runs the check; if the check fails, the migration is rolled back. A newer schema is
 * accepted, because newer versions only add to it. Safe to call from several processes; returns how many migrations
 * ran.
 *
 * Migrations run in the order of their dates. One from a branch that was merged late still runs, even if a later one
 * was applied before.
 */
export async function migrate(db: Db, check?: (tx: Tx) => Promise<void>): Promise<number> {
  const migrations = readMigrations()
  return inTransaction(db, async (tx) => {
    waitForLocks(tx)
    void tx`select set_config('statement_timeout', '0', true)` // an index on a large table takes long
    await tx`select pg_advisory_xact_lock(${LOCK})`
    await rejectNumbered(tx)
    await tx`
      create table if not exists schema_migration (
        version       bigint      primary key,
        name          text        not null,
        checksum      text        not null,
        must_be_known boolean     not null,
        applied_at    timestamptz not null default now()
      )`
    const applied = await readApplied(tx, migrations)
    let count = 0
    for (const { version, name, text, checksum, mustBeKnown } of migrations) {
      const known = applied.get(version)
      if (known !== undefined && known !== checksum)
        throw new WrongSchema(
          `Migration ${name} was changed after it was applied. Migrations are forward-only: add a new one.`,
        )
      if (known !== undefined) continue
      await tx.script(text)
      await tx`
        insert into schema_migration (version, name, checksum, must_be_known)
        values (${version}, ${name}, ${checksum}, ${mustBeKnown})`
      count++
    }
    await check?.(tx)
    return count
  })
}

/**
 * Reads the checksums of applied migrations, by version. Throws if this program does not know a migration that every
 * program must know.
 */
async function readApplied(sql: Db | Tx, migrations: readonly Migration[]): Promise<ReadonlyMap<bigint, string>> {
  const applied = await sql<Applied[]>`select version, checksum, must_be_known from schema_migration`
  const known = new Set(migrations.map(({ version }) => version))
  const newer = applied.find(({ version, mustBeKnown }) => mustBeKnown && !known.has(version))
  if (newer !== undefined)
    throw new WrongSchema(
      `The database is newer than this program: it has migration ${newer.version}. Run the newer program.`,
    )
  return new Map(applied.map(({ version, checksum }) => [version, checksum]))
}

/** Rejects a database with the old numbered migrations, which the dated ones replaced. */
async function rejectNumbered(sql: Db | Tx): Promise<void> {
  const numbered = await sql`
    select from pg_attribute
     where attrelid = to_regclass('schema_migration') and attname = 'version' and atttypid = 'integer'::regtype`
  if (numbered.count > 0)
    throw new WrongSchema(
      'This database was created by a version before 0.1.0, which cannot be upgraded: run that version, or start with an empty database.',
    )
}

/** Whether the role may migrate: it owns the tables, or may create them. */
export async function mayMigrate(db: Db): Promise<boolean> {
  const [schema] = await db<{ owned: boolean | null }[]>`
    select coalesce(
      (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('schema_migration')),
      has_schema_privilege(current_schema(), 'create')) as owned`
  return schema?.owned === true
}

/** Throws if the database is not migrated: for a program that may not migrate it. */
export async function checkMigrated(db: Db): Promise<void> {
  const migrations = readMigrations()
  await rejectNumbered(db)
  const [found] = await db<{ exists: boolean }[]>`select to_regclass('schema_migration') is not null as exists`
  const applied = found?.exists === true ? await readApplied(db, migrations) : new Map<bigint, string>()
  const missing = migrations.filter(({ version }) => !applied.has(version))
  if (missing.length > 0)
    throw new WrongSchema(
      `The database is older than this program: it lacks ${missing.map(({ name }) => name).join(', ')}. To migrate it, start a gateway of this version as the owner or run kobo migrate (see KOBO_MIGRATION_DATABASE_URL). Or run the version that matches the database.`,
    )
}

function readMigrations(): readonly Migration[] {
  return readdirSync(DIRECTORY)
    .filter((name) => MIGRATION_NAME.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, DIRECTORY), 'utf8')
      return {
        version: BigInt(name.slice(0, 12)),
        name,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
        mustBeKnown: MUST_BE_KNOWN.test(text),
      }
    })
}
