import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { sandbox } from '../../../connectors/test/connectors.ts'
import { verifyLedger } from '../../src/app/ledger.ts'
import { walletBalances } from '../../src/core/money/wallet-balances/index.ts'
import { secondsAfter, wallClock } from '../../src/kernel/clock.ts'
import { kobo, toNaira } from '../../src/kernel/money.ts'
import { openLog } from '../../src/platform/observability/log.ts'
import { openDatabase } from '../../src/platform/postgres/db.ts'
import { signedHeaders } from '../../src/rails/http/index.ts'
import { checkedDatabase } from '../harness/checked-books.ts'
import { testWall } from '../harness/clock.ts'
import { partners, reportCredit } from '../harness/credits.ts'
import { type Client, client, gateway, type Shop, type TestGateway } from '../harness/gateway.ts'
import { command, startProgram } from '../harness/processes.ts'
import { proxyFor } from '../harness/proxy-for.ts'
import { aTransaction } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'
import { RAILS_SECRET, type RailAdapter } from '../rails/adapter.ts'

const NIN = '22222222226'
const WALLET_BANK = '50515'

interface Live {
  readonly shop: TestGateway
  /** A merchant that may pay bills and verify identities. */
  readonly merchant: Client
  readonly adapter: RailAdapter
}

/** A live gateway whose rails are an adapter's. */
async function live(t: TestContext): Promise<Live> {
  const adapter = await partners(t)
  const env = { KOBO_ENVIRONMENT: 'live', KOBO_RAILS_URL: adapter.url, KOBO_RAILS_SECRET: RAILS_SECRET }
  const shop = await gateway(t, { env, hasCheckedBooks: true })
  return { shop, merchant: await shop.anotherMerchant(['bills', 'verification']), adapter }
}

const aCredit = ({ credentials }: Client, changes: object = {}) => ({
  railReference: '000013260301093000000000000001',
  bankCode: WALLET_BANK,
  accountNumber: credentials.walletAccountNumber,
  amount: 10_000,
  payer: { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: null },
  ...changes,
})

/** A merchant's wallet balance, in naira. */
async function available({ core, db }: Shop, { credentials }: Client): Promise<number> {
  const merchant = await core.directory.byApiKey(credentials.apiKey)
  const key = { merchantId: merchant?.id ?? 0n, accountNumber: credentials.walletAccountNumber }
  return toNaira((await walletBalances(db, key))?.available ?? kobo(0n))
}

test('without rails a live gateway says so at its start and rejects what would need them', async (t) => {
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  const shop = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' }, log })
  assert.match(lines.join(''), /"level":"warn".*KOBO_RAILS_URL/)
  const merchant = await shop.anotherMerchant(['bills'])
  await merchant.rejected(503, contract.listBillerCategories, {})
  await merchant.rejected(503, contract.vendBill, {
    body: { productCode: 'MTN-AIRTIME', customerId: '08142223149', amount: 100, reference: 'bill-1' },
  })
  const response = await merchant.send('POST', '/rails/credits', { body: aCredit(merchant) })
  assert.equal(response.status, 404, 'there is no secret to sign a credit with')
})

test('an adapter that turns out to simulate payments while live runs is not called, and reports nothing', async (t) => {
  const [adapter, door] = [await sandbox(t, { wall: testWall }), await proxyFor(t)]
  const shop = await gateway(t, {
    env: {
      KOBO_ENVIRONMENT: 'live',
      KOBO_RAILS_URL: door.url + new URL(adapter.url).pathname,
      KOBO_RAILS_SECRET: RAILS_SECRET,
      KOBO_ALLOW: 'embedded-database,plain-http,plain-public-url,plain-rails,no-mail',
    },
  })
  const merchant = await shop.anotherMerchant(['bills'])
  door.forwardTo(Number(new URL(adapter.url).port))
  await merchant.rejected(503, contract.listBillerCategories, {})
  assert.equal((await reportCredit(shop, aCredit(merchant))).status, 401)
  assert.equal(await available(shop, merchant), 0)
})

