import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { BALANCES, isClean } from '../../../src/core/money/ledger/index.ts'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { receive } from '../../../src/features/transactions/index.ts'
import { aShop, type Client, gateway } from '../../harness/gateway.ts'
import { codeOf } from '../../harness/operator-samples.ts'
import { asOwner } from '../../harness/postgres.ts'
import { anAccount, aTransaction, pay } from '../../harness/samples.ts'
import { tamperWith } from '../../harness/tamper.ts'
import { until } from '../../harness/until.ts'
import { anOperator } from '../../harness/users.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

const balances = async (db: Awaited<ReturnType<typeof gateway>>['db']): Promise<Record<string, bigint>> =>
  Object.fromEntries(
    (await db<{ code: string; balance: bigint }[]>`select code, balance from ${BALANCES} account`).map((row) => [
      row.code,
      row.balance,
    ]),
  )

test('a payment by bank transfer is PAID, posted and sent as a webhook, from login to signed event', async (t) => {
  const shop = await gateway(t)
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrl: events.url } })
  const metaData = { order: 7, nested: { colours: ['red', 'black'] } }
  const account = await anAccount(shop, { amount: 9_000, metaData })

  assert.deepEqual(await pay(shop, account, 9_000).then(({ status, reason }) => ({ status, reason })), {
    status: 'ACCEPTED',
    reason: null,
  })

  const record = await shop.call(contract.getTransaction, { params: account })
  assert.equal(record.paymentStatus, 'PAID')
  assert.equal(record.amountPaid, '9000.00')
  assert.equal(record.settlementAmount, '8865.00') // less 1.5 %
  assert.equal(record.paymentMethod, 'ACCOUNT_TRANSFER')
  assert.deepEqual(record.metaData, metaData)
  assert.match(record.paidOn ?? '', /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d (AM|PM)$/)

  const [reported] = await events.count(1)
  assert.equal(reported?.event.eventType, 'SUCCESSFUL_TRANSACTION')
  assert.equal(reported?.event.eventData['paymentStatus'], 'PAID')
  assert.equal(
    reported?.headers['service-signature'],
    createHmac('sha512', shop.credentials.secretKey)
      .update(reported?.body ?? '')
      .digest('hex'),
  )
  assert.equal(JSON.stringify(JSON.parse(reported?.body ?? '')), reported?.body)

  const { 'clearing/bank-transfer/simulated': clearing, payable, 'fees/collection': fees } = await balances(shop.db)
  assert.deepEqual({ clearing, payable, fees }, { clearing: -900_000n, payable: 886_500n, fees: 13_500n })
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('less than the amount due is PARTIALLY_PAID and can be completed; more is OVERPAID', async () => {
  const shop = await aShop()
  const account = await anAccount(shop, { amount: 1_000 })
  await pay(shop, account, '400.50')
  assert.equal((await shop.call(contract.getTransaction, { params: account })).paymentStatus, 'PARTIALLY_PAID')
  await pay(shop, account, '599.50')
  const record = await shop.call(contract.getTransaction, { params: account })
  assert.equal(record.paymentStatus, 'PAID')
  assert.deepEqual(
    record.accountPayments.map(({ amountPaid }) => amountPaid),
    ['400.50', '599.50'],
  )

  const other = await anAccount(shop, { amount: 1_000 })
  await pay(shop, other, 1_500)
  const overpaid = await shop.call(contract.getTransaction, { params: other })
  assert.deepEqual(
    [overpaid.paymentStatus, overpaid.amountPaid, overpaid.settlementAmount],
    ['OVERPAID', '1500.00', '1477.50'],
  )
})

test('money for a paid, expired or unknown account is sent back and none of it is accepted', async (t) => {
  const shop = await gateway(t)
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: events.url } } })
  const late = await anAccount(shop, { amount: 1_000 })
  await shop.advance(2_400)
  const paid = await anAccount(shop, { amount: 1_000 })
  await pay(shop, paid, 1_000)
  const before = await balances(shop.db)

  assert.equal((await pay(shop, paid, 1_000)).reason, 'ALREADY_PAID')
  assert.equal((await pay(shop, late, 1_000)).reason, 'ACCOUNT_EXPIRED')
  assert.equal((await pay(shop, { bankCode: '035', accountNumber: '9999999999' }, 1_000)).reason, 'ACCOUNT_NOT_FOUND')

  await until('all of it is back', async () => {
    await shop.advance(60)
    const open = await shop.db`select from credit_return where state <> 'RETURNED'`
    return open.length === 0
  })
  const after = await balances(shop.db)
  assert.deepEqual(after, { ...before, 'clearing/simulated': 0n, 'suspense/simulated': 0n })
  assert.equal((await shop.call(contract.getTransaction, { params: late })).paymentStatus, 'EXPIRED')
  const received = await events.count(3)
  const rejected = received
    .filter(({ event }) => event.eventType === 'REJECTED_PAYMENT')
    .map(({ event }) => event.eventData['paymentRejectionInformation'])
  assert.deepEqual(
    rejected.map((information) => (information as { rejectionReason: string }).rejectionReason),
    ['ALREADY_PAID', 'ACCOUNT_EXPIRED'],
  )
})

