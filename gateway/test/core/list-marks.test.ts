import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { addMarks, countMarks, MARK_ROWS } from '../../src/core/list-marks.ts'
import { whose } from '../../src/core/shards/index.ts'
import { inTransaction, type Tx } from '../../src/platform/db.ts'
import { column, table, type Whose } from '../../src/platform/table.ts'
import { gateway, type TestGateway } from '../harness/gateway.ts'
import { asOwner } from '../harness/postgres.ts'
import { aTransaction } from '../harness/samples.ts'

const ROWS = 2 * MARK_ROWS + 5_000

/** A merchant's old transactions, in the order of their numbers. */
async function makeLongList(shop: TestGateway): Promise<void> {
  await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  const [{ names } = { names: '' }] = await shop.db<{ names: string }[]>`
    select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_name = 'transaction' and is_generated = 'NEVER'
       and column_name not in ('id', 'transaction_reference', 'payment_reference')`
  await asOwner(
    shop.databaseUrl,
    `insert into transaction (id, transaction_reference, payment_reference, ${names})
     select n, 'OLD|' || n, 'old-' || n, ${names} from transaction, generate_series(1, ${ROWS}) n`,
  )
}

const list = table('transaction', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  status: column<string>(),
  completedAt: column<Date | null>(),
})
const onEachShard = ({ core, db }: TestGateway, work: (tx: Tx, ofShard: Whose) => Promise<number>): Promise<number> =>
  core.shards.each((shard) => inTransaction(db, (tx) => work(tx, whose(shard))))

async function markAll(shop: TestGateway): Promise<void> {
  while ((await onEachShard(shop, (tx, ofShard) => addMarks(tx, ofShard, list, BigInt(ROWS)))) > 0);
}

test('a long list is counted exactly and paged through from marks, far back too, and not read from the beginning', async (t) => {
  const shop = await gateway(t)
  await makeLongList(shop)
  const read = async (page: number, size = 100) => {
    const { content, totalElements, last } = await shop.call(contract.searchTransactions, { query: { page, size } })
    return { first: content[0]?.paymentReference, length: content.length, totalElements, last }
  }
  const pages = [0, 1, 99, 100, 149, 150, 249, 250, 251]
  const before = await Promise.all(pages.map((page) => read(page)))
  assert.deepEqual(before[6], { first: 'old-101', length: 100, totalElements: ROWS + 1, last: false })
  assert.deepEqual(before[7], { first: 'old-1', length: 1, totalElements: ROWS + 1, last: true })
  assert.equal(before[8]?.length, 0)

  await markAll(shop)
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

test('a long list is counted by status: from marks where all is complete, and by looking where something may still change', async (t) => {
  const shop = await gateway(t)
  await makeLongList(shop)
  const setStatus = (status: string, completed: string, ids: string) =>
    asOwner(shop.databaseUrl, `update transaction set status = '${status}', completed_at = ${completed} where ${ids}`)
  // The first ten thousand are complete, one of the second is open still, and the rest is behind no mark.
  await setStatus('EXPIRED', 'created_at', `id <= ${ROWS}`)
  await setStatus('CANCELLED', 'created_at', `id <= ${ROWS} and id % 10 = 0`)
  await setStatus('FAILED', 'null', 'id = 15000')
  const totals = async () => {
    const counted: Record<string, number> = {}
    for (const paymentStatus of contract.PAYMENT_STATUSES) {
      const { totalElements } = await shop.call(contract.searchTransactions, { query: { paymentStatus, size: 1 } })
      counted[paymentStatus] = totalElements
    }
    return counted
  }
  const before = await totals()
  assert.deepEqual(before, { ...before, PENDING: 1, FAILED: 1, CANCELLED: 2_499, EXPIRED: 22_500, PAID: 0 })

  await markAll(shop)
  const count = () => onEachShard(shop, (tx, ofShard) => countMarks(tx, ofShard, list))
  assert.deepEqual([await count(), await count()], [1, 0])
  const [first, second] = await shop.db<{ byStatus: unknown }[]>`select by_status from list_mark order by up_to`
  assert.deepEqual(
    [first, second],
    [{ byStatus: { CANCELLED: 1_000, EXPIRED: 9_000 } }, { byStatus: null }],
    'what is open may still change its status',
  )
  assert.deepEqual(await totals(), before)

  await setStatus('EXPIRED', 'created_at', 'id = 15000')
  assert.deepEqual(await totals(), { ...before, FAILED: 0, EXPIRED: 22_501 }, 'nothing was counted too early')
  assert.equal(await count(), 1)
  assert.deepEqual(await totals(), { ...before, FAILED: 0, EXPIRED: 22_501 })

  // Not a row before the last mark is looked at: were there fewer, nobody would know.
  await asOwner(shop.databaseUrl, 'delete from transaction where id < 5000')
  assert.deepEqual(await totals(), { ...before, FAILED: 0, EXPIRED: 22_501 })
})
