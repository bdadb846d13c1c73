import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { walletBalances } from '../../../src/core/money/wallet-balances/index.ts'
import { toNaira } from '../../../src/kernel/money.ts'
import { aShop, type Client, gateway, type Shop } from '../../harness/gateway.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

type NewVend = Input<typeof contract.vendBill>['body']

const PHONE = '08142223149'
const OPENING = 10_000_000

/** A merchant that may pay bills. */
async function withBills<S extends Shop>(opening: Promise<S>): Promise<S> {
  const shop = await opening
  await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
  return shop
}

const aVend = (changes: Partial<NewVend> = {}): NewVend => ({
  productCode: 'MTN-AIRTIME',
  customerId: PHONE,
  amount: 1_000,
  reference: `bill-${randomUUID()}`,
  ...changes,
})

const vend = (client: Client, changes: Partial<NewVend> = {}): Promise<Reply<typeof contract.vendBill>> =>
  client.call(contract.vendBill, { body: aVend(changes) })

const requery = (client: Client, reference: string): Promise<Reply<typeof contract.requeryBill>> =>
  client.call(contract.requeryBill, { query: { reference } })

/** The wallet's balances in naira. */
async function balances({ db, core, credentials }: Shop): Promise<{ available: number; ledger: number }> {
  const merchant = await core.directory.byApiKey(credentials.apiKey)
  const held = await walletBalances(db, {
    merchantId: merchant?.id ?? 0n,
    accountNumber: credentials.walletAccountNumber,
  })
  return { available: toNaira(held?.available ?? (0n as never)), ledger: toNaira(held?.ledger ?? (0n as never)) }
}

/** Checks that completed vends left the wallet and the ledger as expected. */
async function checkBooks(shop: Shop, paid: number): Promise<void> {
  assert.deepEqual(await balances(shop), { available: OPENING - paid, ledger: OPENING - paid })
  const { imbalance, wrong } = await verifyLedger(shop.db)
  assert.deepEqual({ imbalance, wrong }, { imbalance: '0', wrong: [] })
}

async function validated(client: Client, productCode: string, customerId: string): Promise<string> {
  const { vendInstruction } = await client.call(contract.validateBillCustomer, { body: { productCode, customerId } })
  assert.equal(vendInstruction.requireValidationRef, true)
  assert.ok(vendInstruction.validationReference !== null)
  return vendInstruction.validationReference
}

test('bills are off until they are activated for the merchant', async () => {
  const shop = await aShop()
  const routes = [
    [contract.listBillerCategories, {}],
    [contract.listBillers, {}],
    [contract.listBillerProducts, {}],
    [contract.validateBillCustomer, { body: { productCode: 'MTN-AIRTIME', customerId: PHONE } }],
    [contract.vendBill, { body: aVend() }],
    [contract.requeryBill, { query: { reference: 'bill-1' } }],
  ] as const
  for (const [route, input] of routes) {
    const { message, responseCode } = await shop.rejected(403, route, input)
    assert.deepEqual([message, responseCode], ['Merchant is not permitted to perform this operation', '99'])
  }
  await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
  assert.equal((await vend(shop)).vendStatus, 'SUCCESS')
})

