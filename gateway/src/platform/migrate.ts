import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type Db, inTransaction } from './db.ts'

const DIRECTORY = new URL('../../migrations/', import.meta.url)
const LOCK = 20_260_301

interface Migration {
  readonly version: number
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** Brings the database to the newest schema. Safe to call from many processes at once; answers how many it applied. */
export async function migrate(db: Db): Promise<number> {
  const migrations = readMigrations()
  return inTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`
    await tx`
      create table if not exists schema_migration (
        version    integer     primary key,
        name       text        not null,
        checksum   text        not null,
        applied_at timestamptz not null default now()
      )`
    const applied = await tx<{ version: number; checksum: string }[]>`select version, checksum from schema_migration`
    const checksums = new Map(applied.map((row) => [row.version, row.checksum]))
    for (const version of checksums.keys()) {
      if (!migrations.some((migration) => migration.version === version))
        throw new Error(`The database is newer than this program: it has migration ${version}. Run the newer program.`)
    }
    let count = 0
    for (const { version, name, text, checksum } of migrations) {
      const known = checksums.get(version)
      if (known !== undefined && known !== checksum)
        throw new Error(
          `Migration ${name} was changed after it had been applied. Migrations are forward only: add a new one.`,
        )
      if (known !== undefined) continue
      await tx.script(text)
      await tx`insert into schema_migration (version, name, checksum) values (${version}, ${name}, ${checksum})`
      count++
    }
    return count
  })
}

function readMigrations(): readonly Migration[] {
  return readdirSync(DIRECTORY)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, DIRECTORY), 'utf8')
      return {
        version: Number(name.slice(0, 4)),
        name,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      }
    })
}
