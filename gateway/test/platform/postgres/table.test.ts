import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction, openDatabase } from '../../../src/platform/postgres/db.ts'
import { sql } from '../../../src/platform/postgres/sql.ts'
import { column, table } from '../../../src/platform/postgres/table.ts'
import { ownDatabase } from '../../harness/postgres.ts'

const things = table('thing', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  name: column<string>(),
  weight: column<number | null>(),
})

/** The same table, with the types of its columns. */
const typedThings = table('thing', ['merchantId', 'id'], {
  merchantId: column<bigint>('bigint'),
  id: column<bigint>('bigint'),
  name: column<string>('text'),
  weight: column<number | null>('integer'),
  tags: column<readonly string[]>('text[]'),
  facts: column<Readonly<Record<string, unknown>> | readonly unknown[] | null>('json'),
  madeAt: column<Date | null>('timestamptz'),
  isOld: column<boolean>('boolean'),
})

const typedThing = { weight: null, tags: [], facts: null, madeAt: null, isOld: false }

/** A database with a table of 5,000 things of ten merchants, reached by one connection. */
async function aDatabase(t: { after: (work: () => Promise<void>) => void }) {
  const own = await ownDatabase()
  const db = openDatabase(own.ownerUrl, 1)
  t.after(async () => {
    await db.end()
    await own.drop()
  })
  await db`create table thing (merchant_id bigint, id bigint, weight integer default 1, name text, tags text[] not null default '{}', facts json, made_at timestamptz, is_old boolean not null default false, added_later text, primary key (merchant_id, id))`
  await db`insert into thing select n % 10, n, 1, 'thing ' || n from generate_series(1, 5000) n`
  await db`analyze thing`
  return db
}

const key = (id: number) => ({ merchantId: BigInt(id % 10), id: BigInt(id) })

test('rows are inserted, found, locked in order, read and changed by their declared columns', async (t) => {
  const db = await aDatabase(t)
  const added = [
    { ...key(6_001), name: 'a "new" one', weight: null },
    { ...key(6_000), name: 'naïve', weight: 7 },
  ]
  await inTransaction(db, async (tx) => things.insert(tx, added))
  assert.deepEqual(await things.find(db, key(6_001)), added[0])
  await inTransaction(db, async (tx) => {
    const locked = await things.lock(tx, [...added, key(7_000)])
    assert.deepEqual([...locked], [added[1], added[0]], 'those that exist, in order')
    things.update(tx, [{ ...key(6_000), name: 'naïve', weight: 8 }], ['weight'])
  })
  assert.deepEqual((await things.select(db, [key(6_000)])).at(0)?.weight, 8)
  const known = [{ ...key(6_002), name: 'third', weight: 1 }, ...added]
  assert.equal(await inTransaction(db, (tx) => things.insertNew(tx, known, sql`(merchant_id, id)`)), 1)
  const fresh = { ...key(6_003), name: 'light', weight: 99 }
  await inTransaction(db, async (tx) => things.insert(tx, [fresh], things.except('weight')))
  assert.equal((await things.find(db, key(6_003)))?.weight, 1, 'the default of the column')
})

test('rows whose types are declared are written as they are, whatever their texts, lists and JSON contain', async (t) => {
  const db = await aDatabase(t)
  const rows = [
    { ...key(6_000), ...typedThing, name: '' },
    { ...key(6_001), ...typedThing, name: 'NULL', weight: 7, tags: ['NULL', 'a, b', '{}', '"', '\\'], isOld: true },
    { ...key(6_002), ...typedThing, name: 'a "b" \\ {c} \t\n 😀 é', facts: { 'a "b" \\': ['\n', '😀', null, 1.5] } },
    {
      ...key(6_003),
      ...typedThing,
      name: 'list',
      facts: [{ a: '{1,2}' }, '"'],
      madeAt: new Date('2026-03-04T05:06:07.089Z'),
    },
  ]
  await inTransaction(db, async (tx) => typedThings.insert(tx, rows))
  const inOrder = (found: readonly { readonly id: bigint }[]) => found.toSorted((a, b) => Number(a.id - b.id))
  assert.deepEqual(inOrder(await typedThings.select(db, rows)), rows)
  const changed = rows.map((row, nth) => ({
    ...row,
    ...rows[rows.length - 1 - nth],
    id: row.id,
    merchantId: row.merchantId,
  }))
  await inTransaction(db, async (tx) => {
    typedThings.update(tx, changed.slice(0, 2), ['name', 'weight', 'tags', 'facts', 'madeAt', 'isOld'])
    const others = ['name', 'weight', 'tags', 'facts', 'madeAt', 'isOld'] as const
    typedThings.updateUnchanged(tx, changed.slice(2), others, sql`t.id > 0`)
  })
  assert.deepEqual(inOrder(await typedThings.select(db, rows)), changed)
})