test('categories, billers and products are listed in pages and refer to each other', async () => {
  const shop = await withBills(aShop())
  const categories = await shop.call(contract.listBillerCategories, { query: {} })
  assert.deepEqual(
    categories.content.map(({ code }) => code),
    ['AIRTIME', 'DATA_BUNDLE', 'ELECTRICITY', 'CABLE_TV', 'BETTING', 'EDUCATION', 'TRANSPORTATION'],
  )
  assert.deepEqual(
    { ...categories, content: [] },
    {
      content: [],
      totalElements: 7,
      size: 10,
      number: 0,
      empty: false,
      nextPage: null,
    },
  )

  const first = await shop.call(contract.listBillerCategories, { query: { page: 0, size: 3 } })
  assert.deepEqual([first.content.length, first.nextPage, first.number, first.size], [3, 1, 0, 3])
  const last = await shop.call(contract.listBillerCategories, { query: { page: 2, size: 3 } })
  assert.deepEqual([last.content.length, last.nextPage], [1, null])
  const beyond = await shop.call(contract.listBillerCategories, { query: { page: 3, size: 3 } })
  assert.deepEqual([beyond.content, beyond.empty, beyond.nextPage], [[], true, null])

  const power = await shop.call(contract.listBillers, { query: { category_code: 'ELECTRICITY', size: 1_000 } })
  assert.deepEqual([power.size, power.totalElements], [100, 11])
  for (const biller of power.content)
    assert.deepEqual(biller.categories, [{ code: 'ELECTRICITY', name: 'Electricity' }])
  const all = await shop.call(contract.listBillers, { query: { size: 100 } })
  const mtn = all.content.find(({ code }) => code === 'MTN')
  assert.deepEqual(
    mtn?.categories.map(({ code }) => code),
    ['AIRTIME', 'DATA_BUNDLE'],
  )

  const products = await shop.call(contract.listBillerProducts, { query: { biller_code: 'MTN', size: 100 } })
  const [airtime, data] = products.content
  assert.deepEqual(airtime, {
    code: 'MTN-AIRTIME',
    name: 'MTN Airtime',
    category: { code: 'AIRTIME', name: 'Airtime' },
    biller: { code: 'MTN', name: 'MTN' },
    priceType: 'OPEN',
    price: null,
    minAmount: 50,
    maxAmount: 50_000,
    metadata: {
      volume: null,
      duration: null,
      durationUnit: null,
      productType: { code: 'AIRTIME', name: 'Airtime' },
    },
  })
  assert.deepEqual(
    [data?.category.code, data?.priceType, data?.price, data?.minAmount, data?.maxAmount],
    ['DATA_BUNDLE', 'FIXED', 350, null, null],
  )
  assert.ok(products.content.every(({ biller }) => biller.code === 'MTN'))
  const nothing = await shop.call(contract.listBillerProducts, { query: { biller_code: 'NOBODY' } })
  assert.deepEqual([nothing.totalElements, nothing.empty], [0, true])

  for (const route of [contract.listBillerCategories, contract.listBillers, contract.listBillerProducts]) {
    await shop.rejected(400, route, { query: { page: -1 } })
    await shop.rejected(400, route, { query: { size: 'many' } })
  }
})

test('a customer is validated before power, television and bets, but not for airtime', async () => {
  const shop = await withBills(aShop())
  const airtime = await shop.call(contract.validateBillCustomer, {
    body: { productCode: 'MTN-AIRTIME', customerId: PHONE },
  })
  assert.deepEqual(airtime, {
    priceType: 'OPEN',
    customerName: PHONE,
    price: null,
    minAmount: 50,
    maxAmount: 50_000,
    vendInstruction: { requireValidationRef: false, validationReference: null },
  })
  const dish = await shop.call(contract.validateBillCustomer, {
    body: { productCode: 'DSTV-COMPACT', customerId: '7022334455' },
  })
  assert.deepEqual([dish.priceType, dish.price, dish.minAmount, dish.maxAmount], ['FIXED', 19_000, null, null])
  assert.match(dish.customerName ?? '', /\w+ \w+ \w+/)
  for (const productCode of ['IKEDC-PREPAID', 'IKEDC-POSTPAID', 'GOTV-MAX', 'BET9JA-TOPUP'])
    assert.match(await validated(shop, productCode, '62418234034'), /^KFBV\d{12}[0-9a-f]{4}$/)

  const { message } = await shop.rejected(400, contract.validateBillCustomer, {
    body: { productCode: 'DSTV-COMPACT', customerId: 'nobody' },
  })
  assert.match(message, /nobody/)
  await shop.rejected(404, contract.validateBillCustomer, { body: { productCode: 'NONE', customerId: PHONE } })
  await shop.rejected(400, contract.validateBillCustomer, { body: { productCode: 'MTN-AIRTIME' } })
})

