import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { BALANCES } from '../bookkeeper/check.ts'
import { assertBooks } from '../harness/checked-books.ts'
import { type Client, client } from '../harness/gateway.ts'
import { emptyDatabase } from '../harness/postgres.ts'
import { extractPreviousVersion, PREVIOUS_VERSION, whyNoPreviousVersion } from '../harness/previous-version.ts'
import { startProgram } from '../harness/processes.ts'
import { CARDS } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'

/** A request and its response, as recorded. */
interface Exchange {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly status: number
  readonly reply: Json
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
type Reply = Readonly<Record<string, Json>>
type Ask = (method: string, path: string, body?: object) => Promise<Reply>

const ADVANCE = '/sandbox/clock/advance'
const HOUR = 3_600
const DAY = 24 * HOUR

/** A sandbox of a version on its own database, with its simulated partners. */
async function sandbox(t: TestContext, file: string) {
  const { url, drop } = await emptyDatabase()
  t.after(drop)
  const env = { PORT: '0', DATABASE_URL: url, KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const program = startProgram(t, file, [], env)
  const baseUrl = await program.says(/^Kobo is ready at (\S+)/m)
  const shown = (label: string): string => new RegExp(`^ +${label} +(\\S+)$`, 'm').exec(program.stdout())?.[1] ?? ''
  const merchant = await client(baseUrl, {
    baseUrl,
    apiKey: shown('API key'),
    secretKey: shown('Secret key'),
    contractCode: shown('Contract code'),
    walletAccountNumber: shown('Wallet account'),
  })
  return { url, merchant }
}

async function exchange(merchant: Client, method: string, path: string, body?: object): Promise<Exchange> {
  const response = await merchant.send(method, path, body === undefined ? {} : { body })
  const reply = (response.body.responseBody ?? {}) as Json
  return { method, path, ...(body === undefined ? {} : { body }), status: response.status, reply }
}

/** Some of everything that a merchant does in a day, until all is settled. */
async function aDay(ask: Ask, { credentials: { contractCode, walletAccountNumber } }: Client): Promise<void> {
  let count = 0
  const open = async (amount: number, more: object = {}): Promise<string> => {
    const { transactionReference } = await ask('POST', '/api/v1/merchant/transactions/init-transaction', {
      amount,
      customerName: 'Ada Obi',
      customerEmail: 'ada@example.com',
      paymentReference: `order-${++count}`,
      paymentDescription: 'Shoes',
      currencyCode: 'NGN',
      contractCode,
      ...more,
    })
    return String(transactionReference)
  }
  const pay = async (amount: number, paid: number, more?: object): Promise<string> => {
    const transactionReference = await open(amount, more)
    const account = await ask('POST', '/api/v1/merchant/bank-transfer/init-payment', { transactionReference })
    const { bankCode, accountNumber } = account
    await ask('POST', '/sandbox/transfers', { bankCode, accountNumber, amount: paid })
    return transactionReference
  }
  const transfer = async (ending: string, amount: number): Promise<void> => {
    const destinationAccountNumber = `0123456${ending}`
    const { accountName } = await ask(
      'GET',
      `/api/v1/disbursements/account/validate?accountNumber=${destinationAccountNumber}&bankCode=058`,
    )
    await ask('POST', '/api/v2/disbursements/single', {
      amount,
      reference: `transfer-${++count}`,
      narration: 'Rent for March',
      destinationBankCode: '058',
      destinationAccountNumber,
      destinationAccountName: accountName,
      currency: 'NGN',
      sourceAccountNumber: walletAccountNumber,
    })
  }
  const advance = (seconds: number): Promise<Reply> => ask('POST', ADVANCE, { seconds })

  await ask('PUT', '/sandbox/settings', { otpEnabled: false })
  await ask('POST', '/sandbox/wallet/fund', { amount: 1_000_000 })
  await advance(DAY)
  const refunded = await pay(5_000, 5_000)
  await pay(5_000, 1_000)
  await pay(5_000, 7_500)
  const card = { expiryMonth: '12', expiryYear: '2099', cvv: '123', pin: '1234' }
  for (const number of [CARDS.success, CARDS.insufficientFunds])
    await ask('POST', '/api/v1/merchant/cards/charge', {
      transactionReference: await open(2_000),
      card: { number, ...card },
    })
  await open(9_000) // expires
  // Arrives, fails, arrives later, is reversed.
  for (const [nth, ending] of ['789', '001', '002', '003'].entries()) await transfer(ending, 1_000.5 + nth)
  await advance(HOUR)
  await ask('POST', '/api/v1/refunds/initiate-refund', {
    transactionReference: refunded,
    refundAmount: 1_000,
    refundReference: 'refund-1',
    refundReason: 'Wrong size',
    customerNote: 'Sorry!',
  })
  await advance(DAY)
  await pay(12_345.67, 12_345.67)
  await advance(2 * DAY)
}

/** Plays a recording with the same clock. Ids that a version made itself are exchanged for the other's. */
async function play(recording: readonly Exchange[], before: Client, merchant: Client): Promise<readonly Exchange[]> {
  const ids = new Map<string, string>([
    [before.credentials.contractCode, merchant.credentials.contractCode],
    [before.credentials.walletAccountNumber, merchant.credentials.walletAccountNumber],
  ])
  const played: Exchange[] = []
  for (const { method, path, body, reply } of recording) {
    const { epochMilliseconds } = (await exchange(merchant, 'GET', '/sandbox/clock')).reply as Reply
    const ahead = Number((reply as Reply)['epochMilliseconds']) - Number(epochMilliseconds)
    const sent =
      path === ADVANCE ? { seconds: Math.ceil(ahead / 1_000) } : (exchanged(body ?? null, ids) as object | null)
    const one = await exchange(merchant, method, exchangedText(path, ids), sent ?? undefined)
    learn(reply, one.reply, ids)
    played.push(one)
  }
  return played
}

const exchangedText = (text: string, ids: ReadonlyMap<string, string>): string =>
  [...ids].reduce((result, [from, to]) => result.replaceAll(encodeURIComponent(from), encodeURIComponent(to)), text)

function exchanged(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value
  if (Array.isArray(value)) return value.map((one) => exchanged(one, ids))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, exchanged(one, ids)]))
}

