import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { BALANCES, isClean } from '../../../src/core/money/ledger/index.ts'
import { aShop } from '../../harness/gateway.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

test('cash at an agent is a completed offline payment: PAID at once, posted with its fee, and sent as a webhook', async (t) => {
  const shop = await aShop()
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrl: events.url } })
  const record = await shop.call(contract.collectCash, {
    body: {
      amount: '15000',
      paymentReference: 'till-7',
      customerName: 'Ada Obi',
      customerEmail: 'ada@example.com',
      paymentDescription: 'School fees',
    },
  })
  assert.deepEqual(
    [record.paymentStatus, record.paymentMethod, record.amountPaid, record.settlementAmount, record.accountDetails],
    ['PAID', 'CASH', '15000.00', '14850.00', null],
  )
  assert.deepEqual(record.product, { type: 'OFFLINE_PAYMENT_AGENT', reference: 'till-7' })
  assert.deepEqual(record.customer, { email: 'ada@example.com', name: 'Ada Obi' })
  assert.deepEqual(await shop.call(contract.queryTransaction, { query: { paymentReference: 'till-7' } }), record)

  const [reported] = await events.count(1)
  assert.equal(reported?.event.eventType, 'SUCCESSFUL_TRANSACTION')
  const { product, paymentMethod, offlineProductInformation, paymentSourceInformation, amountPaid } =
    reported?.event.eventData ?? {}
  assert.deepEqual(
    { product, paymentMethod, paymentSourceInformation, amountPaid },
    { product: record.product, paymentMethod: 'CASH', paymentSourceInformation: [], amountPaid: 15_000 },
  )
  const { amount, code, type } = offlineProductInformation as { amount: number; code: string; type: string }
  assert.deepEqual([amount, type], [15_000, 'DYNAMIC'])
  assert.match(code, /^\d{6}$/)
  assert.equal(
    reported?.headers['service-signature'],
    createHmac('sha512', shop.credentials.secretKey)
      .update(reported?.body ?? '')
      .digest('hex'),
  )
  const rows = await shop.db<
    { code: string; balance: bigint }[]
  >`select code, balance from ${BALANCES} account where merchant_id = ${shop.merchantId}`
  const balances = Object.fromEntries(rows.map((row) => [row.code, row.balance]))
  assert.deepEqual(
    [balances['clearing/cash'], balances['payable'], balances['fees/collection']],
    [-1_500_000n, 1_485_000n, 15_000n],
  )
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('the fee for cash is 1 % and at most 1,000; if the customer bears it, it is added', async () => {
  const shop = await aShop()
  const collect = (amount: number) => shop.call(contract.collectCash, { body: { amount } })
  assert.equal((await collect(100_000)).settlementAmount, '99000.00')
  assert.equal((await collect(100_001)).settlementAmount, '99001.00')
  await shop.call(contract.changeSettings, { body: { feeBearer: 'CUSTOMER' } })
  const record = await collect(2_000)
  assert.deepEqual(
    [record.paymentStatus, record.totalPayable, record.amountPaid, record.settlementAmount],
    ['PAID', '2020.00', '2020.00', '2000.00'],
  )
})

test('20 parallel payments under one reference are one; a malformed one is 400', async () => {
  const shop = await aShop()
  const body = { amount: 1_000, paymentReference: 'till-1' }
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => shop.send('POST', contract.collectCash.path, { body })),
  )
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  for (const { status, body } of responses)
    if (status !== 200) assert.deepEqual([status, body.responseMessage], [400, 'Duplicate payment reference'])
  assert.equal((await shop.db`select from payment where merchant_id = ${shop.merchantId}`).count, 1)
  assert.ok(isClean(await verifyLedger(shop.db)))
  for (const [wrong, message] of [
    [{}, /^amount is required/],
    [{ amount: 19.99 }, /^amount must be at least 20/],
    [{ amount: 100, customerEmail: 'ada' }, /^customerEmail /],
    [{ amount: 100, paymentReference: '' }, /^paymentReference /],
  ] as const)
    assert.match((await shop.rejected(400, contract.collectCash, { body: wrong })).message, message)
  const named = await shop.call(contract.collectCash, { body: { amount: 100 } })
  assert.equal(named.paymentReference, named.transactionReference)
})
