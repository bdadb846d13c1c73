import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { BALANCES } from '../../../src/core/money/ledger/index.ts'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { receive } from '../../../src/features/transactions/index.ts'
import { dayText, lagosDay } from '../../../src/kernel/dates.ts'
import { transactionIdOf } from '../../../src/kernel/ids.ts'
import { naira } from '../../../src/kernel/money.ts'
import { simulatedBook, simulatedRails } from '../../../src/rails/simulated/index.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import {
  aRefund,
  balances,
  checkLedger,
  ELSEWHERE,
  OPENING_BALANCE,
  paid,
  refund,
  refundWithStatus,
} from '../../harness/refund-samples.ts'
import { aTransaction, CARDS, charge, openTransaction, pay, reserveAccount, statusOf } from '../../harness/samples.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

const SLASHED = /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d (AM|PM)$/

test('a transfer payment is refunded to the payer’s account, paid from the wallet with a fee of 10', async (t) => {
  const shop = await aShop()
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { refund: events.url } } })
  const transactionReference = await paid(shop, 5_000)
  const body = aRefund(transactionReference, { refundAmount: 5_000 })

  const { reference, createdOn, destinationAccountName, ...begun } = await shop.call(contract.initiateRefund, { body })
  assert.match(reference, /^TRFD\|[0-9A-HJKMNP-TV-Z]{26}$/)
  assert.match(createdOn, SLASHED)
  assert.match(destinationAccountName ?? '', /^[A-Z]+ [A-Z]+ [A-Z]+$/, 'the name that the bank holds')
  assert.deepEqual(begun, {
    refundReference: body.refundReference,
    transactionReference,
    refundReason: 'Wrong size',
    customerNote: 'Sorry!',
    refundAmount: 5_000,
    refundType: 'FULL_REFUND',
    refundStatus: 'PENDING',
    refundStrategy: 'MERCHANT_WALLET',
    comment: 'Refund initiated',
    completedOn: null,
    destinationAccountNumber: '0123452190',
    destinationAccountBankCode: '058',
    destinationBankName: 'GTBank',
    currencyCode: 'NGN',
  })

  const completed = await refundWithStatus(shop, body, 'COMPLETED')
  assert.match(completed.completedOn ?? '', SLASHED)
  assert.deepEqual(
    { ...completed, reference, completedOn: null },
    { ...begun, reference, createdOn, destinationAccountName, refundStatus: 'COMPLETED', comment: 'Refund completed' },
  )
  assert.deepEqual(await balances(shop), [OPENING_BALANCE - 5_010, OPENING_BALANCE - 5_010])
  const [reported] = await events.count(1)
  assert.deepEqual(reported?.event, {
    eventType: 'SUCCESSFUL_REFUND',
    eventData: {
      merchantReason: 'Wrong size',
      transactionReference,
      completedOn: completed.completedOn,
      customerNote: 'Sorry!',
      createdOn,
      refundReference: body.refundReference,
      refundAmount: 5_000,
      refundStatus: 'COMPLETED',
    },
  })
  const accounts = await shop.db<
    { code: string; balance: bigint }[]
  >`select code, balance from ${BALANCES} account where merchant_id = ${shop.merchantId} order by code`
  assert.deepEqual(Object.fromEntries(accounts.map(({ code, balance }) => [code.replace(/\d{10}/, 'N'), balance])), {
    'clearing/bank-transfer/simulated': 0n,
    'clearing/funding': -1_000_000_000n,
    'fees/collection': 7_500n,
    'fees/refund': 1_000n,
    'in-flight/N': 0n,
    payable: 492_500n,
    'wallet/N': 999_499_000n,
  })
  await checkLedger(shop)
})

test('a refund goes to the named account, if there is one', async () => {
  const shop = await aShop()
  const transactionReference = await paid(shop, 5_000)
  const begun = await refund(shop, transactionReference, { ...ELSEWHERE, refundAmount: '250.75' })
  assert.deepEqual(
    [begun.refundType, begun.refundAmount, begun.destinationAccountNumber, begun.destinationAccountBankCode],
    ['PARTIAL_REFUND', 250.75, '2087654321', '044'],
  )
  await refundWithStatus(shop, begun, 'COMPLETED')
  assert.deepEqual(await balances(shop), [OPENING_BALANCE - 260.75, OPENING_BALANCE - 260.75])
})