function learn(from: unknown, to: unknown, ids: Map<string, string>): void {
  if (typeof from === 'string' && typeof to === 'string' && from !== to) ids.set(from, to)
  if (typeof from !== 'object' || typeof to !== 'object' || from === null || to === null) return
  for (const [name, one] of Object.entries(from)) learn(one, (to as Record<string, unknown>)[name], ids)
}

/** Texts that were reworded since the previous version. Empty it after each release. */
const REWORDED: Readonly<Record<string, string>> = { 'Sandbox play money': 'Sandbox test money' }

/** Matches texts with ids or times, which are not compared. */
const MADE = /\d{6}|(?=[A-Z_]*\d)[A-Z0-9_]{8,}|\d\d:\d\d/

/** Matches names of fields with ids, because such ids may consist of letters only. */
const MADE_NAMES = /(Key|Code|Reference)$/

/** A value as the previous version knew it: without ids and moments, and without fields that it did not have. */
function comparable(value: unknown, known: unknown = value): unknown {
  if (typeof value === 'string') return MADE.test(value) ? 'made' : (REWORDED[value] ?? value)
  if (Array.isArray(value)) return value.map((one, nth) => comparable(one, Array.isArray(known) ? known[nth] : one))
  if (typeof value !== 'object' || value === null || typeof known !== 'object' || known === null) return value
  const names = Object.keys(known).filter((name) => name !== 'epochMilliseconds' && name !== 'offsetSeconds')
  return Object.fromEntries(
    names.map((name) => {
      const field = (value as Record<string, unknown>)[name]
      const isMade = MADE_NAMES.test(name) && typeof field === 'string' && /^[A-Z0-9_]{8,}$/.test(field)
      return [name, isMade ? 'made' : comparable(field, (known as Record<string, unknown>)[name])]
    }),
  )
}

interface Kept {
  /** The balances in kobo. */
  readonly books: readonly (readonly [code: string, balance: string])[]
  readonly events: readonly { readonly eventType: string; readonly eventData: unknown }[]
}

/** The events by type and the merchant's own reference: workers may write those of one moment in any order. */
const OWN_ORDER = `
  select body from event
   order by event_type, substring(body from '"((?:order|transfer|refund)-[0-9]+)"'), id`

/** Reads everything that a sandbox has in the end. */
async function readKept(url: string): Promise<Kept> {
  const database = new pg.Client(url)
  await database.connect()
  try {
    await until('nothing is open', async () => {
      const { rows } = await database.query(`select 1 from rail_order where state in ('WAITING', 'SENT')`)
      return rows.length === 0
    })
    const balances = await database.query<{ code: string; balance: string }>(
      `with ${BALANCES} select code, balance::text from balances where balance <> 0`,
    )
    const events = await database.query<{ body: string }>(OWN_ORDER)
    const books = balances.rows.map(({ code, balance }) => [code.replace(/\d{6,}/g, 'made'), balance] as const)
    return { books: books.sort(), events: events.rows.map(({ body }) => JSON.parse(body)) }
  } finally {
    await database.end()
  }
}

slow(
  `a day recorded on the previous version (${PREVIOUS_VERSION}) gives the same books and events on this one`,
  async (t) => {
    const skipped = await whyNoPreviousVersion()
    if (skipped !== undefined) return t.skip(skipped)
    const before = await sandbox(t, await extractPreviousVersion())
    const after = await sandbox(t, 'gateway/src/main.ts')

    const recording: Exchange[] = []
    const record: Ask = async (method, path, body) => {
      const one = await exchange(before.merchant, method, path, body)
      recording.push(one)
      return one.reply as Reply
    }
    await aDay(record, before.merchant)
    const played = await play(recording, before.merchant, after.merchant)

    for (const [nth, { method, path, status, reply }] of recording.entries())
      assert.deepEqual(
        [played[nth]?.status, comparable(played[nth]?.reply, reply)],
        [status, comparable(reply)],
        `${method} ${path}`,
      )
    const [recorded, replayed] = [await readKept(before.url), await readKept(after.url)]
    assert.ok(recorded.books.length > 5 && recorded.events.length > 5, 'there was something to do')
    assert.deepEqual(replayed.books, recorded.books)
    assert.deepEqual(
      replayed.events.map((event, nth) => comparable(event, recorded.events[nth])),
      recorded.events.map((event) => comparable(event)),
    )
    await assertBooks(after.url)
  },
)