test('a credit reported by the bank adapter is accepted or returned, once per reference', async (t) => {
  const { shop, merchant } = await live(t)
  for (let time = 0; time < 2; time++) {
    const response = await reportCredit(shop, aCredit(merchant))
    assert.deepEqual([response.status, await response.json()], [200, { kind: 'accepted' }])
  }
  assert.equal(await available(shop, merchant), 100)
  const many = await Promise.all(
    Array.from({ length: 20 }, () =>
      reportCredit(shop, aCredit(merchant, { railReference: 'another', amount: 5_000 })),
    ),
  )
  for (const response of many) assert.deepEqual(await response.json(), { kind: 'accepted' })
  assert.equal(await available(shop, merchant), 150)
  const unknown = await reportCredit(shop, aCredit(merchant, { accountNumber: '0000000001', railReference: 'third' }))
  assert.deepEqual([unknown.status, await unknown.json()], [200, { kind: 'rejected', reason: 'ACCOUNT_NOT_FOUND' }])
  const bare = {
    railReference: 'fourth',
    bankCode: WALLET_BANK,
    accountNumber: merchant.credentials.walletAccountNumber,
  }
  assert.equal((await reportCredit(shop, { ...bare, amount: 1 })).status, 200)
  assert.equal(await available(shop, merchant), 150.01)
})

test('a credit is accepted only with a fresh signature by the right secret over its own content', async (t) => {
  const { shop, merchant } = await live(t)
  const credit = aCredit(merchant)
  const body = JSON.stringify(credit)
  const old = { now: () => secondsAfter(shop.core.wall.now(), -301) }
  const early = { now: () => secondsAfter(shop.core.wall.now(), 310) }
  for (const [what, response] of [
    ['another secret', reportCredit(shop, credit, { secret: 'another-secret-that-is-long-enough' })],
    ['another operation', reportCredit(shop, credit, { operation: 'transfer/send' })],
    [
      'another body',
      reportCredit(shop, credit, { headers: signedHeaders(RAILS_SECRET, shop.core.wall, 'credits', '{}') }),
    ],
    ['too old', reportCredit(shop, credit, { headers: signedHeaders(RAILS_SECRET, old, 'credits', body) })],
    ['from the future', reportCredit(shop, credit, { headers: signedHeaders(RAILS_SECRET, early, 'credits', body) })],
    ['no time', reportCredit(shop, credit, { headers: { 'kobo-timestamp': 'now' } })],
    ['no signature', fetch(`${shop.url}/rails/credits`, { method: 'POST', body })],
  ] as const) {
    const reply = await response
    assert.equal(reply.status, 401, what)
    assert.equal(((await reply.json()) as { requestSuccessful: boolean }).requestSuccessful, false)
  }
  assert.equal(await available(shop, merchant), 0)
})

test('a malformed credit is rejected with the field’s name', async (t) => {
  const { shop, merchant } = await live(t)
  for (const [credit, message] of [
    ['{"railReference": ', /not valid JSON/],
    ['', /not valid JSON/],
    ['[]', /^body/],
    [aCredit(merchant, { railReference: '' }), /^railReference must be 1 to 128/],
    [aCredit(merchant, { railReference: undefined }), /^railReference is required/],
    [aCredit(merchant, { amount: 0 }), /^amount/],
    [aCredit(merchant, { amount: '100' }), /^amount/],
    [aCredit(merchant, { amount: 0.5 }), /^amount/],
    [aCredit(merchant, { bankCode: 'wema' }), /^bankCode/],
    [aCredit(merchant, { accountNumber: '123' }), /^accountNumber/],
    [aCredit(merchant, { payer: { bvn: '1' } }), /^payer\.bvn/],
    [aCredit(merchant, { narration: 'a\u0000b' }), /^narration/],
  ] as const) {
    const response = await reportCredit(shop, credit)
    assert.equal(response.status, 400)
    assert.match(((await response.json()) as { responseMessage: string }).responseMessage, message)
  }
  assert.equal((await reportCredit(shop, aCredit(merchant, { narration: 'x'.repeat(70_000) }))).status, 413)
  assert.equal(await available(shop, merchant), 0)
})

