import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { openLog } from '../../src/platform/log.ts'
import { type Answer, checkFailure } from '../harness/answers.ts'
import { gateway } from '../harness/gateway.ts'
import { asOwner } from '../harness/postgres.ts'
import { aTransaction, statusOf } from '../harness/samples.ts'
import { until } from '../harness/wait.ts'

/** So long that whoever would wait for a key that nobody holds fails. */
const LEASE_SECONDS = 3_600

/** A trigger that ends the connection on which it fires, as a server does that dies. */
const KILLER = `
  create function die() returns trigger language plpgsql security definer as
  $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`

const isReplayed = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true'

test('a connection that is lost is 503 and says what is known; the key is free at once, and the first answer stays the answer', async (t) => {
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  const shop = await gateway(t, { log, requestLeaseSeconds: LEASE_SECONDS })
  /** What a trigger of this kind on a table is the death of is answered so. */
  const dies = async (kind: string, act: string, table: string, work: () => Promise<Answer>): Promise<void> => {
    const [trigger, when] = kind === 'committing' ? ['constraint trigger', 'after'] : ['trigger', 'before']
    const deferred = kind === 'committing' ? 'deferrable initially deferred' : ''
    const each = `${deferred} for each row execute function die()`
    await asOwner(shop.databaseUrl, `create ${trigger} dying ${when} ${act} on ${table} ${each}`)
    refusedWith(await work(), 'OUTCOME_UNKNOWN')
    await asOwner(shop.databaseUrl, `drop trigger dying on ${table}`)
  }
  const init = (key: string, body: object): Promise<Answer> =>
    shop.send('POST', contract.initTransaction.path, { headers: { 'idempotency-key': key }, body })
  const refusedWith = (answer: Answer, code: string): void => {
    assert.equal(answer.status, 503, answer.text)
    assert.equal(checkFailure(answer).code, code)
    assert.equal(answer.headers.get('retry-after'), '1')
  }
  await asOwner(shop.databaseUrl, KILLER)

  // While it commits: nobody knows.
  const unknown = aTransaction(shop)
  await dies('committing', 'insert', 'transaction', () => init('unknown', unknown))
  assert.equal((await init('unknown', unknown)).status, 200)

  // While the key is taken.
  const unclaimed = aTransaction(shop)
  await dies('committing', 'insert', 'idempotency_key', () => init('unclaimed', unclaimed))
  assert.equal((await init('unclaimed', unclaimed)).status, 200)

  // While the answer is kept: it is kept later, and whoever asks again gets it.
  const unkept = aTransaction(shop)
  await dies('writing', 'update', 'idempotency_key', () => init('unkept', unkept))
  const again = await init('unkept', unkept)
  assert.deepEqual([again.status, isReplayed(again)], [200, true], again.text)
  await statusOf(shop, JSON.parse(again.text).responseBody.transactionReference)

  await until('each is told of', () => lines.filter((line) => line.includes('lost its connection')).length === 3)
  assert.ok(!lines.some((line) => line.includes('a request failed')))
})

test('a database that takes no writes is away: 503, not ready, and once it does, the gateway goes on by itself', async (t) => {
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  const shop = await gateway(t, { log })
  const init = (): Promise<Answer> => shop.send('POST', contract.initTransaction.path, { body: aTransaction(shop) })
  const readiness = async (): Promise<unknown[]> => {
    const { status, text } = await shop.send('GET', '/health/ready')
    return [status, JSON.parse(text).reason]
  }
  assert.deepEqual(await readiness(), [200, undefined])
  const [{ role, database } = { role: '', database: '' }] = await shop.db<{ role: string; database: string }[]>`
    select current_user as role, current_database() as database`
  const becomes = (text: string): Promise<unknown> =>
    asOwner(shop.databaseUrl, `alter role ${role} in database ${database} ${text}`)
  const asked: string[] = []
  await becomes('set default_transaction_read_only = on')
  await asOwner(
    shop.databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = '${role}'`,
  )
  await until('it is noticed', async () => (await readiness())[0] === 503)
  assert.deepEqual(await readiness(), [503, 'The database takes no writes'])
  for (let time = 0; time < 5; time++) {
    const answer = await init()
    asked.push(checkFailure(answer).code)
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'], answer.text)
  }
  assert.ok(asked.includes('DATABASE_AWAY'), asked.join())
  await until('it is told', () => lines.some((line) => line.includes('the database is away')))

  await becomes('reset default_transaction_read_only')
  await until('it is back', () => lines.some((line) => line.includes('the database is back')))
  await until('payments are taken again', async () => (await init()).status === 200)
  assert.deepEqual(await readiness(), [200, undefined])
  const told = (words: string): number => lines.filter((line) => line.includes(words)).length
  assert.deepEqual([told('the database is away'), told('the database is back'), told('a request failed')], [1, 1, 0])
})
