import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { forgetCustomers, isOfRareCustomer, noteCustomers } from '../../src/core/list-marks/customers.ts'
import { addMarks, MARK_ROWS } from '../../src/core/list-marks/marks.ts'
import { countMarks } from '../../src/core/list-marks/statuses.ts'
import { whose } from '../../src/core/shards/index.ts'
import { inTransaction, type Tx } from '../../src/platform/db.ts'
import { column, table, type Whose } from '../../src/platform/table.ts'
import { gateway, type TestGateway } from '../harness/gateway.ts'
import { asOwner } from '../harness/postgres.ts'
import { aTransaction } from '../harness/samples.ts'

const ROWS = 2 * MARK_ROWS + 500
/** Enough for a customer to be rare among the marks. */
const CUSTOMERS = 30 * MARK_ROWS

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
  customerEmail: column<string>(),
  completedAt: column<Date | null>(),
})
const onEachShard = ({ core, db }: TestGateway, work: (tx: Tx, ofShard: Whose) => Promise<number>): Promise<number> =>
  core.shards.each((shard) => inTransaction(db, (tx) => work(tx, whose(shard))))

async function markAll(shop: TestGateway, rows = ROWS): Promise<void> {
  while ((await onEachShard(shop, (tx, ofShard) => addMarks(tx, ofShard, list, BigInt(rows)))) > 0);
}

test('a long list is counted exactly and paged through from marks, far back too, and not read from the beginning', async (t) => {
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

  // Not a row before the marks is looked at: were there fewer, nobody would know.
  await asOwner(shop.databaseUrl, `delete from transaction where id < 500`)
  assert.equal((await read(0)).totalElements, ROWS + 2)
})

test('a long list is counted by status: from marks where all is complete, and by looking where something may still change', async (t) => {
  const shop = await gateway(t)
  await makeLongList(shop)
  const setStatus = (status: string, completed: string, ids: string) =>
    asOwner(shop.databaseUrl, `update transaction set status = '${status}', completed_at = ${completed} where ${ids}`)
  // The first thousand are complete, one of the second is open still, and the rest is behind no mark.
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
    'what is open may still change its status',
  )
  assert.deepEqual(await totals(), before)

  await setStatus('EXPIRED', 'created_at', 'id = 1500')
  assert.deepEqual(await totals(), { ...before, FAILED: 0, EXPIRED: 2_251 }, 'nothing was counted too early')
  assert.equal(await count(), 1)
  assert.deepEqual(await totals(), { ...before, FAILED: 0, EXPIRED: 2_251 })

  // Not a row before the last mark is looked at: were there fewer, nobody would know.
  await asOwner(shop.databaseUrl, 'delete from transaction where id < 500')
  assert.deepEqual(await totals(), { ...before, FAILED: 0, EXPIRED: 2_251 })
})

test('a customer is found in a long list where marks say that it may be, and nowhere else is looked', async (t) => {
  const shop = await gateway(t)
  await makeLongList(shop, CUSTOMERS)
  const rename = (email: string, ids: string) =>
    asOwner(shop.databaseUrl, `update transaction set customer_email = ${email} where ${ids}`)
  await rename(`'customer-' || id::text || '@example.com'`, `id <= ${CUSTOMERS}`)
  await rename(`'Bola@Example.com'`, 'id in (7, 9007)')
  await rename(`'often@example.com'`, 'id % 100 = 0')
  const find = async (customerEmail: string) => {
    const query = { customerEmail, size: 2 }
    const { content, totalElements } = await shop.call(contract.searchTransactions, { query })
    return [totalElements, ...content.map(({ paymentReference }) => paymentReference)]
  }
  const note = () => onEachShard(shop, (tx, ofShard) => noteCustomers(tx, ofShard, list, 50))
  const names = ['bola@example.COM', 'customer-1501@example.com', 'often@example.com', 'nobody@example.com']
  const before = await Promise.all(names.map(find))
  assert.deepEqual(before, [
    [2, 'old-9007', 'old-7'],
    [1, 'old-1501'],
    [CUSTOMERS / 100, `old-${CUSTOMERS}`, `old-${CUSTOMERS - 100}`],
    [0],
  ])
  // Until marks tell who is rare, nobody is: whoever lists goes back in steps, and never through all rows at once.
  const isRare = async (email: string, newRowsMax?: number) =>
    (await isOfRareCustomer(shop.db, list, shop.merchantId, email, newRowsMax)) !== undefined
  assert.equal(await isRare('nobody@example.com'), false)
  await markAll(shop, CUSTOMERS)
  assert.equal(await isRare('nobody@example.com'), false)
  assert.deepEqual([await note(), await note()], [CUSTOMERS / MARK_ROWS - 1, 0])
  assert.deepEqual(await Promise.all(names.map((name) => isRare(name))), [true, true, false, true])
  assert.equal(await isRare('nobody@example.com', MARK_ROWS / 2), false, 'more than so many are behind the last mark')
  assert.deepEqual(await Promise.all(names.map(find)), before)

  // Who is written among marked rows, and whom no mark was told of, is not looked for there; once they are told, it is found.
  await rename(`'nobody@example.com'`, 'id = 3000')
  assert.deepEqual(await find('nobody@example.com'), [0])
  const [merchant] = await shop.db<{ id: bigint }[]>`select distinct merchant_id as id from list_mark`
  await inTransaction(shop.db, async (tx) => forgetCustomers(tx, merchant?.id ?? 0n, 'transaction', [3_000n, 3_001n]))
  assert.deepEqual(await find('nobody@example.com'), [1, 'old-3000'])
  assert.equal(await note(), 2)
  assert.deepEqual(await find('nobody@example.com'), [1, 'old-3000'])
  // What is behind the last mark is always looked at.
  await rename(`'nobody@example.com'`, `id = ${CUSTOMERS}`)
  assert.deepEqual(await find('nobody@example.com'), [2, `old-${CUSTOMERS}`, 'old-3000'])
})