test('a bill is paid from the wallet, less the commission, and sends only a wallet activity event', async (t) => {
  const shop = await withBills(aShop())
  const { url, count, received } = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrl: url } })
  const { transactionReference, ...paid } = await vend(shop, {
    reference: 'bill-1',
    amount: '1000.50',
    emailAddress: 'ada@example.com',
    phoneNumber: PHONE,
  })
  assert.match(transactionReference, /^KFBP\d{12}[0-9a-f]{4}$/)
  assert.deepEqual(paid, {
    vendReference: 'bill-1',
    vendStatus: 'SUCCESS',
    description: 'Purchase successful',
    vendAmount: 1000.5,
    payableAmount: 970.48,
    commission: 30.02,
    customerId: PHONE,
    productCode: 'MTN-AIRTIME',
    productName: 'MTN Airtime',
    billerCode: 'MTN',
    billerName: 'MTN',
    metadata: {},
  })
  await checkBooks(shop, 970.48)
  assert.deepEqual(await requery(shop, 'bill-1'), { transactionReference, ...paid })
  assert.deepEqual(await requery(shop, transactionReference), { transactionReference, ...paid })

  await count(1)
  const [activity] = received
  assert.equal(activity?.event.eventType, 'ACCOUNT_ACTIVITY')
  const { amount, balanceBefore, balanceAfter, reference } = activity?.event.eventData ?? {}
  assert.deepEqual(
    { amount, balanceBefore, balanceAfter, reference },
    { amount: 970.48, balanceBefore: OPENING, balanceAfter: OPENING - 970.48, reference: 'bill-1' },
  )
  const events = await shop.call(contract.listEvents, { query: {} })
  assert.equal(events.totalElements, 1)
})

test('power comes with a token and a result checker with a pin, and a requery shows them again', async () => {
  const shop = await withBills(aShop())
  const meter = '62418234034'
  const validationReference = await validated(shop, 'IKEDC-PREPAID', meter)
  const power = await vend(shop, {
    productCode: 'IKEDC-PREPAID',
    customerId: meter,
    amount: 200_000,
    validationReference,
    reference: 'power-1',
  })
  assert.match(power.metadata['token'] ?? '', /^\d{4}(-\d{4}){4}$/)
  assert.equal(power.metadata['units'], '954.65')
  assert.ok(power.description.includes(power.metadata['token'] ?? 'no token'))
  assert.equal(power.commission, 1_500, 'the commission has a cap')
  assert.deepEqual(await requery(shop, 'power-1'), power)

  const checker = await vend(shop, { productCode: 'WAEC-RESULT', customerId: PHONE, amount: null })
  assert.equal(checker.vendAmount, 3_700)
  assert.match(checker.metadata['pin'] ?? '', /^\d{12}$/)
  await checkBooks(shop, 198_500 + 3_607.5)
})

test('a validation is valid for its product, its customer and its merchant, for half an hour', async () => {
  const shop = await withBills(aShop())
  const other = await shop.anotherMerchant(['bills'])
  const customerId = '62418234034'
  const requested = { productCode: 'IKEDC-PREPAID', customerId, amount: 5_000 }
  const required = await shop.rejected(400, contract.vendBill, { body: aVend(requested) })
  assert.match(required.message, /^validationReference is required/)
  const validationReference = await validated(shop, 'IKEDC-PREPAID', customerId)
  for (const changes of [
    { customerId: '62418234035', validationReference },
    { productCode: 'IKEDC-POSTPAID', validationReference },
    { validationReference: 'KFBV2603010930000000' },
  ]) {
    const { message } = await shop.rejected(400, contract.vendBill, { body: aVend({ ...requested, ...changes }) })
    assert.match(message, /^validationReference is unknown or expired/)
  }
  await other.rejected(400, contract.vendBill, { body: aVend({ ...requested, validationReference }) })
  assert.equal((await vend(shop, { ...requested, validationReference })).vendStatus, 'SUCCESS')
  await shop.advance(1_740)
  assert.equal((await vend(shop, { ...requested, validationReference })).vendStatus, 'SUCCESS')
  await shop.advance(60)
  await shop.rejected(400, contract.vendBill, { body: aVend({ ...requested, validationReference }) })
  await checkBooks(shop, 2 * 4_950)
})

