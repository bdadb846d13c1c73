import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { openLog } from '../../src/platform/observability/log.ts'
import { gateway } from '../harness/gateway.ts'
import { asOwner } from '../harness/postgres.ts'
import { type ApiResponse, checkFailure } from '../harness/responses.ts'
import { aTransaction, statusOf } from '../harness/samples.ts'
import { until } from '../harness/until.ts'

/** So long that waiting for an abandoned key fails the test. */
const LEASE_SECONDS = 3_600

/** A trigger that kills its own connection, as a server crash does. */
const KILLER = `
  create function die() returns trigger language plpgsql security definer as
  $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`

const isReplayed = ({ headers }: ApiResponse): boolean => headers.get('idempotent-replayed') === 'true'

test('a lost connection returns 503 and says whether the change may be committed; the key is free at once, and the first response is kept', async (t) => {
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  const shop = await gateway(t, { log, hasCheckedBooks: true, requestLeaseSeconds: LEASE_SECONDS })
  /** Checks the response when a trigger of this kind on a table kills the connection. */
  const dies = async (kind: string, act: string, table: string, work: () => Promise<ApiResponse>): Promise<void> => {
    const [trigger, when] = kind === 'committing' ? ['constraint trigger', 'after'] : ['trigger', 'before']
    const deferred = kind === 'committing' ? 'deferrable initially deferred' : ''
    const each = `${deferred} for each row execute function die()`
    await asOwner(shop.databaseUrl, `create ${trigger} dying ${when} ${act} on ${table} ${each}`)
    rejectedWith(await work(), 'OUTCOME_UNKNOWN')
    await asOwner(shop.databaseUrl, `drop trigger dying on ${table}`)
  }
  const init = (key: string, body: object): Promise<ApiResponse> =>
    shop.send('POST', contract.initTransaction.path, { headers: { 'idempotency-key': key }, body })
  const rejectedWith = (response: ApiResponse, code: string): void => {
    assert.equal(response.status, 503, response.text)
    assert.equal(checkFailure(response).code, code)
    assert.equal(response.headers.get('retry-after'), '1')
  }
  await asOwner(shop.databaseUrl, KILLER)

  // While it commits: the outcome is unknown.
  const unknown = aTransaction(shop)
  await dies('committing', 'insert', 'transaction', () => init('unknown', unknown))
  assert.equal((await init('unknown', unknown)).status, 200)

  // While the key is claimed.
  const unclaimed = aTransaction(shop)
  await dies('committing', 'insert', 'idempotency_key', () => init('unclaimed', unclaimed))
  assert.equal((await init('unclaimed', unclaimed)).status, 200)

  // While the response is being stored: the gateway stores it later, and a retry gets it.
  const unkept = aTransaction(shop)
  await dies('writing', 'update', 'idempotency_key', () => init('unkept', unkept))
  const again = await init('unkept', unkept)
  assert.deepEqual([again.status, isReplayed(again)], [200, true], again.text)
  await statusOf(shop, JSON.parse(again.text).responseBody.transactionReference)

  await until('each is logged', () => lines.filter((line) => line.includes('database connection lost')).length === 3)
  assert.ok(!lines.some((line) => line.includes('request failed')))
})

test('a read-only database means 503 and not ready, and the gateway recovers on its own', async (t) => {
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  const shop = await gateway(t, { log })
  const init = (): Promise<ApiResponse> =>
    shop.send('POST', contract.initTransaction.path, { body: aTransaction(shop) })
  const readiness = async (): Promise<unknown[]> => {
    const { status, text } = await shop.send('GET', '/health/ready')
    return [status, JSON.parse(text).reason]
  }
  assert.deepEqual(await readiness(), [200, undefined])
  const [{ role, database } = { role: '', database: '' }] = await shop.db<{ role: string; database: string }[]>`
    select current_user as role, current_database() as database`
  const becomes = (text: string): Promise<unknown> =>
    asOwner(shop.databaseUrl, `alter role ${role} in database ${database} ${text}`)
  const requests: string[] = []
  await becomes('set default_transaction_read_only = on')
  await asOwner(
    shop.databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = '${role}'`,
  )
  await until('readiness reports it', async () => (await readiness())[0] === 503)
  assert.deepEqual(await readiness(), [503, 'The database takes no writes'])
  for (let time = 0; time < 5; time++) {
    const response = await init()
    requests.push(checkFailure(response).code)
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '1'], response.text)
  }
  assert.ok(requests.includes('DATABASE_AWAY'), requests.join())
  await until('it is logged', () => lines.some((line) => line.includes('database unavailable')))

  await becomes('reset default_transaction_read_only')
  await until('the recovery is logged', () => lines.some((line) => line.includes('database connection restored')))
  await until('payments are accepted again', async () => (await init()).status === 200)
  assert.deepEqual(await readiness(), [200, undefined])
  const countOf = (words: string): number => lines.filter((line) => line.includes(words)).length
  assert.deepEqual(
    [countOf('database unavailable'), countOf('database connection restored'), countOf('request failed')],
    [1, 1, 0],
  )
})

test('a full disk of the database means 503 and not ready until there is room again', async (t) => {
  const shop = await gateway(t)
  const init = (): Promise<ApiResponse> =>
    shop.send('POST', contract.initTransaction.path, { body: aTransaction(shop) })
  const readiness = async (): Promise<unknown[]> => {
    const { status, text } = await shop.send('GET', '/health/ready')
    return [status, JSON.parse(text).reason]
  }
  const isUp = async (): Promise<boolean> =>
    /^kobo_database_up\{role="program"\} 1$/m.test((await shop.send('GET', '/metrics')).text)
  assert.deepEqual([await readiness(), await isUp()], [[200, undefined], true])
  // PostgreSQL's errors when it cannot extend a file, for a payment and for a new table.
  const full = `raise exception 'could not extend file: No space left on device' using errcode = '53100'`
  await asOwner(
    shop.databaseUrl,
    `create function fill() returns trigger language plpgsql as $$ begin ${full}; end $$`,
    `create function fill_tables() returns event_trigger language plpgsql as $$ begin ${full}; end $$`,
    'create trigger full_disk before insert on transaction for each row execute function fill()',
    `create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS') execute function fill_tables()`,
  )
  const rejected = await init()
  assert.deepEqual([rejected.status, checkFailure(rejected).code], [503, 'DATABASE_AWAY'])
  await until('it is not ready', async () => (await readiness())[0] === 503)
  assert.deepEqual([await readiness(), await isUp()], [[503, 'The database has no room for writes'], false])
  await asOwner(shop.databaseUrl, 'drop event trigger full_disk', 'drop trigger full_disk on transaction')
  await until('it is ready again', async () => (await readiness())[0] === 200)
  assert.deepEqual([(await init()).status, await isUp()], [200, true])
})
