import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { checkReply } from '../../harness/responses.ts'
import { aBatch, anItem, aTransfer, balancesOf, holderOf, transferTo } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'

const OPENING = 10_000_000

/** A merchant without OTP. */
async function withoutOtp<S extends Shop>(opening: Promise<S>): Promise<S> {
  const shop = await opening
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  return shop
}

const summaryOf = (shop: Shop, reference: string): Promise<Reply<typeof contract.getBatch>> =>
  shop.call(contract.getBatch, { query: { reference } })

const completed = (shop: Shop, reference: string): Promise<void> =>
  until(`batch ${reference} is completed`, async () => (await summaryOf(shop, reference)).batchStatus === 'COMPLETED')

const verified = async ({ db }: Shop): Promise<void> => {
  const verdict = await verifyLedger(db)
  assert.ok(isClean(verdict), JSON.stringify(verdict))
}

test('a batch is accepted with its totals, is sent item by item, and shows its progress', async () => {
  const shop = await withoutOtp(aShop())
  const items = ['101', '102', '103', '001', '002'].map((ending, n) =>
    anItem({ amount: 1_000 * (n + 1), destinationAccountNumber: `0123456${ending}` }),
  )
  const body = aBatch(shop, items)
  const { dateCreated, transactionBatchReference, ...accepted } = await shop.call(contract.initiateBatch, { body })
  assert.match(dateCreated, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/)
  assert.match(transactionBatchReference, /^KFDB\d{3}\d{14}\d{6}[A-Z0-9]{6}$/)
  assert.deepEqual(accepted, {
    totalAmount: 15_000,
    totalFee: 50,
    batchReference: body.batchReference,
    batchStatus: 'AWAITING_PROCESSING',
    totalTransactionsCount: 5,
  })
  assert.equal((await balancesOf(shop)).availableBalance <= OPENING - 15_050 + 4_010, true)

  await until('four items have their end', async () => (await summaryOf(shop, body.batchReference)).pendingCount === 1)
  const { dateCreated: _, ...under } = await summaryOf(shop, body.batchReference)
  assert.deepEqual(under, {
    title: 'Salaries',
    totalAmount: 15_000,
    totalFee: 50,
    batchReference: body.batchReference,
    totalTransactionsCount: 5,
    totalTransactions: 5,
    failedCount: 1,
    successfulCount: 3,
    pendingCount: 1,
    pendingAmount: 5_000,
    failedAmount: 4_000,
    successfulAmount: 6_000,
    batchStatus: 'IN_PROGRESS',
  })
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING - 11_040, ledgerBalance: OPENING - 6_030 })
  await shop.advance(61)
  const over = await summaryOf(shop, body.batchReference)
  assert.deepEqual(
    [over.batchStatus, over.successfulCount, over.failedCount, over.pendingCount],
    ['COMPLETED', 4, 1, 0],
  )
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING - 11_040, ledgerBalance: OPENING - 11_040 })

  const page = await shop.call(contract.listBatchTransfers, {
    params: { batchReference: body.batchReference },
    query: {},
  })
  assert.deepEqual(
    page.content.map(({ reference, status }) => [reference, status]),
    items.map(({ reference }, n) => [reference, n === 3 ? 'FAILED' : 'SUCCESS']),
  )
  const [first] = items
  const single = await shop.call(contract.getTransfer, { query: { reference: first?.reference ?? '' } })
  assert.deepEqual(single, page.content[0], 'an item can be queried alone')
  assert.equal(single.destinationAccountName, await holderOf(shop, '0123456101'), 'the name was looked up at the bank')
  const received = await shop.call(contract.listEvents, { query: { eventType: 'SUCCESSFUL_DISBURSEMENT' } })
  assert.equal(received.totalElements, 4)
  const debits = await shop.db<{ amount: bigint; reference: string }[]>`
    select amount, reference from wallet_entry where merchant_id = ${shop.merchantId} and type = 'DEBIT'`
  assert.deepEqual(
    [...debits],
    [{ amount: 1_505_000n, reference: body.batchReference }],
    'one line for the whole batch',
  )
  await verified(shop)
})