for (const [status, amount, paidAmount, refundAmounts] of [
  ['PARTIALLY_PAID', 5_000, 1_000, [600, 400]],
  ['OVERPAID', 5_000, 6_000, [5_500, 500]],
] as const)
  test(`a payment that is ${status} can be refunded up to the paid amount`, async () => {
    const shop = await aShop()
    const transactionReference = await paid(shop, amount, paidAmount)
    assert.equal((await shop.call(contract.getTransaction, { params: { transactionReference } })).paymentStatus, status)
    const [first, second] = refundAmounts
    assert.equal((await refund(shop, transactionReference, { refundAmount: first })).refundType, 'PARTIAL_REFUND')
    const { message, responseCode } = await shop.rejected(400, contract.initiateRefund, {
      body: aRefund(transactionReference, { refundAmount: second + 0.01 }),
    })
    assert.equal(responseCode, 'R3')
    assert.match(message, new RegExp(`${second}\\.00`))
    assert.equal((await refund(shop, transactionReference, { refundAmount: second })).refundType, 'PARTIAL_REFUND')
    const again = await shop.rejected(400, contract.initiateRefund, { body: aRefund(transactionReference) })
    assert.equal(again.responseCode, 'R12')

    const other = await paid(shop, amount, paidAmount)
    assert.equal((await refund(shop, other, { refundAmount: paidAmount })).refundType, 'FULL_REFUND')
  })

test('each rejected refund has its code and changes nothing', async () => {
  const shop = await aShop()
  const transactionReference = await paid(shop, 5_000)
  const unpaid = (await shop.call(contract.initTransaction, { body: aTransaction(shop) })).transactionReference
  const refusals: readonly (readonly [number, string, object])[] = [
    [404, 'R1', { transactionReference: 'KOBO|01|20260301093000|000001' }],
    [404, 'R1', { transactionReference: 'nonsense' }],
    [400, 'R2', { transactionReference: unpaid }],
    [400, 'R3', { refundAmount: 5_000.01 }],
    [400, 'R4', { refundAmount: 99.99 }],
    [400, 'R6', { destinationAccountNumber: '0000000000', destinationAccountBankCode: '058' }],
    [400, 'R6', { destinationAccountNumber: '123', destinationAccountBankCode: '058' }],
    [400, 'R6', { destinationAccountNumber: '2087654321', destinationAccountBankCode: '999' }],
    [400, 'R6', { destinationAccountNumber: '2087654321' }],
    [400, 'R6', { destinationAccountNumber: '2087654006', destinationAccountBankCode: '058' }],
    [400, 'R8', { refundReason: 'x'.repeat(65) }],
    [400, 'R8', { customerNote: 'x'.repeat(17) }],
    [400, '99', { refundReference: '' }],
    [400, '99', { refundReference: undefined }],
    [400, '99', { refundAmount: 'much' }],
    [400, '99', { refundAmount: 0 }],
    [400, '99', { refundReason: undefined }],
    [400, '99', { customerNote: 7 }],
    [400, '99', { transactionReference: undefined }],
  ]
  for (const [status, code, changes] of refusals) {
    const body = { ...aRefund(transactionReference), ...changes }
    assert.equal(
      (await shop.rejected(status, contract.initiateRefund, { body })).responseCode,
      code,
      JSON.stringify(changes),
    )
  }
  assert.equal((await shop.call(contract.listRefunds, { query: {} })).totalElements, 0)
  assert.deepEqual(await balances(shop), [OPENING_BALANCE, OPENING_BALANCE])
  // Values at the limits are accepted.
  await refund(shop, transactionReference, {
    refundAmount: 100,
    refundReason: '€'.repeat(64),
    customerNote: '😀'.repeat(16),
  })
})

test('a payer’s account unknown to its bank is rejected with R6; one whose bank is silent is accepted', async () => {
  const shop = await aShop()
  const unknown = await paid(shop, 5_000, 5_000, '0000000000')
  assert.equal((await shop.rejected(400, contract.initiateRefund, { body: aRefund(unknown) })).responseCode, 'R6')
  const silent = await paid(shop, 5_000, 5_000, '0123452006')
  assert.equal((await refund(shop, silent)).destinationAccountName, 'BOLA ADE')
})

