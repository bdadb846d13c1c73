import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { lane } from '../../../src/platform/lanes/lane.ts'
import { type Db, inOneQuery, inTransaction, openDatabase, type Tx } from '../../../src/platform/postgres/db.ts'
import { deleteBatch } from '../../../src/platform/postgres/delete-in-batches.ts'
import { sql } from '../../../src/platform/postgres/sql.ts'
import { column, table } from '../../../src/platform/postgres/table.ts'
import { ownDatabase } from '../../harness/postgres.ts'

const CONNECTIONS = 3

/** A database with a table of one row, whose connections have all prepared queries on it. */
async function aDatabase(t: TestContext): Promise<{ readonly db: Db; readonly change: () => Promise<unknown> }> {
  const { ownerUrl, drop } = await ownDatabase()
  const db = openDatabase(ownerUrl, CONNECTIONS)
  t.after(async () => {
    await db.end()
    await drop()
  })
  await db`create table thing (id bigint primary key, name text not null)`
  await db`insert into thing values (1, 'one')`
  let columns = 0
  return {
    db,
    /** A migration of a newer program. */
    change: () => db.run(`alter table thing add column more_${++columns} integer not null default 7`, []),
  }
}

const all = (db: Db) =>
  Promise.all(Array.from({ length: CONNECTIONS * 2 }, () => db`select * from thing where id = ${1}`))

const countThings = async (db: Db) => (await db`select count(*)::int as count from thing`)[0]?.['count']

test('a migration while queries are prepared fails no reader', async (t) => {
  const { db, change } = await aDatabase(t)
  await all(db)
  for (let time = 0; time < 2; time++) {
    await change()
    for (const [row] of await all(db)) assert.equal(row?.['name'], 'one')
  }
  assert.deepEqual(Object.keys((await db`select * from thing where id = ${1}`)[0] ?? {}), [
    'id',
    'name',
    'more_1',
    'more_2',
  ])
})

test('a migration fails no transaction: it is rerun from its start, once', async (t) => {
  const { db, change } = await aDatabase(t)
  let runs = 0
  /** The migration outdates the second query, which is not awaited. */
  const add = (id: number) =>
    inTransaction(db, async (tx) => {
      runs++
      void tx`insert into thing (id, name) values (${id}, 'more')`
      void tx`select * from thing where id = ${id}`
      const [row] = await tx`select count(*)::int as count from thing where id = ${id}`
      return row?.['count']
    })
  const ids = Array.from({ length: CONNECTIONS }, (_, index) => index + 10)
  assert.deepEqual(await Promise.all(ids.map((id) => add(id))), [1, 1, 1])
  assert.equal(runs, CONNECTIONS)
  await change()
  assert.deepEqual(await Promise.all(ids.map((id) => add(id + 10))), [1, 1, 1])
  assert.ok(runs > CONNECTIONS * 2, 'some were rerun')
  assert.equal(await countThings(db), 1 + CONNECTIONS * 2)
})

test('a migration fails no query that is its own transaction, and it has one effect', async (t) => {
  const { db, change } = await aDatabase(t)
  const add = (id: number) =>
    inOneQuery(db, (tx) => tx`insert into thing (id, name) values (${id}, 'more') returning *`)
  for (const id of [2, 3, 4]) await add(id)
  await change()
  const [row] = await add(5)
  assert.equal(row?.['more_1'], 7)
  assert.equal(await countThings(db), 5)
})

test('two processes that delete the same expired rows delete each once, without waiting for each other', async (t) => {
  const { db } = await aDatabase(t)
  await db`insert into thing select n, 'old' from generate_series(2, 11) n`
  const things = table('thing', ['id'], { id: column<bigint>(), name: column<string>() })
  const forget = (by: Db | Tx, limit: number) => deleteBatch(by, things, sql`name = 'old'`, limit, 'id')
  await inTransaction(db, async (tx) => {
    assert.equal(await forget(tx, 4), 4)
    assert.equal(await forget(db, 100), 6)
  })
  assert.equal(await countThings(db), 1)
})

test('no more rows are deleted at once than the limit, even if the statistics know of only one row', async (t) => {
  const { db } = await aDatabase(t)
  await db`analyze thing`
  await db`insert into thing select n, 'old' from generate_series(2, 11) n`
  const things = table('thing', ['id'], { id: column<bigint>(), name: column<string>() })
  assert.equal(await deleteBatch(db, things, sql`name = 'old'`, 4, 'id'), 4)
})

test('a request that breaks an assumption in its batch’s transaction fails alone; the others are stored once', async (t) => {
  const { db } = await aDatabase(t)
  const store = lane<number, number>({
    name: 'store',
    run: (requests) =>
      inTransaction(db, async (tx) => {
        for (const n of requests) void tx`insert into thing values (${n}, 'stored')`
        if (requests.includes(4)) throw new Error('four is poison')
        return requests
      }),
  })
  const outcomes = await Promise.allSettled([3, 4, 5].map(store))
  assert.deepEqual(
    outcomes.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message)),
    [3, 'four is poison', 5],
  )
  assert.equal(await countThings(db), 3)
})