test('if underpayment is rejected, too little goes back with UNDER_PAYMENT and the transaction stays open', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { underpayment: 'REJECT' } })
  const account = await anAccount(shop, { amount: 1_000 })
  assert.equal((await pay(shop, account, 999)).reason, 'UNDER_PAYMENT')
  assert.equal((await pay(shop, account, 1_000)).status, 'ACCEPTED')
})

test('if the customer bears the fee, it is part of the payable and the merchant gets the whole amount', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { feeBearer: 'CUSTOMER' } })
  const account = await anAccount(shop, { amount: 1_000 })
  assert.deepEqual([account.amount, account.fee, account.totalPayable], [1_000, 15, 1_015])
  await pay(shop, account, 1_015)
  const record = await shop.call(contract.getTransaction, { params: account })
  assert.deepEqual([record.paymentStatus, record.totalPayable, record.settlementAmount], ['PAID', '1015.00', '1000.00'])

  const generous = await anAccount(shop, { amount: 1_000 })
  await pay(shop, generous, 2_000)
  // The fee of 2,000 less the 15 that the customer was charged.
  assert.equal((await shop.call(contract.getTransaction, { params: generous })).settlementAmount, '1970.22')
})

test('a payment that is opened for little and overpaid is charged the fee of what was paid', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { feeBearer: 'CUSTOMER' } })
  const tiny = await anAccount(shop, { amount: 20 })
  await pay(shop, tiny, 1_000_000)
  assert.equal((await shop.call(contract.getTransaction, { params: tiny })).settlementAmount, '998000.00')

  await shop.call(contract.changeSettings, { body: { feeBearer: 'MERCHANT' } })
  const [ada, bola] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const steps = [
    { upTo: 100, percent: '0', flat: 1 },
    { percent: '5', flat: 0 },
  ]
  const price = { service: 'collection', steps, reason: 'stepped' } as const
  const { id } = await ada.call(contract.requestPrice, { params: { code: await codeOf(shop) }, body: price })
  await bola.call(contract.approveChange, { params: { id } })
  const stepped = await anAccount(shop, { amount: 100 })
  await pay(shop, stepped, 50)
  assert.equal((await shop.call(contract.getTransaction, { params: stepped })).settlementAmount, '49.00')
  await pay(shop, stepped, 9_950)
  assert.equal((await shop.call(contract.getTransaction, { params: stepped })).settlementAmount, '9500.00')
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('the fee over several credits is the fee of their sum, capped once', async () => {
  const shop = await aShop()
  const account = await anAccount(shop, { amount: 400_000 })
  for (const amount of ['0.01', 99_999.99, 100_000, 200_000]) await pay(shop, account, amount)
  const record = await shop.call(contract.getTransaction, { params: account })
  assert.deepEqual([record.paymentStatus, record.settlementAmount], ['PAID', '398000.00']) // 1.5 % would be 6,000; the cap is 2,000
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('100 parallel inits with one paymentReference: exactly one succeeds, the others are rejected', async () => {
  const shop = await aShop()
  const body = aTransaction(shop)
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => shop.send('POST', contract.initTransaction.path, { body })),
  )
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  assert.ok(
    responses.every(
      ({ status, body }) =>
        status === 200 || (status === 422 && body.responseMessage === 'Duplicate payment reference'),
    ),
  )
  assert.equal(
    (await shop.call(contract.searchTransactions, { query: { paymentReference: body.paymentReference } }))
      .totalElements,
    1,
  )
})

test('each credit’s event lists all earlier credits of the transaction', async () => {
  const shop = await aShop()
  const account = await anAccount(shop)
  for (const amount of [100, 50, 25]) await pay(shop, account, amount)
  const { content } = await shop.call(contract.listEvents, { query: {} })
  const reported = content.map(({ body }) =>
    JSON.parse(body).eventData.paymentSourceInformation.map((source: { amountPaid: number }) => source.amountPaid),
  )
  assert.deepEqual(
    reported.toSorted((a, b) => a.length - b.length),
    [[100], [100, 50], [100, 50, 25]],
  )
})

