import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Db, inOneQuery, inTransaction, openDatabase } from '../../../src/platform/postgres/db.ts'
import { ownDatabase } from '../../harness/postgres.ts'

/** A database behind a single connection. */
async function oneConnection(t: TestContext): Promise<Db> {
  const { ownerUrl, drop } = await ownDatabase()
  const db = openDatabase(ownerUrl, 1)
  t.after(async () => {
    await db.end()
    await drop()
  })
  await db`create table thing (id bigint primary key, name text)`
  return db
}

const names = async (db: Db): Promise<readonly unknown[]> =>
  (await db<{ name: string }[]>`select name from thing order by id`).map(({ name }) => name)

/** The PostgreSQL process at the other end. */
const backend = async (db: Db): Promise<unknown> => (await db`select pg_backend_pid() as pid`)[0]?.['pid']

test('of pipelined queries those before a failure succeed, and those after it fail for its reason', async (t) => {
  const db = await oneConnection(t)
  const outcomes: unknown[] = []
  await assert.rejects(
    inTransaction(db, async (tx) => {
      const result = [tx`select 1 as one`, tx`select 1 / ${0}::integer as nothing`, tx`select 2 as two`]
      for (const settled of await Promise.allSettled(result))
        outcomes.push(settled.status === 'fulfilled' ? settled.value[0] : (settled.reason as { code: string }).code)
      void tx`insert into thing values (1, 'never')`
    }),
    { code: '22012' },
  )
  assert.deepEqual(outcomes, [{ one: 1 }, '22012', '22012'])
  assert.deepEqual(await names(db), [])
})

test('queries with an unknown outcome are rerun on the same connection', async (t) => {
  const db = await oneConnection(t)
  const attempt = (by: number) =>
    inTransaction(db, async (tx) => {
      void tx`insert into thing values (${by}, 'before')`
      const quotient = tx<{ quotient: number }[]>`select 10 / ${by}::integer as quotient`
      const later = tx<{ later: number }[]>`select ${by}::integer as later`
      const [[first], [second]] = await Promise.all([quotient, later])
      return [first?.quotient, second?.later]
    })
  const pid = await backend(db)
  await assert.rejects(attempt(0), { code: '22012' })
  await assert.rejects(attempt(0), { code: '22012' })
  assert.deepEqual(await attempt(5), [2, 5])
  assert.deepEqual(await attempt(2), [5, 2])
  assert.equal(await backend(db), pid)
})

test('work that throws before its queries are sent leaves nothing behind on the connection', async (t) => {
  const db = await oneConnection(t)
  const work = inTransaction(db, async (tx) => {
    void tx`insert into thing values (1, 'never')`
    throw new Error('changed its mind')
  })
  await assert.rejects(work, /changed its mind/)
  await inOneQuery(db, (tx) => void tx`insert into thing values (2, 'kept')`)
  assert.deepEqual(await names(db), ['kept'])
  // In an open transaction both would be the same.
  const [first] = await db`select pg_current_xact_id()::text as id`
  const [second] = await db`select pg_current_xact_id()::text as id`
  assert.notDeepEqual(first, second)
})

test('a single query that fails only at commit has failed', async (t) => {
  const db = await oneConnection(t)
  await db`create table once (id bigint unique deferrable initially deferred)`
  await db`insert into once values (1)`
  await assert.rejects(db`insert into once values (1)`, { code: '23505' })
  await assert.rejects(
    inTransaction(db, async (tx) => void tx`insert into once values (1)`),
    { code: '23505' },
  )
  assert.equal((await db`select from once`).count, 1)
})

test('when the connection is lost, no pipelined query is reported as done', async (t) => {
  const db = await oneConnection(t)
  const outcomes: string[] = []
  await assert.rejects(
    inTransaction(db, async (tx) => {
      const result = [tx`insert into thing values (1, 'lost')`, tx`select pg_terminate_backend(pg_backend_pid())`]
      for (const { status } of await Promise.allSettled(result)) outcomes.push(status)
    }),
  )
  assert.deepEqual(outcomes, ['rejected', 'rejected'])
  assert.deepEqual(await names(db), [])
})

test('values arrive as given: lists with quotes, backslashes, null and other scripts', async (t) => {
  const db = await oneConnection(t)
  const list = [
    '',
    'NULL',
    null,
    'a"b',
    'a\\b',
    '{a,b}',
    ' ',
    'ọ̀fẹ́',
    '👍',
    'line\nbreak',
    'tab\t"and\\"',
    '👍"\\',
    '\x7f"\u2028',
  ]
  const [row] = await db<{ list: unknown; none: unknown; bytes: Buffer; is: boolean; amount: bigint; at: Date }[]>`
    select ${list}::text[] as list, ${[]}::text[] as none, ${Buffer.from([0, 255])}::bytea as bytes, ${true}::boolean as is,
           ${9_007_199_254_740_993n}::bigint as amount, ${new Date(1_772_359_800_123)}::timestamptz as at`
  assert.deepEqual(row, {
    list,
    none: [],
    bytes: Buffer.from([0, 255]),
    is: true,
    amount: 9_007_199_254_740_993n,
    at: new Date(1_772_359_800_123),
  })
})

test('times are read exactly, in every format of PostgreSQL', async (t) => {
  const db = await oneConnection(t)
  const [row] = await db`
    select '2026-03-01 10:10:00.123+00'::timestamptz as thousandths, '2026-03-01 10:10:00.123999+00'::timestamptz as millionths,
           '2024-02-29 23:59:59+01'::timestamptz as whole, '0099-01-01 00:00:00+00'::timestamptz as early,
           '1969-12-31 23:59:59.5+00'::timestamptz as before, '2001-01-01 00:00:00+00 BC'::timestamptz as ancient,
           '20000-01-01 00:00:00+00'::timestamptz as far, 'infinity'::timestamptz as never, '-infinity'::timestamptz as ever,
           null::timestamptz as unknown`
  assert.deepEqual(row, {
    thousandths: new Date('2026-03-01T10:10:00.123Z'),
    millionths: new Date('2026-03-01T10:10:00.123Z'), // finer digits are cut off, as the driver does
    whole: new Date('2024-02-29T22:59:59Z'),
    early: new Date('0099-01-01T00:00:00Z'),
    before: new Date('1969-12-31T23:59:59.500Z'),
    ancient: new Date('-002000-01-01T00:00:00Z'),
    far: new Date('+020000-01-01T00:00:00Z'),
    never: Number.POSITIVE_INFINITY,
    ever: Number.NEGATIVE_INFINITY,
    unknown: null,
  })
})

test('a query returns how many rows it changed, and one without rows returns none', async (t) => {
  const db = await oneConnection(t)
  assert.equal((await db`insert into thing select n, 'x' from generate_series(1, 3) n`).count, 3)
  assert.equal((await db`update thing set name = 'y' where id > 1`).count, 2)
  assert.deepEqual([...(await db`select from thing`)], [{}, {}, {}])
  assert.equal((await db`select from thing where false`).count, 0)
})