test('an invalid vend is rejected and debits nothing', async () => {
  const shop = await withBills(aShop())
  const cases = [
    [404, { productCode: 'NONE' }, /NONE/],
    [400, { amount: 49.99 }, /^amount must be at least 50/],
    [400, { amount: 50_000.01 }, /^amount must be at most 50000/],
    [400, { amount: null }, /^amount is required/],
    [400, { amount: 0 }, /^amount/],
    [400, { productCode: 'MTN-1GB-1D', amount: 499 }, /^amount must be 500/],
    [400, { customerId: '' }, /^customerId/],
    [400, { reference: '' }, /^reference/],
    [400, { emailAddress: 'nobody' }, /^emailAddress/],
  ] as const
  for (const [status, changes, message] of cases) {
    const rejected = await shop.rejected(status, contract.vendBill, { body: aVend(changes as never) })
    assert.match(rejected.message, message)
    assert.equal(rejected.responseCode, '99')
  }
  await shop.rejected(400, contract.requeryBill, {})
  await shop.rejected(404, contract.requeryBill, { query: { reference: 'bill-0' } })
  await checkBooks(shop, 0)
})

test('a reference is used once', async () => {
  const shop = await withBills(aShop())
  await vend(shop, { reference: 'bill-1' })
  const { message } = await shop.rejected(422, contract.vendBill, { body: aVend({ reference: 'bill-1' }) })
  assert.equal(message, 'Duplicate reference')
  const other = await shop.anotherMerchant(['bills'])
  await other.rejected(404, contract.requeryBill, { query: { reference: 'bill-1' } })
  const { responseCode } = await other.rejected(400, contract.vendBill, { body: aVend({ reference: 'bill-1' }) })
  assert.equal(responseCode, 'D04', "another merchant's reference is its own, but its wallet is empty")
  await checkBooks(shop, 970)
})

test('a vend that the biller rejects is FAILED at once, and its money is released', async () => {
  const shop = await withBills(aShop())
  const failed = await vend(shop, { customerId: '08142223001', reference: 'bill-1' })
  assert.deepEqual([failed.vendStatus, failed.description], ['FAILED', 'The biller refused the payment'])
  await checkBooks(shop, 0)
  await shop.rejected(422, contract.vendBill, { body: aVend({ reference: 'bill-1' }) })
  const events = await shop.call(contract.listEvents, { query: { reference: 'bill-1' } })
  assert.deepEqual(
    events.content.map(({ eventType }) => eventType),
    ['ACCOUNT_ACTIVITY', 'ACCOUNT_ACTIVITY'],
  )
})

test('a pending vend holds its money, and gets the biller’s result a minute later', async () => {
  const shop = await withBills(aShop())
  const later = await vend(shop, { customerId: '08142223002', reference: 'succeeds' })
  const never = await vend(shop, { customerId: '08142223003', reference: 'fails' })
  assert.deepEqual([later.vendStatus, never.vendStatus], ['PENDING', 'PENDING'])
  assert.deepEqual(await balances(shop), { available: OPENING - 1_940, ledger: OPENING })
  await shop.advance(59)
  assert.equal((await requery(shop, 'succeeds')).vendStatus, 'PENDING')
  await shop.advance(2)
  assert.equal((await requery(shop, 'succeeds')).vendStatus, 'SUCCESS')
  assert.deepEqual(
    [(await requery(shop, 'fails')).vendStatus, (await requery(shop, 'fails')).description],
    ['FAILED', 'The biller refused the payment'],
  )
  await checkBooks(shop, 970)
})