test('CONTINUE fails invalid items and sends the rest; totals cover accepted items', async () => {
  const shop = await withoutOtp(aShop())
  const before = await transferTo(shop, '500')
  const good = [anItem(), anItem({ amount: 2_000, destinationAccountNumber: '0123456700' })]
  const bad = [
    anItem({ destinationBankCode: '999' }),
    anItem({ destinationAccountNumber: '12345' }),
    anItem({ currency: 'USD' }),
    anItem({ reference: before.reference }),
    anItem({ reference: good[0]?.reference ?? '' }),
  ]
  const body = aBatch(shop, [...good, ...bad])
  const accepted = await shop.call(contract.initiateBatch, { body })
  assert.deepEqual([accepted.totalAmount, accepted.totalFee, accepted.totalTransactionsCount], [3_000, 20, 7])
  await completed(shop, body.batchReference)
  const summary = await summaryOf(shop, body.batchReference)
  assert.deepEqual([summary.successfulCount, summary.failedCount, summary.failedAmount], [2, 5, 5_000])
  const { content } = await shop.call(contract.listBatchTransfers, {
    params: { batchReference: body.batchReference },
    query: {},
  })
  assert.deepEqual(
    content.slice(2).map(({ status, fee }) => [status, fee]),
    bad.map(() => ['FAILED', 0]),
  )
  assert.deepEqual(
    content.slice(2).map(({ transactionDescription }) => transactionDescription),
    [
      'Invalid account details: unknown bank code 999',
      'Invalid account details: destinationAccountNumber must be a 10-digit account number',
      'Unknown currency code supplied',
      'A transfer with this reference already exists',
      'A transfer with this reference already exists',
    ],
  )
  const first = await shop.call(contract.getTransfer, { query: { reference: before.reference } })
  assert.equal(first.status, 'SUCCESS', 'a reference still means the first transfer')
  const failed = await shop.call(contract.listEvents, { query: { eventType: 'FAILED_DISBURSEMENT' } })
  assert.deepEqual(
    failed.content.map(({ reference }) => reference).sort(),
    bad
      .slice(0, 3)
      .map(({ reference }) => reference)
      .sort(),
    'an item whose reference is another’s is not returned under that reference',
  )
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING - 8_030, ledgerBalance: OPENING - 8_030 })
  await verified(shop)
})

test('BREAK rejects the whole batch for one invalid item, names it, and debits nothing', async () => {
  const shop = await withoutOtp(aShop())
  const { reference } = await transferTo(shop, '500')
  const [first, ...rest] = [anItem(), anItem()]
  for (const [bad, code] of [
    [anItem({ destinationBankCode: '999' }), 'D03'],
    [anItem({ destinationAccountNumber: '12345' }), 'D03'],
    [anItem({ currency: 'USD' }), 'D01'],
    [anItem({ reference }), 'D05'],
    [anItem({ reference: first?.reference ?? '' }), 'D05'],
  ] as const) {
    const body = aBatch(shop, [first as never, bad, ...rest], { onValidationFailure: 'BREAK' })
    const rejected = await shop.rejected(400, contract.initiateBatch, { body })
    assert.equal(rejected.responseCode, code)
    assert.match(rejected.message, /^transactionList\[1\]: /)
    await shop.rejected(404, contract.getBatch, { query: { reference: body.batchReference } })
  }
  assert.equal((await balancesOf(shop)).availableBalance, OPENING - 5_010)
  assert.equal((await shop.db`select from transfer where merchant_id = ${shop.merchantId}`).count, 1)
})

test('a batch of only invalid items is completed at once, also with OTP on', async () => {
  const shop = await aShop()
  const body = aBatch(shop, [anItem({ destinationBankCode: '999' })])
  const accepted = await shop.call(contract.initiateBatch, { body })
  assert.deepEqual([accepted.batchStatus, accepted.totalAmount, accepted.totalTransactionsCount], ['COMPLETED', 0, 1])
  assert.deepEqual(await shop.call(contract.readInbox, { query: {} }), [])
  assert.equal((await balancesOf(shop)).availableBalance, OPENING)
})

test('a batch above the balance is rejected with D04; one from another merchant’s wallet with D03', async () => {
  const shop = await withoutOtp(aShop())
  const other = await shop.anotherMerchant()
  const half = anItem({ amount: OPENING / 2 })
  const tooMuch = aBatch(shop, [half, anItem({ amount: OPENING / 2, destinationAccountNumber: '0123456700' })])
  assert.equal((await shop.rejected(400, contract.initiateBatch, { body: tooMuch })).responseCode, 'D04')
  const sourceAccountNumber = other.credentials.walletAccountNumber
  const foreign = aBatch(shop, [anItem()], { sourceAccountNumber })
  assert.equal((await shop.rejected(400, contract.initiateBatch, { body: foreign })).responseCode, 'D03')
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING, ledgerBalance: OPENING })
  assert.equal((await shop.db`select from transfer where merchant_id = ${shop.merchantId}`).count, 0)
  assert.equal(
    (await shop.call(contract.initiateBatch, { body: aBatch(shop, [half]) })).batchStatus,
    'AWAITING_PROCESSING',
  )
})

