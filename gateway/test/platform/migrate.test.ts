import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Db, openDatabase } from '../../src/platform/db.ts'
import { checkMigrated, migrate } from '../../src/platform/migrate.ts'
import { ownDatabase } from '../harness/postgres.ts'

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

test('what a newer program has added is left alone, and the older one goes on', async (t) => {
  const db = await aDatabase(t)
  await db`insert into schema_addition (version, name, checksum) values (9999, '9999_later.sql', 'unknown')`
  assert.equal(await migrate(db), 0)
})

test('where a newer program has taken something away, the older one does not start', async (t) => {
  const db = await aDatabase(t)
  await db`insert into schema_migration (version, name, checksum) values (9999, '9999_less.sql', 'unknown')`
  for (const start of [migrate(db), checkMigrated(db)])
    await assert.rejects(start, /^Error: The database is newer than this program: it has migration 9999\./)
})

for (const table of ['schema_migration', 'schema_addition'])
  test(`a migration of ${table} that was changed after it had been applied stops the start`, async (t) => {
    const db = await aDatabase(t)
    await db.run(`update ${table} set checksum = 'another' where version = (select max(version) from ${table})`, [])
    await assert.rejects(migrate(db), /was changed after it had been applied/)
  })

test('the first programs, which know one list of migrations alone, find in it nothing that they do not know', async (t) => {
  const db = await aDatabase(t)
  const [row] = await db`select max(version) as newest from schema_migration`
  assert.equal(row?.['newest'], 14)
})

test('many at once migrate once, and a check that fails leaves nothing behind', async (t) => {
  const db = await aDatabase(t)
  await db`drop schema public, vault, partitions cascade`
  await db`create schema public`
  const refused = migrate(db, async () => {
    throw new Error('not this one')
  })
  await assert.rejects(refused, /not this one/)
  assert.equal((await db`select tablename from pg_tables where schemaname = 'public'`).count, 0)
  const counts = await Promise.all([migrate(db), migrate(db)])
  assert.equal(counts.filter((count) => count > 0).length, 1)
})
