import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DISTRIBUTED, LOCAL, REFERENCE } from '../../../src/core/shards/index.ts'
import { openDatabase } from '../../../src/platform/db.ts'
import { ownDatabase } from '../../harness/postgres.ts'

/** What a shard can have by itself, since it asks for nothing outside its own rows. */
const TRIGGERS_OF_A_SHARD = ['refuse_change', 'refuse_removal']

test('every table is distributed, copied or local, and what is distributed can be', async (t) => {
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
     where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'vault'::regnamespace)`
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
  assert.deepEqual([...unique], [], 'what is unique on a shard is unique of a merchant')

  // Foreign keys out of a shard are left out there: only where nothing is ever removed at their other end.
  const away = await db<{ target: string }[]>`
    select distinct confrelid::regclass::text as target from pg_constraint
     where contype = 'f' and conrelid = any(${DISTRIBUTED}::regclass[]) and confrelid <> all(${DISTRIBUTED}::regclass[])
     order by 1`
  assert.deepEqual(
    away.map(({ target }) => target),
    ['merchant', 'person'],
  )
  const triggers = await db<{ trigger: string }[]>`
    select t.tgname as trigger
      from pg_trigger t
      join pg_proc p on p.oid = t.tgfoid
     where not t.tgisinternal and t.tgrelid = any(${DISTRIBUTED}::regclass[]) and p.proname <> all(${TRIGGERS_OF_A_SHARD})`
  assert.deepEqual([...triggers], [], 'what happens on a shard needs nothing from elsewhere')
})
