import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { receiveReservedCredits } from '../../../src/features/reserved-accounts/credits.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { startOfDay } from '../../../src/kernel/dates.ts'
import { kobo } from '../../../src/kernel/money.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { anAccount, aReservedAccount, BVN, pay, reserveAccount } from '../../harness/samples.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

const LIMITS = { singleTransactionValue: 1_000, dailyTransactionValue: 2_500, dailyTransactionVolume: 4 }

/** A reserved account with limits. */
async function limited(shop: Shop, limits: Partial<typeof LIMITS> = {}) {
  const profile = await shop.call(contract.createLimitProfile, {
    body: { limitProfileName: `limits ${JSON.stringify(limits)} ${shop.core.ids.id()}`, ...LIMITS, ...limits },
  })
  const account = await reserveAccount(shop)
  const { accountReference } = account
  const { limitProfileCode } = profile
  await shop.call(contract.setLimitProfile, { body: { accountReference, limitProfileCode } })
  return { ...account, limitProfileCode }
}

test('each credit creates a PAID transaction that is posted, sent as a webhook, found and listed', async (t) => {
  const shop = await aShop()
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrl: events.url } })
  const metaData = { customer: 7 }
  const account = await reserveAccount(shop, { metaData })
  const { accountReference, bankCode, accountNumber } = account
  const sender = { senderName: 'NGOZI EZE', senderAccountNumber: '0123452190', senderBankCode: '058' }
  const { sessionId } = await pay(shop, account, 9_000, sender)
  await pay(shop, account, '0.01')

  const page = await shop.call(contract.listReservedAccountTransactions, { query: { accountReference } })
  assert.deepEqual([page.totalElements, page.size, page.number, page.content.length], [2, 10, 0, 2])
  const [newest, listed] = page.content
  assert.equal(newest?.amount, 0.01)
  assert.ok(listed !== undefined)
  const { transactionReference } = listed
  const merchant = await shop.core.directory.byApiKey(shop.credentials.apiKey)
  assert.match(listed.completedOn ?? '', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+0000$/)
  assert.deepEqual(listed, {
    customerDTO: { email: 'ada@example.com', name: 'Ada Obi', merchantCode: merchant?.code },
    paymentMethod: 'ACCOUNT_TRANSFER',
    createdOn: listed.createdOn,
    completedOn: listed.createdOn,
    amount: 9_000,
    flagged: false,
    fee: 135,
    amountPaid: 9_000,
    currencyCode: 'NGN',
    paymentDescription: 'Ada Obi Stores',
    paymentStatus: 'PAID',
    transactionReference,
    paymentReference: transactionReference,
    merchantCode: merchant?.code,
    merchantName: merchant?.name,
    metaData,
    payableAmount: 9_000,
    completed: true,
    paymentMethodList: ['ACCOUNT_TRANSFER'],
    collectionChannel: 'RESERVED_ACCOUNT',
    providerAmount: 9_000,
    providerCode: '035',
    settleInstantly: false,
  })

  const record = await shop.call(contract.getTransaction, { params: { transactionReference } })
  assert.deepEqual(
    [record.paymentStatus, record.paymentReference, record.amountPaid, record.settlementAmount],
    ['PAID', transactionReference, '9000.00', '8865.00'],
  )
  assert.deepEqual(record.product, { type: 'RESERVED_ACCOUNT', reference: accountReference })
  const found = await shop.call(contract.searchTransactions, { query: { amount: 9_000 } })
  assert.equal(found.content[0]?.collectionChannel, 'RESERVED_ACCOUNT')

  const creditOf = (await events.count(2)).find(({ event }) => event.eventData['amountPaid'] === 9_000)
  assert.ok(creditOf !== undefined)
  const { paidOn, ...data } = creditOf.event.eventData
  assert.match(String(paidOn), /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/)
  assert.deepEqual(data, {
    product: { reference: accountReference, type: 'RESERVED_ACCOUNT' },
    transactionReference,
    paymentReference: transactionReference,
    paymentDescription: 'Ada Obi Stores',
    metaData,
    paymentSourceInformation: [
      { bankCode: '058', amountPaid: 9_000, accountName: 'NGOZI EZE', sessionId, accountNumber: '0123452190' },
    ],
    destinationAccountInformation: { bankCode, bankName: 'Wema bank', accountNumber },
    amountPaid: 9_000,
    totalPayable: 9_000,
    cardDetails: {},
    paymentMethod: 'ACCOUNT_TRANSFER',
    currency: 'NGN',
    settlementAmount: '8865.00',
    paymentStatus: 'PAID',
    customer: { name: 'Ada Obi', email: 'ada@example.com' },
  })
  assert.equal((await shop.call(contract.getReservedAccount, { params: account })).transactionCount, 2)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('the fee of a credit is taken out of it, regardless of the fee bearer: no payer was shown a fee', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, {
    body: { feeBearer: 'CUSTOMER', underpayment: 'REJECT', settlement: 'INSTANT' },
  })
  const account = await reserveAccount(shop)
  await pay(shop, account, 1_000)
  const { content } = await shop.call(contract.listReservedAccountTransactions, { query: account })
  assert.deepEqual(
    content.map(({ payableAmount, fee, settleInstantly }) => [payableAmount, fee, settleInstantly]),
    [[1_000, 15, true]],
  )
})

