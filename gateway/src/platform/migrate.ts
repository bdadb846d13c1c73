import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type Db, inTransaction, type Tx, waitForLocks } from './db.ts'

const DIRECTORY = new URL('../../migrations/', import.meta.url)
const LOCK = 20_260_301

/** The newest migration of the first programs, which refuse to start where `schema_migration` holds one that they do not know. */
export const FOUNDATION_VERSION = 14
/** How a migration says that no program can run without knowing of it: because it takes something away. */
export const MUST_BE_KNOWN = /^-- Every program must know this: \S/m

interface Migration {
  readonly version: number
  readonly name: string
  readonly text: string
  readonly checksum: string
  /** Whether a program that does not know it must not run. */
  readonly mustBeKnown: boolean
}

/**
 * Brings the database to the newest schema, and checks it; where the check fails nothing remains of either. A schema that is
 * newer is left as it is: what was merely added to it disturbs nobody. Safe to call from many processes at once; answers how
 * many migrations it applied.
 */
export async function migrate(db: Db, check?: (tx: Tx) => Promise<void>): Promise<number> {
  const migrations = readMigrations()
  return inTransaction(db, async (tx) => {
    waitForLocks(tx)
    await tx`select pg_advisory_xact_lock(${LOCK})`
    const checksums = await readApplied(tx, migrations)
    let count = 0
    for (const { version, name, text, checksum, mustBeKnown } of migrations) {
      const known = checksums.get(version)
      if (known !== undefined && known !== checksum)
        throw new Error(
          `Migration ${name} was changed after it had been applied. Migrations are forward only: add a new one.`,
        )
      if (known !== undefined) continue
      await tx.script(text)
      if (mustBeKnown)
        await tx`insert into schema_migration (version, name, checksum) values (${version}, ${name}, ${checksum})`
      else await tx`insert into schema_addition (version, name, checksum) values (${version}, ${name}, ${checksum})`
      count++
    }
    await check?.(tx)
    return count
  })
}

/** The checksums of what was applied, by version; throws where a program that knows no more than these must not run. */
async function readApplied(tx: Tx, migrations: readonly Migration[]): Promise<ReadonlyMap<number, string>> {
  await tx`
    create table if not exists schema_migration (
      version    integer     primary key,
      name       text        not null,
      checksum   text        not null,
      applied_at timestamptz not null default now()
    )`
  // Apart from the others, so that a program of before, which does not know them, can be started again beside us.
  await tx`create table if not exists schema_addition (like schema_migration including all)`
  const applied = await tx<{ version: number; checksum: string }[]>`select version, checksum from schema_migration`
  refuseNewer(applied, migrations)
  const added = await tx<{ version: number; checksum: string }[]>`select version, checksum from schema_addition`
  return new Map([...applied, ...added].map(({ version, checksum }) => [version, checksum]))
}

/** Refuses a database from which something was taken that this program needs. */
function refuseNewer(applied: readonly { version: number }[], migrations: readonly Migration[]): void {
  const unknown = applied.find(({ version }) => !migrations.some((migration) => migration.version === version))
  if (unknown !== undefined)
    throw new Error(
      `The database is newer than this program: it has migration ${unknown.version}. Run the newer program.`,
    )
}

/** Whether whoever is connected may migrate: it owns the tables, or may make them where there are none yet. */
export async function mayMigrate(db: Db): Promise<boolean> {
  const [schema] = await db<{ owned: boolean | null }[]>`
    select coalesce(
      (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('schema_migration')),
      has_schema_privilege(current_schema(), 'create')) as owned`
  return schema?.owned === true
}

/** Refuses a database that is not as this program needs it: for one that only reads, or may not migrate. */
export async function checkMigrated(db: Db): Promise<void> {
  const migrations = readMigrations()
  const [found] = await db<{ exists: boolean }[]>`select to_regclass('schema_addition') is not null as exists`
  const isMade = found?.exists === true
  const applied = isMade ? await db<{ version: number }[]>`select version from schema_migration` : []
  refuseNewer(applied, migrations)
  const added = isMade ? await db<{ version: number }[]>`select version from schema_addition` : []
  const versions = new Set([...applied, ...added].map(({ version }) => version))
  const missing = migrations.filter(({ version }) => !versions.has(version))
  if (missing.length > 0)
    throw new Error(
      `The database is older than this program: it lacks ${missing.map(({ name }) => name).join(', ')}. A gateway of this version brings it up to date when it starts as the owner, and so does kobo migrate: see KOBO_MIGRATION_DATABASE_URL. Or run the version that the database is of.`,
    )
}

function readMigrations(): readonly Migration[] {
  return readdirSync(DIRECTORY)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, DIRECTORY), 'utf8')
      const version = Number(name.slice(0, 4))
      return {
        version,
        name,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
        mustBeKnown: version <= FOUNDATION_VERSION || MUST_BE_KNOWN.test(text),
      }
    })
}
