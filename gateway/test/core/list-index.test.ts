import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { addMarks, MARK_ROWS } from '../../src/core/list-index/marks.ts'
import { countMarks } from '../../src/core/list-index/statuses.ts'
import { shardScope } from '../../src/core/shards/index.ts'
import { inTransaction, type Tx } from '../../src/platform/postgres/db.ts'
import { column, type MerchantScope, table } from '../../src/platform/postgres/table.ts'
import { gateway, type TestGateway } from '../harness/gateway.ts'
import { asOwner } from '../harness/postgres.ts'
import { aTransaction } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'

const ROWS = 2 * MARK_ROWS + 500

/** A merchant's old transactions, in the order of their numbers. */
async function makeLongList(shop: TestGateway, rows = ROWS): Promise<void> {
  await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  const [{ names } = { names: '' }] = await shop.db<{ names: string }[]>`
    select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_name = 'transaction' and is_generated = 'NEVER'
       and column_name not in ('id', 'transaction_reference', 'payment_reference')`
  await asOwner(
    shop.databaseUrl,
    `insert into transaction (id, transaction_reference, payment_reference, ${names})
     select n, 'OLD|' || n, 'old-' || n, ${names} from transaction, generate_series(1, ${rows}) n`,
  )
}

const list = table('transaction', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  status: column<string>(),
  completedAt: column<Date | null>(),
})
const onEachShard = (
  { core, db }: TestGateway,
  work: (tx: Tx, ofShard: MerchantScope) => Promise<number>,
): Promise<number> => core.shards.each((shard) => inTransaction(db, (tx) => work(tx, shardScope(shard))))

async function markAll(shop: TestGateway, rows = ROWS): Promise<void> {
  while ((await onEachShard(shop, (tx, ofShard) => addMarks(tx, ofShard, list, BigInt(rows)))) > 0);
}

test('a long list is counted exactly and paged by its index, far back too, and not read from the beginning', async (t) => {
  const shop = await gateway(t)
  await makeLongList(shop)
  const read = async (page: number, size = 100) => {
    const { content, totalElements, last } = await shop.call(contract.searchTransactions, { query: { page, size } })
    return { first: content[0]?.paymentReference, length: content.length, totalElements, last }
  }
  const pages = [0, 1, 9, 10, 14, 15, 24, 25, 26]
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
  const [old] = narrowed.content
  const customerEmail = old?.customerDTO.email.toUpperCase() ?? ''
  const theirs = await shop.call(contract.searchTransactions, { query: { customerEmail, size: 1 } })
  assert.equal(theirs.totalElements, ROWS + 2, 'a customer is found whatever the case of the address')

  // Rows before the index entries are not read, so deleting some of them does not change the count.
  await asOwner(shop.databaseUrl, `delete from transaction where id < 500`)
  assert.equal((await read(0)).totalElements, ROWS + 2)
})

slow(
  'a long list is counted by status: from the index where all is final, and by reading rows that may still change',
  async (t) => {
    const shop = await gateway(t)
    await makeLongList(shop)
    const setStatus = (status: string, completed: string, ids: string) =>
      asOwner(shop.databaseUrl, `update transaction set status = '${status}', completed_at = ${completed} where ${ids}`)
    // The first thousand are complete, one of the second is still open, and the rest has no index entry.
    await setStatus('EXPIRED', 'created_at', `id <= ${ROWS}`)
    await setStatus('CANCELLED', 'created_at', `id <= ${ROWS} and id % 10 = 0`)
    await setStatus('FAILED', 'null', 'id = 1500')
    const totals = async () => {
      const counted: Record<string, number> = {}
      for (const paymentStatus of contract.PAYMENT_STATUSES) {
        const { totalElements } = await shop.call(contract.searchTransactions, { query: { paymentStatus, size: 1 } })
        counted[paymentStatus] = totalElements
      }
      return counted
    }
    const before = await totals()
    assert.deepEqual(before, { ...before, PENDING: 1, FAILED: 1, CANCELLED: 249, EXPIRED: 2_250, PAID: 0 })

    await markAll(shop)
    const count = () => onEachShard(shop, (tx, ofShard) => countMarks(tx, ofShard, list, 20))
    assert.deepEqual([await count(), await count()], [1, 0])
    const [first, second] = await shop.db<{ byStatus: unknown }[]>`select by_status from list_mark order by up_to`
    assert.deepEqual(
      [first, second],
      [{ byStatus: { CANCELLED: 100, EXPIRED: 900 } }, { byStatus: null }],
      'an open transaction may still change its status',
    )
    assert.deepEqual(await totals(), before)

    await setStatus('EXPIRED', 'created_at', 'id = 1500')
    assert.deepEqual(await totals(), { ...before, FAILED: 0, EXPIRED: 2_251 }, 'nothing was counted too early')
    assert.equal(await count(), 1)
    assert.deepEqual(await totals(), { ...before, FAILED: 0, EXPIRED: 2_251 })

    // Rows before the last index entry are not read, so deleting some of them does not change the totals.
    await asOwner(shop.databaseUrl, 'delete from transaction where id < 500')
    assert.deepEqual(await totals(), { ...before, FAILED: 0, EXPIRED: 2_251 })
  },
)