test('pages of transactions have the requested size, and include every number of the account', async () => {
  const shop = await aShop()
  const account = await reserveAccount(shop, { getAllAvailableBanks: true })
  for (const [index, number] of account.accounts.entries()) await pay(shop, number, 100 + index)
  await anAccount(shop)
  const { accountReference } = account
  const list = (query: object) =>
    shop.call(contract.listReservedAccountTransactions, { query: { accountReference, ...query } })
  assert.deepEqual(
    (await list({})).content.map(({ providerCode }) => providerCode),
    ['50515', '232', '035'],
  )
  const second = await list({ page: 1, size: 2 })
  assert.deepEqual([second.content.map(({ amount }) => amount), second.totalPages, second.last], [[100], 2, true])
})

test('a credit that a bank reports again, even in the same batch, changes nothing and counts nothing', async (t) => {
  const shop = await gateway(t)
  const account = await limited(shop, { dailyTransactionVolume: 2 })
  const { sessionId } = await pay(shop, account, 300)
  const [row] = await shop.db<{ merchantId: bigint; id: bigint }[]>`select merchant_id, id from reserved_account`
  const merchant = await shop.core.directory.byId(row?.merchantId ?? 0n)
  assert.ok(row !== undefined && merchant !== undefined)
  const creditOf = (railReference: string, amount: bigint) => ({
    merchant,
    reservedAccountId: row.id,
    credit: {
      partner: 'simulated',
      railReference,
      bankCode: account.bankCode,
      accountNumber: account.accountNumber,
      amount: kobo(amount),
      payer: { name: null, accountNumber: null, bankCode: null, bvn: null },
    },
  })
  const receive = (credits: readonly ReturnType<typeof creditOf>[]) =>
    unitOfWork(shop.core, (unit) => receiveReservedCredits(unit, shop.core.keyring, credits))
  const accepted = { kind: 'accepted' } as const
  const rejected = { kind: 'rejected', reason: 'LIMIT_EXCEEDED' } as const
  // The same one twice in a batch, a second one twice in a batch, and a third one, which exceeds the day's limit.
  const set = [
    creditOf(sessionId, 30_000n),
    creditOf(sessionId, 30_000n),
    creditOf('second', 100n),
    creditOf('second', 100n),
    creditOf('third', 100n),
    creditOf('third', 100n),
  ]
  const isRepeat = true
  const again = [accepted, accepted, accepted, accepted, rejected, rejected].map((one) => ({ ...one, isRepeat }))
  assert.deepEqual(await receive(set), [again[0], again[1], accepted, again[3], rejected, again[5]])
  // All of it again on the next day, within the limit: the outcomes stay the same.
  await shop.advance(86_400)
  assert.deepEqual(await receive(set), again)
  const page = await shop.call(contract.listReservedAccountTransactions, { query: account })
  assert.deepEqual(
    page.content.map(({ amount }) => amount),
    [1, 300],
  )
  for (const [eventType, count] of [
    ['SUCCESSFUL_TRANSACTION', 2],
    ['REJECTED_PAYMENT', 1],
  ] as const)
    assert.equal((await shop.call(contract.listEvents, { query: { eventType } })).totalElements, count)
  const usage = await shop.db<{ value: bigint; volume: number }[]>`select value, volume from limit_usage`
  assert.deepEqual([...usage], [{ value: 30_100n, volume: 2 }])
})