test('a batch reference is used once: D05, also for concurrent requests', async () => {
  const shop = await withoutOtp(aShop())
  const bodies = Array.from({ length: 8 }, () => aBatch(shop, [anItem(), anItem()], { batchReference: 'payroll' }))
  const responses = await Promise.all(bodies.map((body) => shop.send('POST', contract.initiateBatch.path, { body })))
  const codes = responses.map(({ body }) => body.responseCode).sort()
  assert.deepEqual(codes, ['0', ...Array.from({ length: 7 }, () => 'D05')])
  await completed(shop, 'payroll')
  assert.equal((await balancesOf(shop)).availableBalance, OPENING - 2_020)
})

test('equal amounts to one account are not duplicates within a batch', async () => {
  const shop = await withoutOtp(aShop())
  const body = aBatch(shop, [anItem(), anItem(), anItem()])
  await shop.call(contract.initiateBatch, { body })
  await completed(shop, body.batchReference)
  assert.equal((await summaryOf(shop, body.batchReference)).successfulCount, 3)
})

test('an item without a name fails if its bank does not respond; one with a name is sent as named', async () => {
  const shop = await withoutOtp(aShop())
  const silent = '0123456006'
  const items = [
    anItem({ destinationAccountNumber: silent }),
    anItem({ destinationAccountNumber: silent, destinationAccountName: 'Ada Obi' }),
    anItem({ destinationAccountNumber: '0000000000' }),
  ]
  const body = aBatch(shop, items)
  await shop.call(contract.initiateBatch, { body })
  await completed(shop, body.batchReference)
  const { content } = await shop.call(contract.listBatchTransfers, {
    params: { batchReference: body.batchReference },
    query: {},
  })
  assert.deepEqual(
    content.map(({ status, destinationAccountName }) => [status, destinationAccountName]),
    [
      ['FAILED', ''],
      ['SUCCESS', 'Ada Obi'],
      ['FAILED', ''],
    ],
  )
  assert.equal((await balancesOf(shop)).availableBalance, OPENING - 1_010)
})

test('a batch with a missing or malformed field is rejected with D01 that names the field', async (t) => {
  const shop = await withoutOtp(gateway(t, { env: { KOBO_BATCH_TRANSFERS_MAX: '3' } }))
  const good = aBatch(shop, [anItem(), anItem(), anItem()])
  for (const [field, value] of [
    ['title', undefined],
    ['batchReference', undefined],
    ['batchReference', ''],
    ['narration', undefined],
    ['sourceAccountNumber', undefined],
    ['onValidationFailure', 'STOP'],
    ['notificationInterval', 101],
    ['notificationInterval', 'often'],
    ['transactionList', undefined],
    ['transactionList', []],
    ['transactionList', Array.from({ length: 4 }, () => anItem())],
    ['transactionList[2].amount', [anItem(), anItem(), { ...anItem(), amount: -1 }]],
    ['transactionList[1].amount', [anItem(), { ...anItem(), amount: undefined }]],
    ['transactionList[0].reference', [{ ...anItem(), reference: undefined }]],
    ['transactionList[0].destinationAccountNumber', [{ ...anItem(), destinationAccountNumber: undefined }]],
  ] as const) {
    const [name = ''] = field.split('[')
    const rejected = await shop.rejected(400, contract.initiateBatch, { body: { ...good, [name]: value } })
    assert.deepEqual([rejected.responseCode, rejected.message.split(' ')[0]], ['D01', field])
  }
  assert.equal((await shop.call(contract.initiateBatch, { body: good })).totalTransactionsCount, 3)
})