test('rows that match a condition are changed column by column, and the condition sees their previous values', async (t) => {
  const db = await aDatabase(t)
  const change = (condition: ReturnType<typeof sql>, to: { readonly weight?: number; readonly name?: string }) =>
    inTransaction(db, async (tx) => (await things.change(tx, condition, to)).count)
  const light = sql`merchant_id = 3 and weight = 1 and id < 30`
  assert.equal(await change(light, { weight: 9, name: 'heavy' }), 3, 'in an order other than the table’s')
  assert.equal(await change(light, { weight: 1 }), 0, 'none matches any more')
  assert.equal(await change(sql`merchant_id = 3`, {}), 0)
  const heavy = await things.select(db, [key(13), key(14)])
  assert.deepEqual(
    [...heavy],
    [
      { ...key(13), name: 'heavy', weight: 9 },
      { ...key(14), name: 'thing 14', weight: 1 },
    ],
  )
})

test('an update of rows read without a lock fails as outdated if one has changed', async (t) => {
  const db = await aDatabase(t)
  const rows = [1, 2].map((id) => ({ ...key(id), name: 'changed', weight: 1 }))
  const update = (weight: number) =>
    inTransaction(db, async (tx) => things.updateUnchanged(tx, rows, ['name'], sql`t.weight = ${weight}`))
  await update(1)
  assert.equal((await things.find(db, key(2)))?.name, 'changed')
  await db`update thing set weight = 2 where id = 2`
  await assert.rejects(update(1), { code: 'KB001' })
})

test('a batch query is planned a few times and not for every batch, whatever merchants are in it', async (t) => {
  const db = await aDatabase(t)
  for (let from = 1; from <= 20; from++) {
    const rows = Array.from({ length: from % 7 }, (_, n) => ({ ...key(from + n), name: 'planned', weight: 2 }))
    await inTransaction(db, async (tx) => {
      await things.lock(tx, rows)
      things.update(tx, rows, ['name', 'weight'])
    })
  }
  const plans = await db<{ statement: string; customPlans: bigint; genericPlans: bigint }[]>`
    select statement, custom_plans, generic_plans from pg_prepared_statements where statement ~ '^\\s*(update|select t)'`
  assert.equal(plans.length, 2)
  for (const { statement, customPlans, genericPlans } of plans)
    assert.ok(customPlans <= 6n && genericPlans > 10n, `${customPlans} plans for ${statement}`)
})

test('an update of rows read without a lock finds them by their keys, not by its condition', async (t) => {
  const db = await aDatabase(t)
  await db`alter table thing set (autovacuum_enabled = false)`
  await db`create index thing_weightless on thing (name) where weight is null`
  // PostgreSQL's statistics still say that none is null.
  await db`update thing set weight = null`
  const rows = [1, 2].map((id) => ({ ...typedThing, ...key(id), name: 'changed' }))
  const condition = sql`t.weight is null`
  await inTransaction(db, async (tx) => typedThings.updateUnchanged(tx, rows, ['name'], condition))
  assert.equal((await things.find(db, key(2)))?.name, 'changed')
  await db`select pg_stat_force_next_flush()`
  const [index] = await db`select idx_scan as scans from pg_stat_user_indexes where indexrelname = 'thing_weightless'`
  assert.equal(index?.['scans'], 0n)
})