test('payers are allowed by BVN, by account or by name: one of them is enough, and all others go back', async (t) => {
  const shop = await aShop()
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrl: events.url } })
  const account = await reserveAccount(shop, {
    restrictPaymentSource: true,
    allowedPaymentSource: {
      bvns: [BVN, '33312345678'],
      bankAccounts: [{ accountNumber: '0068687503', bankCode: '232' }],
      accountNames: ['  Samuel   Damilare OGUNNAIKE '],
    },
  })
  assert.deepEqual(account.allowedPaymentSources?.bankAccounts, [{ accountNumber: '0068687503', bankCode: '232' }])
  for (const [sender, allowed] of [
    [{ senderBvn: '33312345678' }, true],
    [{ senderBvn: '33312345679' }, false],
    [{ senderAccountNumber: '0068687503', senderBankCode: '232' }, true],
    [{ senderAccountNumber: '0068687503', senderBankCode: '058' }, false],
    [{ senderAccountNumber: '0068687504', senderBankCode: '232' }, false],
    [{ senderName: 'samuel damilare  ogunnaike' }, true],
    [{ senderName: 'Samuel Ogunnaike' }, false],
    [{}, false],
  ] as const) {
    const { reason } = await pay(shop, account, 100, sender)
    assert.equal(reason, allowed ? null : 'PAYMENT_SOURCE_NOT_ALLOWED', JSON.stringify(sender))
  }
  const received = await events.count(8)
  const rejected = received.filter(({ event }) => event.eventType === 'REJECTED_PAYMENT')
  assert.equal(rejected.length, 5)
  assert.ok(
    received.every(({ body }) => !body.includes('3331234567') && !body.includes(BVN)),
    'no BVN is sent',
  )
  const { transactionReference, paymentReference, product, ...data } = rejected[0]?.event.eventData ?? {}
  assert.equal(transactionReference, paymentReference)
  assert.deepEqual(product, { reference: account.accountReference, type: 'RESERVED_ACCOUNT' })
  assert.deepEqual(data['paymentRejectionInformation'], {
    bankCode: '035',
    destinationAccountNumber: account.accountNumber,
    bankName: 'Wema bank',
    rejectionReason: 'PAYMENT_SOURCE_NOT_ALLOWED',
    expectedAmount: 100,
  })
  assert.equal((await shop.call(contract.listReservedAccountTransactions, { query: account })).totalElements, 3)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('the payment source filter can be changed, in either spelling, and removed', async () => {
  const shop = await aShop()
  const account = await reserveAccount(shop)
  const empty = { bvns: [], bankAccounts: [], accountNames: [] }
  const update = (body: object) => shop.call(contract.updatePaymentSourceFilter, { params: account, body })
  assert.deepEqual(await update({ restrictPaymentSource: false }), {
    restrictPaymentSource: false,
    allowedPaymentSources: empty,
  })
  const named = { ...empty, accountNames: ['NGOZI EZE'] }
  const restricted = { restrictPaymentSource: true, allowedPaymentSources: named }
  assert.deepEqual(
    await update({ restrictPaymentSource: 'true', allowedPaymentSource: { accountNames: ['NGOZI EZE'] } }),
    restricted,
  )
  assert.equal((await pay(shop, account, 100)).reason, 'PAYMENT_SOURCE_NOT_ALLOWED')
  assert.equal((await pay(shop, account, 100, { senderName: 'Ngozi Eze' })).status, 'ACCEPTED')
  // A missing field stays as it is.
  assert.deepEqual(await update({ allowedPaymentSources: { bvns: [BVN] } }), {
    restrictPaymentSource: true,
    allowedPaymentSources: { ...empty, bvns: [BVN] },
  })
  assert.deepEqual((await update({ restrictPaymentSource: false })).allowedPaymentSources.bvns, [BVN])
  assert.equal((await pay(shop, account, 100)).status, 'ACCEPTED')
  const detail = await shop.call(contract.getReservedAccount, { params: account })
  assert.deepEqual(detail.allowedPaymentSources, { ...empty, bvns: [BVN] })

  for (const body of [
    { restrictPaymentSource: true, allowedPaymentSources: empty },
    { restrictPaymentSource: 'maybe' },
    { allowedPaymentSources: { bvns: ['1'] } },
    { allowedPaymentSources: { bankAccounts: [{ accountNumber: '1', bankCode: '058' }] } },
    { allowedPaymentSources: { accountNames: [''] } },
  ])
    await shop.rejected(400, contract.updatePaymentSourceFilter, { params: account, body })
})