test('100 parallel credits on one account: the total is exact to the kobo', async () => {
  const shop = await aShop()
  const account = await anAccount(shop, { amount: 1_000_000 })
  const responses = await Promise.all(Array.from({ length: 100 }, (_, i) => pay(shop, account, `${100 + i}.07`)))
  assert.ok(responses.every(({ status }) => status === 'ACCEPTED'))
  const record = await shop.call(contract.getTransaction, { params: account })
  assert.deepEqual(
    [record.paymentStatus, record.amountPaid, record.accountPayments.length],
    ['PARTIALLY_PAID', '14957.00', 100],
  )
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a credit that a bank reports twice moves money once', async () => {
  const shop = await aShop()
  const account = await anAccount(shop, { amount: 1_000 })
  const { sessionId } = await pay(shop, account, 300)
  const [row] = await shop.db<
    { merchantId: bigint; ownerId: bigint }[]
  >`select merchant_id, owner_id from virtual_account where merchant_id = ${shop.merchantId} and purpose = 'transaction'`
  assert.ok(row !== undefined)
  const receipt = {
    partner: 'simulated',
    railReference: sessionId,
    bankCode: account.bankCode,
    accountNumber: account.accountNumber,
    amount: 30_000n as never,
    payer: { name: null, accountNumber: null, bankCode: null, bvn: null },
    method: 'ACCOUNT_TRANSFER' as const,
    card: null,
  }
  const again = { merchantId: row.merchantId, transactionId: row.ownerId, receipt }
  const outcomes = await unitOfWork(shop.core, (unit) => receive(unit, [again, again]))
  const repeat = { kind: 'accepted', isRepeat: true }
  assert.deepEqual(outcomes, [repeat, repeat])
  assert.equal((await shop.call(contract.getTransaction, { params: account })).amountPaid, '300.00')
  assert.equal((await shop.call(contract.listEvents, { query: {} })).totalElements, 1)
})

test('journals and moves cannot be changed or deleted, not even by hand', async (t) => {
  const shop = await gateway(t)
  await pay(shop, await anAccount(shop), 5_000)
  for (const statement of [
    'update move set amount = 1',
    'delete from move',
    'delete from journal',
    'truncate move',
    'truncate journal',
    'update journal set memo = $$x$$',
    'update journal set amounts = $${1}$$',
  ])
    await assert.rejects(asOwner(shop.databaseUrl, statement), /insert-only/, statement)
})

test('an account that is not a clearing account cannot go below zero', async (t) => {
  const { db } = await gateway(t)
  await assert.rejects(db`update account set balance = -1 where code like 'wallet/%'`, /account_not_below_zero/)
})

test('the ledger check finds a balance that its moves do not explain', async (t) => {
  const shop = await gateway(t)
  await pay(shop, await anAccount(shop), 5_000)
  assert.ok(isClean(await verifyLedger(shop.db)))
  await tamperWith(shop.db, 'payable', 1)
  const verdict = await verifyLedger(shop.db)
  assert.equal(verdict.imbalance, '1')
  assert.match(verdict.wrong.map(({ what }) => what).join(), /account payable/)
})

test('the ledger check finds a move whose journal does not exist', async (t) => {
  const shop = await gateway(t)
  await pay(shop, await anAccount(shop), 5_000)
  await shop.db`
    insert into move (merchant_id, journal_id, line, source, target, amount)
    select merchant_id, 1, 0, 'clearing/funding', 'payable', 5 from journal limit 1`
  assert.match(
    (await verifyLedger(shop.db)).wrong.map(({ what }) => what).join(),
    /refer to journal 1, which does not exist/,
  )
})

test('a merchant cannot see or change anything of another', async () => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  const account = await anAccount(shop)
  await pay(shop, account, 5_000)

  await other.rejected(404, contract.getTransaction, { params: account })
  await other.rejected(404, contract.queryTransaction, { query: { paymentReference: account.paymentReference } })
  await other.rejected(404, contract.cancelTransaction, { params: account })
  await other.rejected(422, contract.initBankTransfer, { body: { transactionReference: account.transactionReference } })
  assert.equal((await other.call(contract.searchTransactions, { query: {} })).totalElements, 0)
  assert.equal((await other.call(contract.listEvents, { query: {} })).totalElements, 0)
  const [event] = (await shop.call(contract.listEvents, { query: {} })).content
  await other.rejected(404, contract.resendEvent, { params: { id: event?.id } })

  // Nor when both call in parallel, so that their requests run as one batch.
  const body = { transactionReference: (await anAccount(shop)).transactionReference }
  const request = async (client: Client): Promise<number> =>
    (await client.send('POST', contract.initBankTransfer.path, { body })).status
  const statuses = await Promise.all(Array.from({ length: 20 }, (_, i) => request(i % 2 === 0 ? shop : other)))
  assert.deepEqual(new Set(statuses.filter((_, i) => i % 2 === 1)), new Set([422]))
  assert.deepEqual(new Set(statuses.filter((_, i) => i % 2 === 0)), new Set([200]))

  // Another merchant may use the same payment reference.
  await other.call(contract.initTransaction, {
    body: aTransaction(other, { paymentReference: account.paymentReference }),
  })
})
