import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { addMarks, MARK_ROWS } from '../../src/core/list-marks.ts'
import { whose } from '../../src/core/shards/index.ts'
import { inTransaction } from '../../src/platform/db.ts'
import { table } from '../../src/platform/table.ts'
import { gateway } from '../harness/gateway.ts'
import { asOwner } from '../harness/postgres.ts'
import { aTransaction } from '../harness/samples.ts'

const ROWS = 2 * MARK_ROWS + 5_000

test('a long list is counted exactly and paged through from marks, far back too, and not read from the beginning', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  const [{ names } = { names: '' }] = await shop.db<{ names: string }[]>`
    select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_name = 'transaction' and is_generated = 'NEVER'
       and column_name not in ('id', 'transaction_reference', 'payment_reference')`
  // Long ago, in the order of their numbers.
  await asOwner(
    shop.databaseUrl,
    `insert into transaction (id, transaction_reference, payment_reference, ${names})
     select n, 'OLD|' || n, 'old-' || n, ${names} from transaction, generate_series(1, ${ROWS}) n`,
  )
  const transactions = table('transaction', ['merchantId', 'id'], { merchantId: {}, id: {} })
  const mark = () =>
    shop.core.shards.each((shard) =>
      inTransaction(shop.db, (tx) => addMarks(tx, whose(shard), transactions, BigInt(ROWS))),
    )
  const read = async (page: number, size = 100) => {
    const { content, totalElements, last } = await shop.call(contract.searchTransactions, { query: { page, size } })
    return { first: content[0]?.paymentReference, length: content.length, totalElements, last }
  }
  const pages = [0, 1, 99, 100, 149, 150, 249, 250, 251]
  const before = await Promise.all(pages.map((page) => read(page)))
  assert.deepEqual(before[6], { first: 'old-101', length: 100, totalElements: ROWS + 1, last: false })
  assert.deepEqual(before[7], { first: 'old-1', length: 1, totalElements: ROWS + 1, last: true })
  assert.equal(before[8]?.length, 0)

  while ((await mark()) > 0);
  const set = await shop.db<{ upTo: bigint; count: bigint }[]>`select up_to, count from list_mark order by up_to`
  const every = BigInt(MARK_ROWS)
  assert.deepEqual(
    set.map(({ upTo, count }) => [upTo, count]),
    [
      [every, every],
      [2n * every, 2n * every],
    ],
  )
  assert.deepEqual(await Promise.all(pages.map((page) => read(page))), before, 'the pages are the same')
  await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  assert.equal((await read(0)).totalElements, ROWS + 2)
  const narrowed = await shop.call(contract.searchTransactions, { query: { paymentReference: 'old-7' } })
  assert.equal(narrowed.totalElements, 1)

  // Not a row before the marks is looked at: were there fewer, nobody would know.
  await asOwner(shop.databaseUrl, `delete from transaction where id < 5000`)
  assert.equal((await read(0)).totalElements, ROWS + 2)
})
