import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Db, openDatabase } from '../../../src/platform/postgres/db.ts'
import { checkMigrated, migrate } from '../../../src/platform/postgres/migrate.ts'
import { ownDatabase } from '../../harness/postgres.ts'

/** A migrated database of the test's own, as its owner. */
async function aDatabase(t: TestContext): Promise<Db> {
  const { ownerUrl, drop } = await ownDatabase()
  const db = openDatabase(ownerUrl, 2)
  t.after(async () => {
    await db.end()
    await drop()
  })
  return db
}

/** Records a migration that this program does not know. */
async function recordUnknown(db: Db, mustBeKnown: boolean): Promise<void> {
  await db`
    insert into schema_migration (version, name, checksum, must_be_known)
    values (999912312359, '999912312359_later.sql', 'unknown', ${mustBeKnown})`
}

test('additions of a newer program are left alone, and the older one continues', async (t) => {
  const db = await aDatabase(t)
  await recordUnknown(db, false)
  assert.equal(await migrate(db), 0)
  await checkMigrated(db)
})

test('if a newer program has removed something, the older one does not start', async (t) => {
  const db = await aDatabase(t)
  await recordUnknown(db, true)
  for (const start of [migrate, checkMigrated])
    await assert.rejects(start(db), /^Error: The database is newer than this program: it has migration 999912312359\./)
})

test('a migration that was changed after it was applied stops the start', async (t) => {
  const db = await aDatabase(t)
  await db`update schema_migration set checksum = 'another' where version = (select max(version) from schema_migration)`
  await assert.rejects(migrate(db), /was changed after it was applied/)
})

test('a migration with an earlier date than the newest is still applied', async (t) => {
  const db = await aDatabase(t)
  await db`drop table operator_change`
  await db`delete from schema_migration where name like '%_operators.sql'`
  await recordUnknown(db, false)
  await assert.rejects(
    checkMigrated(db),
    /^Error: The database is older than this program: it lacks \d+_operators\.sql\./,
  )
  assert.equal(await migrate(db), 1)
  await checkMigrated(db)
})

test('a database of the numbered migrations is rejected', async (t) => {
  const db = await aDatabase(t)
  await db`drop table schema_migration`
  await db`create table schema_migration (version integer primary key, name text not null, checksum text not null)`
  for (const start of [migrate, checkMigrated])
    await assert.rejects(start(db), {
      message:
        'This database was created by a version before 0.1.0, which cannot be upgraded: run that version, or start with an empty database.',
    })
})

test('many processes at once migrate once, and a failed check leaves nothing behind', async (t) => {
  const db = await aDatabase(t)
  await db`drop schema public, vault, partitions cascade`
  await db`create schema public`
  const rejected = migrate(db, async () => {
    throw new Error('not this one')
  })
  await assert.rejects(rejected, /not this one/)
  assert.equal((await db`select tablename from pg_tables where schemaname = 'public'`).count, 0)
  const counts = await Promise.all([migrate(db), migrate(db)])
  assert.equal(counts.filter((count) => count > 0).length, 1)
})
