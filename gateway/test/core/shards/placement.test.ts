import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DISTRIBUTED, hashOf, LOCAL, REFERENCE } from '../../../src/core/shards/index.ts'
import { openDatabase } from '../../../src/platform/postgres/db.ts'
import { ownDatabase } from '../../harness/postgres.ts'

/** Triggers that a shard can have, since they read only its own rows. */
const TRIGGERS_OF_A_SHARD = ['refuse_change', 'refuse_removal']

test('every table is distributed, copied or local, and every distributed one can be', async (t) => {
  const own = await ownDatabase()
  const db = openDatabase(own.ownerUrl, 1)
  t.after(async () => {
    await db.end()
    await own.drop()
  })
  const tables = await db<{ name: string; owned: boolean }[]>`
    select c.oid::regclass::text as name,
           exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'merchant_id'
                      and a.attnotnull and a.atttypid = 'bigint'::regtype) as owned
      from pg_class c
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace in ('public'::regnamespace, 'vault'::regnamespace)`
  assert.deepEqual([...DISTRIBUTED, ...REFERENCE, ...LOCAL].sort(), tables.map(({ name }) => name).sort())

  const owned = new Set(tables.flatMap((table) => (table.owned ? [table.name] : [])))
  assert.deepEqual(
    DISTRIBUTED.filter((name) => !owned.has(name)),
    [],
    'a distributed table has the merchant in every row',
  )
  const unique = await db<{ index: string }[]>`
    select i.indexrelid::regclass::text as index
      from pg_index i
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
     where i.indrelid = any(${DISTRIBUTED}::regclass[]) and i.indisunique and a.attname <> 'merchant_id'`
  assert.deepEqual([...unique], [], 'a unique key on a shard includes the merchant')

  // Shards have no foreign keys to other tables. That is safe, because the rows referred to are never deleted.
  const away = await db<{ name: string }[]>`
    select conname as name from pg_constraint
     where contype = 'f' and conrelid = any(${DISTRIBUTED}::regclass[])
       and confrelid <> all(${[...DISTRIBUTED, 'merchant', 'person']}::regclass[])`
  assert.deepEqual([...away], [], 'a shard refers only to its own rows or to rows that stay forever')
  const triggers = await db<{ trigger: string }[]>`
    select t.tgname as trigger
      from pg_trigger t
      join pg_proc p on p.oid = t.tgfoid
     where not t.tgisinternal and t.tgrelid = any(${DISTRIBUTED}::regclass[]) and p.proname <> all(${TRIGGERS_OF_A_SHARD})`
  assert.deepEqual([...triggers], [], 'a trigger on a shard needs nothing from elsewhere')
})

test('a merchant is looked up where PostgreSQL itself would place it', async (t) => {
  const own = await ownDatabase()
  const db = openDatabase(own.url, 1)
  t.after(async () => {
    await db.end()
    await own.drop()
  })
  const ids = await db<{ id: bigint; hash: number }[]>`
    select id, hashint8(id) as hash
      from (select n * n * 7919 * sign(n)::bigint - 5 as id from generate_series(-20000000::bigint, 20000000, 99701) n
            union all select unnest('{0, 1, -1, 9223372036854775807, -9223372036854775808}'::bigint[])) ids`
  assert.deepEqual(
    ids.map(({ id }) => hashOf(id)),
    ids.map(({ hash }) => hash),
  )
})
