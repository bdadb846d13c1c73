import * as contract from '@kobo/contract'
import pg from 'pg'
import type { Look } from './benchmark.ts'
import { login } from './merchant.ts'

/** A node's number that no process has here, so that these references are nobody else's. */
const NODE = 98
const MADE_AT = '2026-03-01 09:30:00+00'
const AMOUNT = 900_000
const FEE = 13_500
const MEMORY_EVERY_MILLISECONDS = 250
const DAYS = 2

/** Settles a day's transactions of one merchant: time and memory, beside what PostgreSQL takes to change their rows. */
export const settlement: Look = async ({ databaseUrl, gateway, transactions, progress }) => {
  const merchant = await login(gateway)
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    progress(`preparing ${transactions} transactions`)
    await prepare(client, gateway.credentials.apiKey, transactions)
    progress('PostgreSQL alone')
    const baseSeconds = await timed(async () => {
      await client.query(
        `update transaction set settles_at = settles_at + interval '1 second' where settles_at is not null`,
      )
    })
    await client.query('vacuum analyze transaction')

    progress('settling')
    const before = await gateway.rssBytes()
    let most = before
    let measuring = true
    const measured = (async () => {
      while (measuring) {
        most = Math.max(most, await gateway.rssBytes())
        await new Promise((resolve) => setTimeout(resolve, MEMORY_EVERY_MILLISECONDS))
      }
    })()
    const seconds = await timed(async () => {
      await merchant.call(contract.advanceClock, { body: { seconds: DAYS * 86_400 } })
    })
    measuring = false
    await measured
    const { rows } = await client.query(
      'select count(*)::text as items, (select count(*)::text from settlement) as settlements from settlement_item',
    )
    if (Number(rows[0].items) < transactions) throw new Error(`${rows[0].items} of ${transactions} were settled`)
    return {
      'transactions in one run': String(transactions),
      'settlements made of them': rows[0].settlements,
      'PostgreSQL alone changes their rows, seconds': baseSeconds.toFixed(1),
      'settled, seconds': seconds.toFixed(1),
      'memory before / at most, MB': `${(before / 1_000_000).toFixed(0)} / ${(most / 1_000_000).toFixed(0)}`,
    }
  } finally {
    await client.end()
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1_000
}

/** Paid transactions with payments and balanced journals, due to be settled tomorrow, as if they had come in during the day. */
async function prepare(client: pg.Client, apiKey: string, count: number): Promise<void> {
  const { rows } = await client.query(
    'select m.id, c.code from merchant m join contract c on c.merchant_id = m.id where api_key = $1',
    [apiKey],
  )
  const { id: merchantId, code: contractCode } = rows[0]
  await client.query('begin')
  // Rows of a set, numbered; an id is its reference in 63 bits: seconds since 2024, node, counter.
  await client.query(
    `create temporary table made on commit drop as
     select n, $1::bigint as merchant_id,
            ((extract(epoch from $2::timestamptz - timestamptz '2024-01-01 00:00:00+00')::bigint << 27) | ($3::bigint << 20) | n) as id
       from generate_series(0, $4::bigint - 1) n`,
    [merchantId, MADE_AT, NODE, count],
  )
  await client.query(
    `insert into transaction (
       merchant_id, id, transaction_reference, payment_reference, contract_code, status, amount, payable, currency_code,
       payment_description, customer_name, customer_email, payment_methods, meta_data, product_type, product_reference,
       fee_bearer, fee_basis_points, fee_cap, fee_flat, underpayment, created_at, expires_at, completed_at, amount_paid, fee,
       payment_method, paid_at, settles_at)
     select merchant_id, id, 'KOBO|${NODE}|20260301093000|' || lpad(n::text, 6, '0'), 'settled-' || n, $1, 'PAID', ${AMOUNT}, ${AMOUNT}, 'NGN',
            'Two pairs of shoes', 'Ada Obi', 'ada@example.com', '{ACCOUNT_TRANSFER}', '{"order":1}', 'API_NOTIFICATION', 'settled-' || n,
            'MERCHANT', 150, 200000, 0, 'ACCEPT', now(), now() + interval '40 minutes', now(), ${AMOUNT}, ${FEE},
            'ACCOUNT_TRANSFER', now(), now() + interval '1 day'
       from made`,
    [contractCode],
  )
  await client.query(
    `insert into payment (merchant_id, id, transaction_id, rail_reference, method, amount, fee, payer_name, payer_account_number,
                          payer_bank_code, bank_code, account_number, received_at)
     select merchant_id, id, id, 'settled-' || n, 'ACCOUNT_TRANSFER', ${AMOUNT}, ${FEE}, 'ADA OBI', '0123456789', '058', '035', '0000014579', now()
       from made`,
  )
  await client.query(
    `insert into journal (merchant_id, id, key, memo, posted_at, sources, targets, amounts)
     select merchant_id, id, 'collection/settled-' || n, 'Collection', now(),
            '{clearing/bank-transfer,clearing/bank-transfer}', '{payable,fees/collection}', array[${AMOUNT - FEE}, ${FEE}]
       from made`,
  )
  await client.query(
    `insert into account (merchant_id, code, balance)
     values ($1, 'clearing/bank-transfer', $2::bigint * -${AMOUNT}), ($1, 'payable', $2::bigint * ${AMOUNT - FEE}), ($1, 'fees/collection', $2::bigint * ${FEE})
         on conflict (merchant_id, code) do update set balance = account.balance + excluded.balance`,
    [merchantId, count],
  )
  await client.query('commit')
  await client.query('vacuum analyze')
}