test('in live mode an identity lookup is paid from the wallet, and only if there is a response', async (t) => {
  const { shop, merchant, adapter } = await live(t)
  const account = { bankCode: '058', accountNumber: '0123456789' }
  const nin = (number: string) => ({ body: { nin: number } })
  assert.equal((await merchant.rejected(400, contract.getNinDetails, nin(NIN))).responseCode, 'D04')
  assert.deepEqual(adapter.operations, [], 'no register is called for a merchant that cannot pay')

  await reportCredit(shop, aCredit(merchant, { amount: 14_000 }))
  const person = await merchant.call(contract.getNinDetails, nin(NIN))
  assert.equal(person.nin, NIN)
  assert.equal(await available(shop, merchant), 80)
  await merchant.call(contract.matchBvnAccount, { body: { ...account, bvn: NIN } })
  assert.equal(await available(shop, merchant), 70)
  const details = { bvn: NIN, name: 'Ada Obi', dateOfBirth: '03-Oct-1993', mobileNo: '08142223149' }
  await merchant.call(contract.matchBvnDetails, { body: details })
  assert.equal(await available(shop, merchant), 60)

  await merchant.rejected(400, contract.getNinDetails, nin('22222222000'))
  await merchant.rejected(400, contract.matchBvnDetails, { body: { ...details, bvn: '22222222000' } })
  await merchant.rejected(503, contract.matchBvnAccount, {
    body: { ...account, accountNumber: '0123456006', bvn: NIN },
  })
  adapter.misbehaving = () => ({ status: 500, text: '' })
  await merchant.rejected(503, contract.getNinDetails, nin(NIN))
  adapter.misbehaving = () => undefined
  assert.equal(await available(shop, merchant), 60, 'a lookup without a response costs nothing')

  await merchant.call(contract.getNinDetails, nin(NIN))
  assert.equal(await available(shop, merchant), 0)
  await merchant.rejected(400, contract.matchBvnDetails, { body: details })
  const { imbalance, wrong } = await verifyLedger(shop.db)
  assert.deepEqual({ imbalance, wrong }, { imbalance: '0', wrong: [] })
})

test('a lookup whose process died after charging returns a result on retry, and is paid once', async (t) => {
  const { shop, merchant } = await live(t)
  await reportCredit(shop, aCredit(merchant, { amount: 6_000 }))
  const request = (key: string) =>
    merchant.send('POST', contract.getNinDetails.path, { body: { nin: NIN }, headers: { 'idempotency-key': key } })
  const first = await request('one')
  assert.deepEqual([first.status, await available(shop, merchant)], [200, 0])
  const dies = () => shop.db`update idempotency_key set status = null, answer = null, leased_until = '2000-01-01'`
  await dies()
  assert.equal((await request('one')).text, first.text, 'it is paid for, though the wallet is empty')
  await reportCredit(shop, aCredit(merchant, { railReference: 'second', amount: 12_000 }))
  await dies()
  assert.deepEqual([(await request('one')).text, await available(shop, merchant)], [first.text, 120])
  assert.equal((await request('another')).status, 200)
  assert.equal(await available(shop, merchant), 60, 'another request is another charge')
})

test('many lookups at once never overdraw the wallet, and each result was paid', async (t) => {
  const { shop, merchant } = await live(t)
  await reportCredit(shop, aCredit(merchant, { amount: 30_000 }))
  const responses = await Promise.all(
    Array.from({ length: 12 }, () => merchant.send('POST', contract.getNinDetails.path, { body: { nin: NIN } })),
  )
  const statuses = responses.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, ...Array.from({ length: 7 }, () => 400)])
  assert.equal(await available(shop, merchant), 0)
})

test('in live mode a bill is vended by the operator’s own biller', async (t) => {
  const { shop, merchant } = await live(t)
  await reportCredit(shop, aCredit(merchant, { amount: 100_000 }))
  const body = { productCode: 'MTN-AIRTIME', customerId: '08142223149', amount: 1_000, reference: 'bill-1' }
  assert.equal((await merchant.call(contract.vendBill, { body })).vendStatus, 'SUCCESS')
  assert.equal(await available(shop, merchant), 30)
})

slow(
  'while the billers are unreachable, the last known catalogue stays valid, and a vend waits for their response',
  async (t) => {
    const adapter = await partners(t)
    const shop = await gateway(t, {
      env: { KOBO_RAILS_URL: adapter.url, KOBO_RAILS_SECRET: RAILS_SECRET },
      hasCheckedBooks: true,
    })
    await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
    adapter.misbehaving = () => ({ status: 502, text: '' })
    await shop.rejected(503, contract.listBillers, {})
    adapter.misbehaving = () => undefined
    const billers = await shop.call(contract.listBillers, { query: {} })
    await shop.advance(301)
    adapter.misbehaving = () => ({ status: 502, text: '' })
    assert.deepEqual(await shop.call(contract.listBillers, { query: {} }), billers)
    await shop.rejected(503, contract.validateBillCustomer, {
      body: { productCode: 'IKEDC-PREPAID', customerId: '62418234034' },
    })
    const body = { productCode: 'MTN-AIRTIME', customerId: '08142223149', amount: 1_000, reference: 'bill-1' }
    assert.equal((await shop.call(contract.vendBill, { body })).vendStatus, 'PENDING')
    adapter.misbehaving = () => undefined
    await shop.advance(61)
    assert.equal((await shop.call(contract.requeryBill, { query: { reference: 'bill-1' } })).vendStatus, 'SUCCESS')
  },
)

