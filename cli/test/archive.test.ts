import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as contract from '@kobo/contract'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { receiver } from '../../gateway/test/harness/receiver.ts'
import { anAccount, aTransaction, pay } from '../../gateway/test/harness/samples.ts'
import { until } from '../../gateway/test/harness/wait.ts'
import { aGateway } from './commands.ts'

/** What is still being committed of a month that has just ended must not be left out of it. */
const REST_SECONDS = 3_600

test('the past is written into files that are checked, and found there by its references when the database has dropped it', async (t) => {
  const { shop, prints, misused, run } = await aGateway(t)
  const events = await receiver(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: events.url } } })
  const account = await anAccount(shop)
  await pay(shop, account, 5_000)
  // As much as was paid, in kobo; and the beginning of another.
  for (const reference of ['500000', '500000.1'])
    await shop.call(contract.initTransaction, { body: { ...aTransaction(shop), paymentReference: reference } })
  await events.count(1)
  await until('the attempt is written down', async () => (await shop.db`select from event_attempt`).count > 0)
  const [paid] = await shop.db<{ transactionReference: string; paymentReference: string; createdAt: Date }[]>`
    select transaction_reference, payment_reference, created_at from transaction
     where merchant_id = ${shop.merchantId} and status = 'PAID'`
  const { transactionReference = '', paymentReference = '', createdAt = new Date(0) } = paid ?? {}
  const month = createdAt.toISOString().slice(0, 7)
  const monthsEnd = Date.UTC(createdAt.getUTCFullYear(), createdAt.getUTCMonth() + 1)
  await shop.advance(Math.ceil((monthsEnd - shop.core.clock.now().getTime()) / 1_000) + 60)
  const today = new Date(monthsEnd).toISOString().slice(0, 10)
  const archive = join(ownFolder('archive'), 'of all')
  const write = ['archive', 'write', '--before', today, '--to', archive]

  await misused(
    [/--before is required/, 'archive', 'write', '--to', archive],
    [/--before must be a day/, 'archive', 'write', '--before', '2026-13-01', '--to', archive],
    [/must not be after today/, 'archive', 'write', '--before', '2199-01-01', '--to', archive],
    [/One reference/, 'archive', 'find', '--in', archive],
  )
  // One that died on its way has left something half done.
  mkdirSync(join(archive, `${month}.part`), { recursive: true })
  writeFileSync(join(archive, `${month}.part`, 'transaction.ndjson.gz'), 'half')
  assert.ok(!(await prints(...write)).written.includes(month), 'it ended a minute ago')
  await shop.advance(REST_SECONDS)
  const made = await prints(...write)
  assert.ok(made.written.includes(month) && made.rows > 0)
  assert.deepEqual(readdirSync(archive).sort(), made.written)
  assert.equal(statSync(join(archive, month, 'transaction.ndjson.gz')).mode & 0o077, 0, 'its owner alone reads it')
  const again = await prints(...write)
  assert.deepEqual([again.written, again.kept, again.rows], [[], made.written, 0])
  const checked = await prints('archive', 'check', '--in', archive)
  assert.deepEqual(checked, { months: made.written.length, rows: made.rows, bytes: made.bytes, wrong: [] })
  const audited = async () =>
    (await shop.db`select from audit where act = 'archive.write' and actor = 'command line'`).count
  assert.equal(await audited(), 3)

  await shop.db`delete from event_attempt`
  for (const reference of [transactionReference, paymentReference]) {
    const found: { table: string; row: Record<string, unknown> }[] = await prints(
      'archive',
      'find',
      reference,
      '--in',
      archive,
    )
    const tables = new Set(found.map(({ table }) => table))
    for (const table of ['transaction', 'payment', 'journal', 'event', 'event_attempt'])
      assert.ok(tables.has(table), `${table} by ${reference}`)
    const { row } = found.find(({ table }) => table === 'transaction') ?? assert.fail()
    assert.deepEqual([row['transaction_reference'], row['status']], [transactionReference, 'PAID'])
    assert.equal(found.filter(({ table }) => table === 'transaction').length, 1)
  }
  const numbered: { table: string }[] = await prints('archive', 'find', '500000', '--in', archive)
  assert.deepEqual(
    numbered.map(({ table }) => table).filter((table) => ['transaction', 'payment', 'journal'].includes(table)),
    ['transaction'],
    'a number is no reference',
  )
  assert.equal((await run('archive', 'find', 'nobody-has-this', '--in', archive)).code, 1)

  const wrongIn = async (folder: string): Promise<string> => {
    const { code, stdout } = await run('archive', 'check', '--in', folder)
    assert.equal(code, 1)
    return JSON.parse(stdout).wrong.join()
  }
  assert.match(await wrongIn(ownFolder('nothing')), /has no months/)
  const later = join(archive, '2099-01')
  cpSync(join(archive, month), later, { recursive: true })
  assert.match(await wrongIn(archive), /has nothing between .* and 2099-01/)
  rmSync(later, { recursive: true })
  const manifest = join(archive, month, 'manifest.json')
  const sound = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, sound.replace('"sandbox"', '"live"'))
  assert.match((await run(...write)).stderr, /is of live, and this is sandbox/)
  writeFileSync(manifest, sound)

  const damaged = join(archive, month, 'event.ndjson.gz')
  const text = gunzipSync(readFileSync(damaged)).toString()
  writeFileSync(damaged, gzipSync(text.replace('DELIVERED', 'GIVEN_UP')))
  assert.match(await wrongIn(archive), /event\.ndjson\.gz is not as it was written/)
  const refused = await run(...write)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /Move the month away/)
  assert.equal(await audited(), 5, 'one that comes to nothing is audited too')
  renameSync(join(archive, month), join(archive, 'away'))
  assert.deepEqual((await prints(...write)).written, [month])
  assert.ok(existsSync(damaged))
})