test('a large clock step ends a pending vend at its time, not at the end of the step', async (t) => {
  const shop = await withBills(gateway(t))
  await vend(shop, { customerId: '08142223003', reference: 'fails' })
  await shop.advance(86_400)
  const [row] = await shop.db<{ seconds: number }[]>`
    select extract(epoch from completed_at - created_at)::float8 as seconds from bill_vend`
  assert.ok(row !== undefined && row.seconds >= 60 && row.seconds < 65, `${row?.seconds} s`)
  await checkBooks(shop, 0)
})

test('a wallet with too low a balance pays nothing', async () => {
  const shop = await withBills(aShop())
  const other = await shop.anotherMerchant(['bills'])
  const body = aVend()
  assert.deepEqual(await other.rejected(400, contract.vendBill, { body }), {
    message: 'Insufficient wallet balance',
    responseCode: 'D04',
    code: 'INSUFFICIENT_BALANCE',
  })
  await other.rejected(404, contract.requeryBill, { query: { reference: body.reference } })
  await checkBooks(shop, 0)
})

test('concurrent vends with one reference vend once', async () => {
  const shop = await withBills(aShop())
  const body = aVend({ reference: 'bill-1' })
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => shop.send('POST', contract.vendBill.path, { body })),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array.from({ length: 19 }, () => 422)])
  await checkBooks(shop, 970)
})

test('concurrent vends never overdraw the wallet', async () => {
  const shop = await withBills(aShop())
  // The wallet holds ten million; each of these costs a million less the commission of 1,500.
  const customerId = '62418234034'
  const validationReference = await validated(shop, 'IKEDC-POSTPAID', customerId)
  const responses = await Promise.all(
    Array.from({ length: 15 }, () =>
      shop.send('POST', contract.vendBill.path, {
        body: aVend({
          productCode: 'IKEDC-POSTPAID',
          customerId,
          amount: 1_000_000,
          validationReference,
        }),
      }),
    ),
  )
  const paid = responses.filter(({ status }) => status === 200)
  const rejected = responses.filter(({ status }) => status === 400)
  assert.deepEqual([paid.length, rejected.length], [10, 5])
  for (const { body } of rejected) assert.equal(body.responseCode, 'D04')
  await checkBooks(shop, 10 * 998_500)
  // The rest is enough to the kobo.
  const rest = { productCode: 'IKEDC-POSTPAID', customerId, validationReference }
  await shop.rejected(400, contract.vendBill, { body: aVend({ ...rest, amount: 15_151.53 }) })
  assert.equal((await vend(shop, { ...rest, amount: 15_151.52 })).payableAmount, 15_000)
  await checkBooks(shop, OPENING)
})

test('a process that dies between debit and the biller’s response leaves nothing behind: the biller is queried', async (t) => {
  const shop = await withBills(gateway(t))
  const sent = await vend(shop, { customerId: '08142223002', reference: 'sent' })
  const lost = await vend(shop, { customerId: '08142223002', reference: 'lost' })
  assert.deepEqual([sent.vendStatus, lost.vendStatus], ['PENDING', 'PENDING'])
  // As if the process had died before its call arrived: the biller never received it.
  await shop.db`delete from simulated_entry where reference = ${lost.transactionReference}`
  await shop.advance(61)
  assert.equal((await requery(shop, 'sent')).vendStatus, 'SUCCESS')
  assert.deepEqual(
    [(await requery(shop, 'lost')).vendStatus, (await requery(shop, 'lost')).description],
    ['FAILED', 'The biller did not receive the payment'],
  )
  await checkBooks(shop, 970)
})
