import { setTimeout as wait } from 'node:timers/promises'
import type { Input } from '@kobo/contract'
import * as contract from '@kobo/contract'
import pg from 'pg'
import { type Bench, median, type PlainBenchmark } from './benchmark.ts'
import { load } from './load.ts'
import { aTransaction, login, type Merchant } from './merchant.ts'

const CONNECTIONS = 64
/** Rows are inserted in batches, so that no query runs for minutes. */
const BATCH_ROWS = 100_000
const SMALL_ROWS = 10_000
const PAGE_SIZE = 20
const PAYMENTS_OF_CUSTOMER = 3
const READS = 7
const INDEXING_SECONDS_MAX = 1_200
/** Rows between two list index entries, as in the gateway. */
const INDEX_ENTRY_ROWS = 1_000

type Search = Input<typeof contract.searchTransactions>['query']

/** Typical searches in a long list. Each returns a page with the total. */
const searchesIn = (rows: number): Readonly<Record<string, Search>> => ({
  'first page': { page: 0, size: PAGE_SIZE },
  'page in the middle': { page: Math.floor(rows / 2 / PAGE_SIZE), size: PAGE_SIZE },
  'a reference': { page: 0, size: PAGE_SIZE, paymentReference: 'at-size-warm-0' },
  'a status': { page: 0, size: PAGE_SIZE, paymentStatus: 'EXPIRED' },
  'a customer': { page: 0, size: PAGE_SIZE, customerEmail: 'customer-7@example.com' },
  'an unknown customer': { page: 0, size: PAGE_SIZE, customerEmail: 'nobody@example.com' },
})
const SEARCHES = Object.keys(searchesIn(0))

/** Measures how fast payments are created, listed and searched with very many transactions, compared with few. */
export const atSize: PlainBenchmark = async (bench) => {
  const { gateway, databaseUrl, rows, progress } = bench
  const merchant = await login(gateway)
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await initsASecond(bench, merchant, 'warm')
    await growTo(client, SMALL_ROWS, progress)
    const perSecondOfFew = await initRate(bench, merchant, 'few')
    const few = await searchTimes(merchant, SMALL_ROWS)
    await growTo(client, rows, progress)
    await waitForIndex(client, progress)
    // The searches run before more payments are created, so that there are as many new payments as with few.
    const many = await searchTimes(merchant, rows)
    const perSecondOfMany = await initRate(bench, merchant, 'many')
    const ratios = SEARCHES.map((name) => (many.milliseconds[name] ?? 0) / (few.milliseconds[name] ?? 0))
    return {
      'transactions in the table': `${SMALL_ROWS}, then ${rows}`,
      'init-transactions a second': `${perSecondOfFew.toFixed(0)}, then ${perSecondOfMany.toFixed(0)}`,
      'init at size ÷ with few': (perSecondOfMany / perSecondOfFew).toFixed(2),
      ...Object.fromEntries(
        SEARCHES.map((name) => [
          `${name}, milliseconds`,
          `${few.milliseconds[name]?.toFixed(1)}, then ${many.milliseconds[name]?.toFixed(1)}${many.rejected.has(name) ? ', rejected' : ''}`,
        ]),
      ),
      // The ratio of the search that slows down most.
      'lists and search at size ÷ with few (time)': Math.max(...ratios).toFixed(1),
    }
  } finally {
    await client.end()
  }
}

async function initRate(bench: Bench, merchant: Merchant, name: string): Promise<number> {
  const rates: number[] = []
  for (let n = 1; n <= bench.rounds; n++) rates.push(await initsASecond(bench, merchant, `${name}-${n}`))
  return median(rates)
}

async function searchTimes(merchant: Merchant, rows: number) {
  const milliseconds: Record<string, number> = {}
  const rejected = new Set<string>()
  for (const [search, query] of Object.entries(searchesIn(rows))) {
    const times: number[] = []
    for (let n = 0; n < READS && !rejected.has(search); n++) {
      const began = performance.now()
      // A search that fails, for example by a timeout, is reported as rejected.
      await merchant.call(contract.searchTransactions, { query }).catch(() => rejected.add(search))
      times.push(performance.now() - began)
    }
    milliseconds[search] = median(times)
  }
  return { milliseconds, rejected }
}

async function initsASecond({ gateway, seconds, progress }: Bench, merchant: Merchant, name: string): Promise<number> {
  progress(`init-transactions, ${name}`)
  const { perSecond } = await load({
    url: gateway.url,
    connections: CONNECTIONS,
    requestsMax: Number.MAX_SAFE_INTEGER,
    secondsMax: seconds,
    request: (nth) =>
      merchant.request(
        contract.initTransaction,
        aTransaction(gateway.credentials.contractCode, `at-size-${name}-${nth}`),
      ),
  })
  return perSecond
}

/** Copies a transaction until there are enough rows. The copies have low ids, like old rows, and new references. */
async function growTo(client: pg.Client, rows: number, progress: (text: string) => void): Promise<void> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select quote_ident(column_name) as name from information_schema.columns
      where table_schema = current_schema() and table_name = 'transaction' and is_generated = 'NEVER'
        and column_name not in ('id', 'transaction_reference', 'payment_reference', 'completed_at', 'status', 'customer_email')
      order by ordinal_position`,
  )
  const names = columns.map(({ name }) => name).join(', ')
  let { count } = (await client.query<{ count: number }>('select count(*)::integer as count from transaction'))
    .rows[0] as {
    count: number
  }
  while (count < rows) {
    progress(`${count} of ${rows} transactions`)
    const made = Math.min(BATCH_ROWS, rows - count)
    // The copies are completed, so that no background job processes them.
    await client.query(
      `insert into transaction (id, transaction_reference, payment_reference, completed_at, status, customer_email, ${names})
       select $1::bigint + n, 'OLD|' || ($1::bigint + n), 'old-' || ($1::bigint + n), created_at, 'EXPIRED',
              'customer-' || ($1::bigint + n) / ${PAYMENTS_OF_CUSTOMER} || '@example.com', ${names}
         from (select * from transaction order by merchant_id, id desc limit 1) one, generate_series(1, $2::integer) n`,
      [count, made],
    )
    count += made
  }
  // Leaves the table in the state of one that has grown over months.
  await client.query('vacuum (analyze) transaction')
  await client.query('checkpoint')
}

/** Waits until the gateway has indexed the list; older versions have no index. */
async function waitForIndex(client: pg.Client, progress: (text: string) => void): Promise<void> {
  // Only the copies (EXPIRED) are old enough to be indexed.
  const { rows: old } = await client.query(
    `select count(*)::integer as count from transaction where status = 'EXPIRED'`,
  )
  const expected = Math.floor(old[0]?.count / INDEX_ENTRY_ROWS) - 1
  for (let second = 0; second < INDEXING_SECONDS_MAX; second++) {
    const { rows: tables } = await client.query(`select to_regclass('list_mark') as name`)
    if (tables[0]?.name === null) return
    // The row is read as JSON, because older versions do not have these two columns.
    const { rows: counted } = await client.query(
      `select count(*)::integer as count from list_mark m, to_jsonb(m) noted
        where noted -> 'by_status' is distinct from 'null' and noted -> 'customers' is distinct from 'null'`,
    )
    if (counted[0]?.count >= expected) return
    progress(`${counted[0]?.count} of ${expected} list index entries`)
    await wait(1_000)
  }
  throw new Error('The list was not indexed in time')
}