test('a biller that hangs delays no other due work', async (t) => {
  const adapter = await partners(t)
  const shop = await gateway(t, {
    env: { KOBO_RAILS_URL: adapter.url, KOBO_RAILS_SECRET: RAILS_SECRET },
    hasCheckedBooks: true,
  })
  await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
  adapter.misbehaving = (operation) => (operation.startsWith('biller/find') ? 'silent' : undefined)
  await shop.call(contract.vendBill, {
    body: { productCode: 'MTN-AIRTIME', customerId: '08142223002', amount: 1_000, reference: 'bill-1' },
  })
  await shop.db`update rail_order set due_at = created_at`
  await until('the biller is queried', () => adapter.operations.includes('biller/find-vend'))
  const { transactionReference } = await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  await shop.db`update transaction set expires_at = created_at`
  await until('the transaction has expired', async () => {
    const { paymentStatus } = await shop.call(contract.getTransaction, { params: { transactionReference } })
    return paymentStatus === 'EXPIRED'
  })
})

/** A dead process holds its leases until they expire; the test ends them instead of waiting. */
async function endLeases(databaseUrl: string): Promise<void> {
  const db = openDatabase(databaseUrl, 1)
  await db`update rail_order set leased_until = 'epoch'`
  await db.end()
}

slow(
  'a gateway that is killed during a vend queries the biller afterwards: a vended bill is paid, one that never arrived is refunded',
  async (t) => {
    const adapter = await partners(t, wallClock)
    const { url, drop } = await checkedDatabase()
    t.after(drop)
    const env = {
      PORT: '0',
      DATABASE_URL: url,
      KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      KOBO_RAILS_URL: adapter.url,
      KOBO_RAILS_SECRET: RAILS_SECRET,
    }
    const start = async () => {
      const program = startProgram(t, 'gateway/src/main.ts', [], env)
      const address = await program.says(/^Kobo is ready at (\S+)/m)
      const credentials = await command(env, 'credentials')
      assert.equal(credentials.code, 0, credentials.stderr)
      return { program, merchant: await client(address, JSON.parse(credentials.stdout)) }
    }

    const first = await start()
    await first.merchant.call(contract.changeSettings, { body: { permissions: { bills: true } } })
    const vend = (reference: string): void => {
      const body = { productCode: 'MTN-AIRTIME', customerId: '08142223149', amount: 1_000, reference }
      first.merchant.send('POST', contract.vendBill.path, { body }).catch(() => {}) // its connection dies with the process
    }
    adapter.misbehaving = (operation) => (operation === 'biller/vend' ? 'silent' : undefined)
    vend('arrived')
    await until('the biller has vended', () => adapter.operations.includes('biller/vend'))
    adapter.misbehaving = (operation) => (operation === 'biller/vend' ? 'deaf' : undefined)
    vend('lost')
    await until(
      'the biller got the second vend',
      () => adapter.operations.filter((one) => one === 'biller/vend').length === 2,
    )
    first.program.child.kill('SIGKILL')
    await first.program.ended
    adapter.misbehaving = () => undefined
    await endLeases(url)

    const { merchant } = await start()
    const requery = (reference: string) => merchant.call(contract.requeryBill, { query: { reference } })
    for (const reference of ['arrived', 'lost']) assert.equal((await requery(reference)).vendStatus, 'PENDING')
    await merchant.call(contract.advanceClock, { body: { seconds: 61 } })
    assert.equal((await requery('arrived')).vendStatus, 'SUCCESS')
    assert.equal((await requery('lost')).vendStatus, 'FAILED')
    assert.equal(adapter.operations.filter((one) => one === 'biller/vend').length, 2, 'nothing was sent twice')
    const balance = await merchant.call(contract.getCustomerWalletBalance, {
      query: { accountNumber: merchant.credentials.walletAccountNumber },
    })
    assert.deepEqual(balance, { availableBalance: 9_999_030, ledgerBalance: 9_999_030 })
    const verdict = await command(env, 'ledger', 'verify')
    assert.equal(verdict.code, 0, verdict.stdout)
  },
)