test('limits are inclusive, for one payment, for the value and for the volume of a day', async () => {
  const shop = await aShop()
  const account = await limited(shop)
  const tried = async (amount: number | string): Promise<string | null> => (await pay(shop, account, amount)).reason
  assert.equal(await tried('1000.01'), 'LIMIT_EXCEEDED')
  assert.equal(await tried(1_000), null)
  assert.equal(await tried(1_000), null)
  assert.equal(await tried('500.01'), 'LIMIT_EXCEEDED')
  assert.equal(await tried('499.99'), null)
  assert.equal(await tried('0.01'), null)
  assert.equal(await tried('0.01'), 'LIMIT_EXCEEDED')

  const busy = await limited(shop, { dailyTransactionVolume: 1 })
  assert.equal((await pay(shop, busy, 1)).reason, null)
  assert.equal((await pay(shop, busy, 1)).reason, 'LIMIT_EXCEEDED')
  for (const zero of [{ singleTransactionValue: 0 }, { dailyTransactionVolume: 0 }]) {
    const shut = await limited(shop, zero)
    assert.equal((await pay(shop, shut, '0.01')).reason, 'LIMIT_EXCEEDED')
  }
})

test('50 parallel credits against a daily limit: exactly the limit is accepted', async () => {
  const shop = await aShop()
  const account = await limited(shop, { dailyTransactionVolume: 1_000 })
  const responses = await Promise.all(Array.from({ length: 50 }, () => pay(shop, account, 100)))
  assert.equal(responses.filter(({ status }) => status === 'ACCEPTED').length, 25)
  assert.ok(responses.every(({ reason }) => reason === null || reason === 'LIMIT_EXCEEDED'))
  assert.equal((await shop.call(contract.getReservedAccount, { params: account })).transactionCount, 25)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a new day begins at midnight in Lagos', async (t) => {
  const shop = await gateway(t)
  const account = await limited(shop, { dailyTransactionVolume: 1 })
  const midnight = startOfDay(secondsAfter(shop.core.clock.now(), 86_400))
  const untilMidnight = Math.floor((midnight.getTime() - shop.core.clock.now().getTime()) / 1_000)
  await shop.advance(untilMidnight - 60)
  assert.equal((await pay(shop, account, 1)).reason, null)
  assert.equal((await pay(shop, account, 1)).reason, 'LIMIT_EXCEEDED')
  await shop.advance(61)
  assert.equal((await pay(shop, account, 1)).reason, null)
  assert.equal((await pay(shop, account, 1)).reason, 'LIMIT_EXCEEDED')
})

test('a limit that is set or changed during the day counts earlier payments', async () => {
  const shop = await aShop()
  const account = await reserveAccount(shop)
  const { accountReference } = account
  await pay(shop, account, 2_000)
  const profile = await shop.call(contract.createLimitProfile, { body: { limitProfileName: 'Late', ...LIMITS } })
  const { limitProfileCode } = profile
  await shop.call(contract.setLimitProfile, { body: { accountReference, limitProfileCode } })
  assert.equal((await pay(shop, account, 501)).reason, 'LIMIT_EXCEEDED')
  assert.equal((await pay(shop, account, 500)).reason, null)
  const wider = { limitProfileName: 'Late', ...LIMITS, dailyTransactionValue: '2500.01' }
  await shop.call(contract.updateLimitProfile, { params: { limitProfileCode }, body: wider })
  assert.equal((await pay(shop, account, '0.01')).reason, null)
  assert.equal((await pay(shop, account, '0.01')).reason, 'LIMIT_EXCEEDED')
})