test('a wallet one kobo short of refund and fee is R5', async () => {
  const shop = await aShop()
  const poor = await shop.anotherMerchant()
  const transactionReference = await paid(poor, 5_000)
  const body = aRefund(transactionReference)
  await poor.call(contract.fundWallet, { body: { amount: 1_009.99 } })
  assert.equal((await poor.rejected(400, contract.initiateRefund, { body })).responseCode, 'R5')
  assert.deepEqual(await balances(poor), [1_009.99, 1_009.99])
  await poor.rejected(404, contract.getRefund, { params: body })
  await poor.call(contract.fundWallet, { body: { amount: 0.01 } })
  await poor.call(contract.initiateRefund, { body }) // the reference is still free
  await refundWithStatus(poor, body, 'COMPLETED')
  assert.deepEqual(await balances(poor), [0, 0])
  await checkLedger(shop)
})

test('a refund that the bank rejects is FAILED: amount and fee are released, and the payment can be refunded again', async (t) => {
  const shop = await aShop()
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { refund: events.url } } })
  const transactionReference = await paid(shop, 5_000, 5_000, '0123452001')
  const failed = await refundWithStatus(
    shop,
    await refund(shop, transactionReference, { refundAmount: 5_000 }),
    'FAILED',
  )
  assert.equal(failed.comment, 'Refund failed: Invalid account')
  assert.match(failed.completedOn ?? '', SLASHED)
  assert.deepEqual(await balances(shop), [OPENING_BALANCE, OPENING_BALANCE])
  const [reported] = await events.count(1)
  assert.equal(reported?.event.eventType, 'FAILED_REFUND')
  assert.equal(reported?.event.eventData['refundStatus'], 'FAILED')
  const { content } = await shop.call(contract.listWalletTransactions, {
    query: { accountNumber: shop.credentials.walletAccountNumber },
  })
  assert.deepEqual(
    content.map(({ transactionType, amount }) => [transactionType, amount]),
    [
      ['CREDIT', 5_010],
      ['DEBIT', 5_010],
    ],
  )
  const again = await refund(shop, transactionReference, { ...ELSEWHERE, refundAmount: 5_000 })
  await refundWithStatus(shop, again, 'COMPLETED')
  await checkLedger(shop)
})

for (const [ending, status, why] of [
  ['002', 'COMPLETED', 'succeeds'],
  ['005', 'FAILED', 'fails'],
] as const)
  test(`an account ending ${ending} leaves the refund PENDING until its bank is queried again, and then ${why}`, async () => {
    const shop = await aShop()
    const transactionReference = await paid(shop, 5_000, 5_000, `0123452${ending}`)
    const begun = await refund(shop, transactionReference)
    await shop.advance(30)
    assert.equal((await refundWithStatus(shop, begun, 'PENDING')).completedOn, null)
    assert.deepEqual(await balances(shop), [OPENING_BALANCE - 1_010, OPENING_BALANCE])
    await shop.advance(90)
    await refundWithStatus(shop, begun, status)
    const left = status === 'COMPLETED' ? OPENING_BALANCE - 1_010 : OPENING_BALANCE
    assert.deepEqual(await balances(shop), [left, left])
    await checkLedger(shop)
  })

test('a success that may be returned is not final: an account ending 003 leaves the refund FAILED, never COMPLETED', async () => {
  const shop = await aShop()
  const begun = await refund(shop, await paid(shop, 5_000, 5_000, '0123452003'))
  await shop.advance(200)
  await refundWithStatus(shop, begun, 'PENDING')
  await shop.advance(200)
  assert.match((await refundWithStatus(shop, begun, 'FAILED')).comment, /returned the money/)
  assert.deepEqual(await balances(shop), [OPENING_BALANCE, OPENING_BALANCE])
  assert.equal((await shop.call(contract.listEvents, { query: { eventType: 'SUCCESSFUL_REFUND' } })).totalElements, 0)
  await checkLedger(shop)
})

/** A payment by a method other than a transfer, under a rail reference. */
async function paidBy(shop: Shop, method: 'CARD' | 'DIRECT_DEBIT', railReference: string): Promise<string> {
  const { core } = shop
  const { transactionReference } = await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  const merchantId = (await core.directory.byApiKey(shop.credentials.apiKey))?.id ?? assert.fail('there is a merchant')
  const transactionId = transactionIdOf(transactionReference) ?? assert.fail('it has an id')
  const payer = { name: null, accountNumber: null, bankCode: null, bvn: null }
  const receipt = {
    railReference,
    method,
    amount: naira(5_000),
    payer,
    bankCode: null,
    accountNumber: null,
    card: null,
  }
  const [outcome] = await unitOfWork(core, (unit) => receive(unit, [{ merchantId, transactionId, receipt }]))
  assert.deepEqual(outcome, { kind: 'accepted' })
  return transactionReference
}