test('batches are listed newest first, on both paths, by wallet if one is given', async () => {
  const shop = await withoutOtp(aShop())
  const references: string[] = []
  for (let n = 0; n < 3; n++) {
    const { batchReference } = await shop.call(contract.initiateBatch, { body: aBatch(shop, [anItem()]) })
    references.unshift(batchReference)
  }
  for (const path of [contract.listBatches.path, ...contract.listBatches.aliases]) {
    const listed = async (search: string): Promise<string[]> => {
      const response = await shop.send('GET', `${path}${search}`)
      checkReply(contract.listBatches, response)
      const { content } = response.body.responseBody as Reply<typeof contract.listBatches>
      return content.map(({ batchReference }) => batchReference)
    }
    assert.deepEqual(await listed(''), references)
    assert.deepEqual(await listed('?pageSize=2&pageNo=1'), references.slice(2))
    assert.deepEqual(await listed(`?sourceAccountNumber=${shop.credentials.walletAccountNumber}`), references)
    assert.deepEqual(await listed('?sourceAccountNumber=0000000000'), [])
  }
  assert.equal((await shop.rejected(400, contract.listBatches, { query: { pageNo: -1 } })).responseCode, 'D01')
  const other = await shop.anotherMerchant()
  assert.equal((await other.call(contract.listBatches, { query: {} })).totalElements, 0)
  const [batchReference = ''] = references
  const query = { reference: batchReference }
  assert.equal((await other.rejected(404, contract.getBatch, { query })).responseCode, 'D02')
  const params = { batchReference }
  assert.equal((await other.rejected(404, contract.listBatchTransfers, { params, query: {} })).responseCode, 'D02')
  assert.equal((await shop.rejected(400, contract.getBatch, { query: {} })).responseCode, 'D01')
  assert.equal(
    (await shop.rejected(400, contract.listBatchTransfers, { params, query: { pageSize: 0 } })).responseCode,
    'D01',
  )
})

test('a returned item is treated as failed, and its batch stays completed', async () => {
  const shop = await withoutOtp(aShop())
  const body = aBatch(shop, [anItem({ destinationAccountNumber: '0123456003' }), anItem()])
  await shop.call(contract.initiateBatch, { body })
  await completed(shop, body.batchReference)
  await shop.advance(301)
  const { batchStatus, successfulCount, failedCount } = await summaryOf(shop, body.batchReference)
  assert.deepEqual([batchStatus, successfulCount, failedCount], ['COMPLETED', 1, 1])
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING - 1_010, ledgerBalance: OPENING - 1_010 })
  await verified(shop)
})

test('notificationInterval emails the progress and the completion of a batch', async () => {
  const shop = await withoutOtp(aShop())
  const items = ['101', '102', '002', '002'].map((ending) => anItem({ destinationAccountNumber: `0123456${ending}` }))
  const body = aBatch(shop, items, { notificationInterval: 25 })
  await shop.call(contract.initiateBatch, { body })
  await shop.advance(1)
  const subjects = async (): Promise<string[]> =>
    (await shop.call(contract.readInbox, { query: {} })).map(({ subject }) => subject)
  const reported = await subjects()
  assert.equal(reported[0], `Batch ${body.batchReference}: 50 % processed`)
  await shop.advance(10)
  assert.deepEqual(await subjects(), reported, 'nothing new, no event')
  await shop.advance(61)
  assert.deepEqual(await subjects(), [`Batch ${body.batchReference}: 100 % processed`, ...reported])
  await shop.advance(61)
  assert.equal((await subjects()).length, reported.length + 1)
})

slow('1,000 items are accepted in one request and completed in the background', async (t) => {
  const shop = await withoutOtp(gateway(t))
  const items = Array.from({ length: 1_000 }, (_, n) =>
    anItem({ amount: 100, destinationAccountNumber: `${100_000 + n}1${n % 10 === 0 ? '001' : '789'}` }),
  )
  const body = aBatch(shop, items)
  await shop.call(contract.initiateBatch, { body })
  const single = await transferTo(shop, '788')
  assert.equal(single.status, 'SUCCESS', 'a batch keeps no other transfer waiting')
  await completed(shop, body.batchReference)
  const { successfulCount, failedCount } = await summaryOf(shop, body.batchReference)
  assert.deepEqual([successfulCount, failedCount], [900, 100])
  const left = OPENING - 900 * 110 - 5_010
  assert.deepEqual(await balancesOf(shop), { availableBalance: left, ledgerBalance: left })
  assert.equal((await shop.db`select from simulated_entry where rail = 'transfer'`).count, 1_001)
  await verified(shop)
  const unknown = await shop.rejected(400, contract.initiateTransfer, {
    body: await aTransfer(shop, { reference: items[0]?.reference ?? '', amount: 77 }),
  })
  assert.equal(unknown.responseCode, 'D05', 'an item’s reference is taken')
})