test('parallel credits, a deallocation and changes: money is accepted or goes back, and the ledger balances', async () => {
  const shop = await aShop()
  const accounts = await Promise.all(
    Array.from({ length: 5 }, () => reserveAccount(shop, { getAllAvailableBanks: true })),
  )
  const plain = await anAccount(shop, { amount: 100_000 })
  const responses = await Promise.all([
    ...Array.from({ length: 60 }, (_, i) => pay(shop, accounts[i % 5]?.accounts[i % 3] ?? plain, 10)),
    ...Array.from({ length: 20 }, () => pay(shop, plain, 10)),
    ...accounts.slice(0, 2).map((params) => shop.call(contract.deallocateReservedAccount, { params })),
  ])
  const accepted = responses.filter((response) => response.status === 'ACCEPTED').length
  assert.ok(accepted >= 20 + 36)
  const found = await shop.call(contract.searchTransactions, { query: { paymentStatus: 'PAID', size: 100 } })
  assert.equal(found.totalElements, accepted - 20)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('an account may be reserved with limits from the start; without an identity it must be', async () => {
  const shop = await aShop()
  const profile = await shop.call(contract.createLimitProfile, { body: { limitProfileName: 'Small', ...LIMITS } })
  const { limitProfileCode } = profile
  const limitProfileConfig = { limitProfileCode, limitProfileName: 'Small', ...LIMITS }
  const { bvn: _, getAllAvailableBanks: __, ...bare } = aReservedAccount(shop)
  const account = await shop.call(contract.reserveAccountWithLimit, { body: { ...bare, limitProfileCode } })
  assert.deepEqual(account.limitProfileConfig, limitProfileConfig)
  assert.deepEqual([account.accounts.length, account.bvn, account.status], [1, null, 'ACTIVE'])
  assert.equal(
    (await pay(shop, account.accounts[0] ?? { bankCode: '', accountNumber: '' }, 1_001)).reason,
    'LIMIT_EXCEEDED',
  )
  assert.deepEqual(
    (await shop.call(contract.getReservedAccount, { params: account })).limitProfileConfig,
    limitProfileConfig,
  )
  // Some clients call the second version.
  const v2 = await shop.send('POST', '/api/v2/bank-transfer/reserved-accounts/limit', {
    body: { ...aReservedAccount(shop), limitProfileCode },
  })
  assert.equal(v2.status, 200, v2.text)
  assert.equal(v2.headers.get('deprecation'), null)
  const { accountReference } = await reserveAccount(shop)
  const put = await shop.send('PUT', '/api/v2/bank-transfer/reserved-accounts/limit', {
    body: { accountReference, limitProfileCode },
  })
  assert.deepEqual((put.body.responseBody as typeof account).limitProfileConfig, limitProfileConfig)

  const body = aReservedAccount(shop)
  await shop.rejected(404, contract.reserveAccountWithLimit, { body: { ...body, limitProfileCode: 'NOSUCHPROFIL' } })
  await shop.rejected(400, contract.reserveAccountWithLimit, { body })
  await shop.rejected(422, contract.reserveAccountWithLimit, {
    body: { ...body, limitProfileCode, accountReference },
  })
  await shop.rejected(404, contract.setLimitProfile, { body: { accountReference, limitProfileCode: 'NOSUCHPROFIL' } })
  await shop.rejected(400, contract.setLimitProfile, { body: { accountReference: 'nobody', limitProfileCode } })
  await shop.rejected(400, contract.setLimitProfile, { body: { accountReference } })
  const other = await shop.anotherMerchant()
  await other.rejected(404, contract.reserveAccountWithLimit, {
    body: { ...aReservedAccount(other), limitProfileCode },
  })
})