/** A payment by card. If the issuer does not respond, it is queried again. */
async function paidByCard(shop: Shop, number: string): Promise<string> {
  const transactionReference = await openTransaction(shop)
  await charge(shop, transactionReference, number)
  await shop.advance(120)
  assert.equal((await statusOf(shop, transactionReference)).paymentStatus, 'PAID')
  return transactionReference
}

const TO_CARD = {
  destinationAccountNumber: null,
  destinationAccountName: null,
  destinationAccountBankCode: null,
  destinationBankName: null,
}

test('a card payment is refunded to its card, also in parts, whatever account is named', async () => {
  const shop = await aShop()
  const transactionReference = await paidByCard(shop, CARDS.success)
  const named = { destinationAccountNumber: '2087654321', destinationAccountBankCode: '044' }
  for (const begun of [
    await refund(shop, transactionReference, { refundAmount: 2_000, ...named }),
    await refund(shop, transactionReference, { refundAmount: 3_000 }),
  ]) {
    const completed = await refundWithStatus(shop, begun, 'COMPLETED')
    assert.deepEqual({ ...completed, ...TO_CARD }, completed)
  }
  const { responseCode } = await shop.rejected(400, contract.initiateRefund, { body: aRefund(transactionReference) })
  assert.equal(responseCode, 'R12')
  const [clearing] = await shop.db<
    { balance: bigint }[]
  >`select balance from ${BALANCES} account where merchant_id = ${shop.merchantId} and code = 'clearing/card/simulated'`
  assert.equal(clearing?.balance, 0n)
  await checkLedger(shop)
})

test('a card issuer that does not respond leaves the refund PENDING until it is queried again', async (t) => {
  const shop = await gateway(t)
  const begun = await refund(shop, await paidByCard(shop, CARDS.silent))
  await shop.advance(20)
  await refundWithStatus(shop, begun, 'PENDING')
  await shop.advance(90)
  await refundWithStatus(shop, begun, 'COMPLETED')
  assert.equal((await shop.db`select from simulated_entry where rail = 'card refund'`).count, 1)
  await checkLedger(shop)
})

test('a refund that the card network rejects is FAILED, and amount and fee are released', async () => {
  const shop = await aShop()
  const charge = `charge-${randomUUID()}`
  // After a query about a charge it never received, the network promises to reject it.
  await simulatedRails({ clock: shop.core.clock, book: simulatedBook(shop.db) }).card.find(charge)
  const begun = await refund(shop, await paidBy(shop, 'CARD', charge))
  assert.match((await refundWithStatus(shop, begun, 'FAILED')).comment, /^Refund failed: ./)
  assert.deepEqual(await balances(shop), [OPENING_BALANCE, OPENING_BALANCE])
  await checkLedger(shop)
})

test('cash and direct debit payments cannot be refunded: R2', async () => {
  const shop = await aShop()
  const cash = await shop.call(contract.collectCash, { body: { amount: 5_000 } })
  const debit = await paidBy(shop, 'DIRECT_DEBIT', `rail-${randomUUID()}`)
  for (const transactionReference of [cash.transactionReference, debit])
    assert.equal(
      (await shop.rejected(400, contract.initiateRefund, { body: aRefund(transactionReference) })).responseCode,
      'R2',
    )
})

test('a payment into a reserved account is refunded to its payer', async () => {
  const shop = await aShop()
  await pay(shop, await reserveAccount(shop), 5_000, { senderAccountNumber: '0123452190', senderBankCode: '044' })
  const [transaction] = (await shop.call(contract.searchTransactions, { query: {} })).content
  const begun = await refund(shop, transaction?.transactionReference ?? '', { refundAmount: 5_000 })
  assert.deepEqual([begun.destinationAccountNumber, begun.destinationAccountBankCode], ['0123452190', '044'])
  await refundWithStatus(shop, begun, 'COMPLETED')
  await checkLedger(shop)
})

test('refunds are found by reference, and listed newest first by page and period', async () => {
  const shop = await aShop()
  const transactionReference = await paid(shop, 5_000)
  const first = await refund(shop, transactionReference, { refundAmount: 100 })
  await shop.advance(3_600)
  const between = shop.core.clock.now().getTime()
  await shop.advance(3_600)
  const second = await refund(shop, transactionReference, { refundAmount: 200 })
  for (const { refundReference, reference } of [first, second])
    assert.equal((await shop.call(contract.getRefund, { params: { refundReference } })).reference, reference)

  const amounts = async (query: object): Promise<number[]> =>
    (await shop.call(contract.listRefunds, { query })).content.map(({ refundAmount }) => refundAmount)
  assert.deepEqual(await amounts({}), [200, 100])
  assert.deepEqual(await amounts({ page: 1, size: 1 }), [100])
  assert.deepEqual(await amounts({ from: between }), [200])
  assert.deepEqual(await amounts({ to: between }), [100])
  assert.deepEqual(await amounts({ from: '2020-01-01', to: '2020-01-02' }), [])
  assert.deepEqual(await amounts({ to: dayText(lagosDay(shop.core.clock.now())) }), [200, 100], 'a day until its end')
  assert.equal((await shop.call(contract.listRefunds, { query: {} })).size, 10)
  for (const query of [{ page: -1 }, { size: 'many' }, { from: 'yesterday-ish' }])
    await shop.rejected(400, contract.listRefunds, { query })
})

test('an unknown refund, or another merchant’s, is 404 with R7; another merchant’s payment is R1', async () => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  const transactionReference = await paid(shop, 5_000)
  const begun = await refund(shop, transactionReference)
  assert.equal((await other.rejected(404, contract.getRefund, { params: begun })).responseCode, 'R7')
  assert.equal(
    (await shop.rejected(404, contract.getRefund, { params: { refundReference: 'none' } })).responseCode,
    'R7',
  )
  const body = aRefund(transactionReference)
  assert.equal((await other.rejected(404, contract.initiateRefund, { body })).responseCode, 'R1')
  assert.equal((await other.call(contract.listRefunds, { query: {} })).totalElements, 0)
})

test('without the permission every refund endpoint returns 403', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { permissions: { refunds: false } } })
  await shop.rejected(403, contract.initiateRefund, { body: aRefund('KOBO|01|20260301093000|000001') })
  await shop.rejected(403, contract.getRefund, { params: { refundReference: 'none' } })
  assert.equal((await shop.rejected(403, contract.listRefunds, {})).responseCode, '99')
})

test('a wallet that falls below the threshold sends one notification per crossing', async (t) => {
  const shop = await aShop()
  const events = await webhookEndpoint(t)
  const { walletAccountNumber } = shop.credentials
  await shop.call(contract.changeSettings, {
    body: { lowBalanceThreshold: OPENING_BALANCE - 500, webhookUrls: { wallet: events.url } },
  })
  const alerts = async (): Promise<number> =>
    (await shop.call(contract.listEvents, { query: { eventType: 'LOW_BALANCE_ALERT' } })).totalElements
  const transactionReference = await paid(shop, 5_000)
  await refund(shop, transactionReference, { refundAmount: 490 }) // with the fee, exactly the threshold remains
  assert.equal(await alerts(), 0)
  await refund(shop, transactionReference, { refundAmount: 100 })
  assert.equal(await alerts(), 1)
  await refund(shop, transactionReference, { refundAmount: 100 })
  assert.equal(await alerts(), 1, 'a wallet that stays low is not reported again')
  await shop.call(contract.fundWallet, { body: { amount: 1_000 } })
  await refund(shop, transactionReference, { refundAmount: 1_000 })
  assert.equal(await alerts(), 2)

  await events.count(7)
  const received = events.received.find(({ event }) => event.eventType === 'LOW_BALANCE_ALERT')
  const { transactionTime, merchantCode, ...alert } = received?.event.eventData ?? {}
  assert.match(String(transactionTime), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (AM|PM)$/)
  assert.match(String(merchantCode), /^[A-Z0-9]{12}$/)
  assert.deepEqual(alert, {
    walletAccountNumber,
    walletBalance: OPENING_BALANCE - 610,
    lowBalanceThreshold: OPENING_BALANCE - 500,
    currency: 'NGN',
    description: 'The wallet balance has fallen below the threshold',
  })
})
