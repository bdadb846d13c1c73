import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { setPrice } from '../../../src/core/merchants/index.ts'
import { BALANCES, isClean } from '../../../src/core/money/ledger/index.ts'
import { findOrder, openOrders } from '../../../src/core/orders/index.ts'
import { debitOrders } from '../../../src/features/direct-debit/orders.ts'
import { findDebit, mandates } from '../../../src/features/direct-debit/repository.ts'
import { compact, zoned } from '../../../src/kernel/dates.ts'
import { kobo } from '../../../src/kernel/money.ts'
import { openMetrics } from '../../../src/platform/metrics/metrics.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { absentRails } from '../../../src/rails/absent.ts'
import { SIMULATED, simulatedBook, simulatedRails } from '../../../src/rails/simulated/index.ts'
import { aShop, type Client, gateway, type Shop } from '../../harness/gateway.ts'
import { aMandate, anActiveMandate, daysAfter } from '../../harness/mandate-samples.ts'
import { routerTo } from '../../harness/routing.ts'
import { pay } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'
import { RAILS_SECRET, railAdapter } from '../../rails/adapter.ts'

const MANDATE_CODE = /^MTDD\|[0-9A-HJKMNP-TV-Z]{26}$/

const aDebit = (
  mandateCode: string,
  changes: Partial<Input<typeof contract.debitMandate>['body']> = {},
): Input<typeof contract.debitMandate>['body'] => ({
  paymentReference: `debit-${randomUUID()}`,
  mandateCode,
  debitAmount: '5000',
  narration: 'Rent of March',
  customerEmail: 'ada@example.com',
  ...changes,
})

const debit = (
  shop: Client,
  mandateCode: string,
  changes: Partial<Input<typeof contract.debitMandate>['body']> = {},
): Promise<Reply<typeof contract.debitMandate>> =>
  shop.call(contract.debitMandate, { body: aDebit(mandateCode, changes) })

const statusOf = async (shop: Client, paymentReference: string): Promise<Reply<typeof contract.getDebitStatus>> =>
  shop.call(contract.getDebitStatus, { query: { paymentReference } })

const mandateOf = async (shop: Client, mandateReferences: string): Promise<Reply<typeof contract.authorizeMandate>> => {
  const [mandate] = await shop.call(contract.getMandates, { query: { mandateReferences } })
  assert.ok(mandate !== undefined)
  return mandate
}

/** The account into which the customer pays the token, from the record. */
const tokenAccount = ({ authorizationMessage }: Reply<typeof contract.authorizeMandate>) => ({
  bankCode: '035',
  accountNumber: /account number (\d{10}) at Wema bank/.exec(authorizationMessage ?? '')?.[1] ?? '',
})
const ADAS_ACCOUNT = { senderAccountNumber: '0123456789', senderBankCode: '058' }

const balances = async ({ db, merchantId }: Shop): Promise<Record<string, bigint>> =>
  Object.fromEntries(
    (
      await db<
        { code: string; balance: bigint }[]
      >`select code, balance from ${BALANCES} account where merchant_id = ${merchantId} and code not like 'wallet/%'`
    ).map(({ code, balance }) => [code, balance]),
  )

/** The statuses in MANDATE_UPDATE events, in the order in which they were made. */
const eventsOf = async (shop: Client, reference: string): Promise<string[]> => {
  const { content } = await shop.call(contract.listEvents, {
    query: { eventType: 'MANDATE_UPDATE', reference, size: 100 },
  })
  return content.map(({ body }) => JSON.parse(body).eventData.mandateStatus).reverse()
}

test('a mandate is INITIATED, the customer is mailed, and the record matches the documented texts', async () => {
  const shop = await aShop()
  const body = aMandate(shop, {
    debitAmount: 5_000,
    mandateAmount: '60000',
    redirectUrl: 'https://shop.example.com/done',
  })
  const created = await shop.call(contract.createMandate, { body })
  assert.match(created.mandateCode, MANDATE_CODE)
  assert.equal(created.mandateStatus, 'INITIATED')
  assert.equal(created.mandateReference, body.mandateReference)
  assert.equal(created.redirectUrl, body.redirectUrl)

  const mandate = await mandateOf(shop, body.mandateReference)
  const { authorizationMessage, authorizationLink, ...facts } = mandate
  assert.deepEqual(facts, {
    mandateCode: created.mandateCode,
    externalMandateReference: body.mandateReference,
    mandateReference: body.mandateReference,
    startDate: zoned(new Date(`${body.mandateStartDate.replace(' ', 'T')}+01:00`)),
    endDate: zoned(new Date(`${body.mandateEndDate.replace(' ', 'T')}+01:00`)),
    mandateStatus: 'PENDING_AUTHORIZATION',
    mandateAmount: 60_000,
    contractCode: shop.credentials.contractCode,
    autoRenew: false,
    customerPhoneNumber: '08031234567',
    customerEmailAddress: 'ada@example.com',
    customerAddress: '1 Broad Street, Lagos',
    customerName: 'Ada Obi',
    customerAccountName: 'Ada Obi',
    customerAccountNumber: '0123456789',
    customerAccountBankCode: '058',
    mandateDescription: 'Rent',
    debitAmount: 5_000,
    schemeCode: 'NDD',
    responseMessage: 'Awaiting authorization by the customer',
  })
  assert.match(mandate.startDate, /T\d\d:\d\d:\d\d\.000\+0000$/)
  const { accountNumber } = tokenAccount(mandate)
  assert.match(authorizationMessage ?? '', /₦50\.00/)
  assert.ok(authorizationLink?.startsWith(`${shop.url}/direct-debit/authorize/`))

  const [mail] = await shop.call(contract.readInbox, { query: { to: 'ada@example.com' } })
  for (const part of [accountNumber, 'Wema bank', '₦50.00', authorizationLink ?? '-', 'Demo Shop', created.mandateCode])
    assert.ok(mail?.text.includes(part), part)
  assert.deepEqual(await eventsOf(shop, body.mandateReference), ['PENDING_AUTHORIZATION'])
})

test('the four types: Open ones renew themselves, Fixed ones allow one amount', async () => {
  const shop = await aShop()
  for (const autoRenew of [true, false])
    for (const debitAmount of [2_500, null]) {
      const mandate = await anActiveMandate(shop, { autoRenew, debitAmount })
      assert.equal(mandate.autoRenew, autoRenew)
      assert.equal(mandate.debitAmount, debitAmount)
      const other = { debitAmount: 2_499.99 }
      if (debitAmount === null) await debit(shop, mandate.mandateCode, other)
      else {
        const { message } = await shop.rejected(400, contract.debitMandate, {
          body: aDebit(mandate.mandateCode, other),
        })
        assert.match(message, /^debitAmount must be 2500\.00/)
        await debit(shop, mandate.mandateCode, { debitAmount: 2_500 })
      }
    }
})

test('only the token from the mandated account authorizes; all other money goes back', async (t) => {
  const shop = await gateway(t)
  const body = aMandate(shop)
  await shop.call(contract.createMandate, { body })
  const account = tokenAccount(await mandateOf(shop, body.mandateReference))
  const before = await balances(shop)
  for (const [amount, sender, reason] of [
    [50, { ...ADAS_ACCOUNT, senderAccountNumber: '0123456780' }, 'PAYMENT_SOURCE_NOT_ALLOWED'],
    [50, { ...ADAS_ACCOUNT, senderBankCode: '044' }, 'PAYMENT_SOURCE_NOT_ALLOWED'],
    [49.99, ADAS_ACCOUNT, 'UNDER_PAYMENT'],
    [50.01, ADAS_ACCOUNT, 'LIMIT_EXCEEDED'],
  ] as const)
    assert.equal((await pay(shop, account, amount, sender)).reason, reason)
  const areBack = (count: number) =>
    until('all of it is back', async () => {
      const back = await shop.db`select from credit_return where state = 'RETURNED'`
      return back.length === count
    })
  await areBack(4)
  const none = { 'clearing/simulated': 0n, 'suspense/simulated': 0n }
  assert.deepEqual(await balances(shop), { ...before, ...none })
  assert.equal((await mandateOf(shop, body.mandateReference)).mandateStatus, 'PENDING_AUTHORIZATION')

  assert.equal((await pay(shop, account, 50, ADAS_ACCOUNT)).status, 'ACCEPTED')
  const active = await mandateOf(shop, body.mandateReference)
  assert.deepEqual(
    [active.mandateStatus, active.authorizationMessage, active.authorizationLink],
    ['ACTIVE', null, null],
  )
  assert.equal((await pay(shop, account, 50, ADAS_ACCOUNT)).reason, 'ALREADY_PAID')
  await areBack(5)
  assert.deepEqual(await balances(shop), {
    ...none,
    'clearing/bank-transfer/simulated': -5_000n,
    'clearing/funding': -1_000_000_000n,
    'fees/mandate': 5_000n,
  })
  assert.deepEqual(await eventsOf(shop, body.mandateReference), ['PENDING_AUTHORIZATION', 'ACTIVE'])
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a mandate keeps the token of its creation, and a new one has the current price', async () => {
  const shop = await aShop()
  const before = aMandate(shop)
  await shop.call(contract.createMandate, { body: before })
  await setPrice(shop.core.directory, {
    merchantId: shop.merchantId,
    contractCode: null,
    service: 'mandate-token',
    steps: [{ upTo: null, basisPoints: 0, flat: kobo(7_500n), cap: null }],
    validFrom: undefined,
    madeBy: 'test',
  })
  const after = aMandate(shop)
  await shop.call(contract.createMandate, { body: after })
  for (const [{ mandateReference }, token] of [
    [before, 50],
    [after, 75],
  ] as const) {
    const mandate = await mandateOf(shop, mandateReference)
    assert.match(mandate.authorizationMessage ?? '', new RegExp(`₦${token}\\.00`))
    assert.equal((await pay(shop, tokenAccount(mandate), token === 50 ? 75 : 50, ADAS_ACCOUNT)).status, 'REJECTED')
    assert.equal((await pay(shop, tokenAccount(mandate), token, ADAS_ACCOUNT)).status, 'ACCEPTED')
  }
})

test('20 parallel tokens authorize a mandate once; the others go back', async () => {
  const shop = await aShop()
  const body = aMandate(shop)
  await shop.call(contract.createMandate, { body })
  const account = tokenAccount(await mandateOf(shop, body.mandateReference))
  const paid = await Promise.all(Array.from({ length: 20 }, () => pay(shop, account, 50, ADAS_ACCOUNT)))
  assert.equal(paid.filter(({ status }) => status === 'ACCEPTED').length, 1)
  assert.deepEqual(await eventsOf(shop, body.mandateReference), ['PENDING_AUTHORIZATION', 'ACTIVE'])
  assert.equal((await balances(shop))['fees/mandate'], 5_000n)
})

test('a debit is a collection: accepted as PENDING, then PAID, posted with its fee, and sent as a signed webhook', async (t) => {
  const shop = await aShop()
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: events.url } } })
  const { mandateCode } = await anActiveMandate(shop, { customerAccountName: 'OBI ADA' })
  const accepted = await debit(shop, mandateCode, { debitAmount: 9_000 })
  assert.deepEqual(
    [accepted.transactionStatus, accepted.debitAmount, accepted.narration, accepted.mandateCode],
    ['PENDING', 9_000, 'Rent of March', mandateCode],
  )
  const { paymentReference, transactionReference } = accepted
  assert.deepEqual(await statusOf(shop, paymentReference), {
    ...accepted,
    transactionStatus: 'PAID',
    responseMessage: null,
  })

  const record = await shop.call(contract.getTransaction, { params: { transactionReference } })
  assert.deepEqual(
    [record.paymentStatus, record.paymentMethod, record.amountPaid, record.settlementAmount],
    ['PAID', 'DIRECT_DEBIT', '9000.00', '8865.00'],
  )
  assert.deepEqual(record.product, { type: 'DIRECT_DEBIT', reference: paymentReference })
  assert.deepEqual(record.accountDetails, {
    accountName: 'OBI ADA',
    accountNumber: '******6789',
    bankCode: '058',
    amountPaid: '9000.00',
  })
  const { 'clearing/direct-debit/simulated': clearing, payable, 'fees/collection': fees } = await balances(shop)
  assert.deepEqual({ clearing, payable, fees }, { clearing: -900_000n, payable: 886_500n, fees: 13_500n })
  assert.ok(isClean(await verifyLedger(shop.db)))

  const [event] = await events.count(1)
  assert.equal(
    event?.headers['service-signature'],
    createHmac('sha512', shop.credentials.secretKey)
      .update(event?.body ?? '')
      .digest('hex'),
  )
  assert.equal(event?.event.eventType, 'SUCCESSFUL_TRANSACTION')
  const { paymentMethod, product, paymentStatus, amountPaid, paymentSourceInformation } = event?.event.eventData ?? {}
  assert.deepEqual(
    { paymentMethod, product, paymentStatus, amountPaid },
    { paymentMethod: 'DIRECT_DEBIT', product: record.product, paymentStatus: 'PAID', amountPaid: 9_000 },
  )
  // The institution, the time, and twelve digits.
  const [source] = (paymentSourceInformation ?? []) as readonly { readonly sessionId: string }[]
  const today = compact(shop.core.clock.now()).slice(2, 8)
  assert.match(source?.sessionId ?? '', new RegExp(`^090405${today}\\d{18}$`))
})

test('a debit is split among sub accounts and settled like any collection', async (t) => {
  const shop = await gateway(t)
  const account = { currencyCode: 'NGN', bankCode: '058', accountNumber: '0123456789', email: 'a@example.com' }
  const [sub] = await shop.call(contract.createSubAccounts, { body: [{ ...account, defaultSplitPercentage: 20 }] })
  const { mandateCode } = await anActiveMandate(shop)
  const incomeSplitConfig = [{ subAccountCode: sub?.subAccountCode ?? '' }]
  const { transactionReference } = await debit(shop, mandateCode, { debitAmount: 10_000, incomeSplitConfig })
  await shop.advance(86_400)
  const settled = await shop.call(contract.getSettlementDetail, { query: { transactionReference } })
  assert.deepEqual(
    settled.beneficiaries.map(({ beneficiaryType, beneficiaryIncome, incurredFee }) => [
      beneficiaryType,
      beneficiaryIncome,
      incurredFee,
    ]),
    [
      ['MERCHANT', 7_850, 150],
      ['SUB_ACCOUNT', 2_000, 0],
    ],
  )
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('the customer is debited the mandate’s amount, even if customers bear the fee', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { feeBearer: 'CUSTOMER', underpayment: 'REJECT' } })
  const { mandateCode } = await anActiveMandate(shop, { debitAmount: 1_000 })
  const { transactionReference } = await debit(shop, mandateCode, { debitAmount: 1_000 })
  const record = await shop.call(contract.getTransaction, { params: { transactionReference } })
  assert.deepEqual(
    [record.paymentStatus, record.totalPayable, record.amountPaid, record.settlementAmount],
    ['PAID', '1000.00', '1000.00', '985.00'],
  )
})

test('a declined debit is FAILED, moves nothing, and frees its part of the mandate', async () => {
  const shop = await aShop()
  const { mandateCode } = await anActiveMandate(shop, { customerAccountNumber: '2000000001', mandateAmount: 5_000 })
  const before = await balances(shop)
  for (let time = 0; time < 2; time++) {
    const { paymentReference, transactionReference } = await debit(shop, mandateCode)
    const failed = await statusOf(shop, paymentReference)
    assert.deepEqual([failed.transactionStatus, failed.responseMessage], ['FAILED', 'Insufficient funds'])
    const record = await shop.call(contract.getTransaction, { params: { transactionReference } })
    assert.equal(record.paymentStatus, 'FAILED')
    await shop.rejected(422, contract.initBankTransfer, { body: { transactionReference } })
    const [listed] = (await shop.call(contract.searchTransactions, { query: { transactionReference } })).content
    assert.equal(listed?.completed, true, 'a debit is not tried again under its reference')
  }
  assert.deepEqual(await balances(shop), before)
})

test('an unknown outcome stays PENDING and is queried until it is known, also by a restarted gateway', async (t) => {
  const shop = await gateway(t)
  const { mandateCode } = await anActiveMandate(shop, { customerAccountNumber: '2000000002' })
  const { paymentReference, transactionReference } = await debit(shop, mandateCode)
  await shop.advance(55)
  assert.equal((await statusOf(shop, paymentReference)).transactionStatus, 'PENDING')
  assert.equal(
    (await shop.call(contract.getTransaction, { params: { transactionReference } })).paymentStatus,
    'PENDING',
  )
  await shop.rejected(422, contract.cancelTransaction, { params: { transactionReference } })

  const { databaseUrl } = shop
  const next = await gateway(t, { databaseUrl })
  await next.advance(10)
  // Either node may have leased the order.
  await until('the debit is paid', async () => (await statusOf(next, paymentReference)).transactionStatus === 'PAID')
  assert.equal((await next.db`select from payment`).count, 1)
  await next.advance(3_600)
  await shop.advance(60)
  assert.equal((await next.db`select from payment`).count, 1)
  assert.ok(isClean(await verifyLedger(next.db)))
})

test('a debit that the bank never received is FAILED and never retried', async () => {
  const shop = await aShop()
  const { mandateCode } = await anActiveMandate(shop, { customerAccountNumber: '2000000002', mandateAmount: 5_000 })
  const { paymentReference, transactionReference } = await debit(shop, mandateCode)
  await shop.db`delete from simulated_entry where reference = ${transactionReference}`
  await shop.advance(61)
  const failed = await statusOf(shop, paymentReference)
  assert.deepEqual([failed.transactionStatus, failed.responseMessage], ['FAILED', 'The bank never received the debit'])
  await debit(shop, mandateCode)
})

test('ten processes that learn in parallel that a debit failed free its amount once', async () => {
  const shop = await aShop()
  const { mandateCode } = await anActiveMandate(shop, { customerAccountNumber: '2000000002', mandateAmount: 15_000 })
  const [lost] = [await debit(shop, mandateCode), await debit(shop, mandateCode), await debit(shop, mandateCode)]
  await shop.db`delete from simulated_entry where reference = ${lost.transactionReference}`
  const { core, db } = shop
  const row = await findDebit(db, shop.merchantId, lost.paymentReference)
  assert.ok(row !== undefined)
  const order = await findOrder(db, row)
  const mandate = await mandates.find(db, { merchantId: row.merchantId, id: row.mandateId })
  assert.ok(order !== undefined && mandate !== undefined)
  const rails = simulatedRails({ clock: core.clock, book: simulatedBook(db) })
  const processes = Array.from({ length: 10 }, () =>
    debitOrders({
      orders: openOrders({
        core,
        metrics: openMetrics(),
        log: openLog('silent'),
        router: routerTo(rails, SIMULATED),
      }),
    }),
  )
  await Promise.all(processes.map((process) => process.requery(order, { debit: row, mandate })))
  assert.equal((await statusOf(shop, lost.paymentReference)).transactionStatus, 'FAILED')
  const more = aDebit(mandateCode, { debitAmount: 5_000.01 })
  assert.match(
    (await shop.rejected(400, contract.debitMandate, { body: more })).message,
    /at most 5000\.00, the amount left on the mandate/,
  )
})

test('two debits with the same bank reference are both collected', async (t) => {
  const adapter = await railAdapter(t, {
    ...absentRails,
    debit: { ...absentRails.debit, debit: async () => ({ kind: 'paid', sessionId: 'BULK-1' }) },
  })
  const shop = await gateway(t, { env: { KOBO_RAILS_URL: adapter.url, KOBO_RAILS_SECRET: RAILS_SECRET } })
  const { mandateCode } = await anActiveMandate(shop)
  for (const amount of [4_000, 5_000]) {
    const { paymentReference, transactionReference } = await debit(shop, mandateCode, { debitAmount: amount })
    assert.equal((await statusOf(shop, paymentReference)).transactionStatus, 'PAID')
    const record = await shop.call(contract.getTransaction, { params: { transactionReference } })
    assert.deepEqual([record.paymentStatus, record.amountPaid], ['PAID', `${amount}.00`])
  }
  assert.equal((await balances(shop))['clearing/direct-debit'], -900_000n)
  const { content } = await shop.call(contract.listEvents, { query: { eventType: 'SUCCESSFUL_TRANSACTION', size: 10 } })
  const sources = content.map(({ body }) => JSON.parse(body).eventData.paymentSourceInformation[0].sessionId)
  assert.deepEqual(sources, ['BULK-1', 'BULK-1'], 'the merchant gets the reference that the bank uses')
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('20 parallel debits never exceed the mandate', async () => {
  const shop = await aShop()
  const { mandateCode } = await anActiveMandate(shop, { mandateAmount: 25_000 })
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => shop.send('POST', contract.debitMandate.path, { body: aDebit(mandateCode) })),
  )
  assert.equal(responses.filter(({ status }) => status === 200).length, 5)
  for (const { status, body } of responses)
    if (status !== 200) assert.match(body.responseMessage, /at most 0\.00, the amount left on the mandate/)
  assert.equal((await balances(shop))['clearing/direct-debit/simulated'], -2_500_000n)
  const { message } = await shop.rejected(400, contract.debitMandate, {
    body: aDebit(mandateCode, { debitAmount: 20 }),
  })
  assert.match(message, /the amount left on the mandate/)
})

test('20 parallel debits under one reference move the money once', async () => {
  const shop = await aShop()
  const { mandateCode } = await anActiveMandate(shop)
  const body = aDebit(mandateCode)
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => shop.send('POST', contract.debitMandate.path, { body })),
  )
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  assert.ok(
    responses.every(({ status, body }) => status === 200 || body.responseMessage === 'Duplicate payment reference'),
  )
  assert.equal((await shop.db`select from payment where merchant_id = ${shop.merchantId}`).count, 1)
})

test('a dormant account suspends the mandate until the customer authorizes it again', async () => {
  const shop = await aShop()
  const mandate = await anActiveMandate(shop, { customerAccountNumber: '2000000004' })
  const { paymentReference } = await debit(shop, mandate.mandateCode)
  assert.equal((await statusOf(shop, paymentReference)).responseMessage, 'The account is dormant')
  const suspended = await mandateOf(shop, mandate.mandateReference)
  assert.equal(suspended.mandateStatus, 'SUSPENDED')
  assert.match(
    (await shop.rejected(400, contract.debitMandate, { body: aDebit(mandate.mandateCode) })).message,
    /SUSPENDED/,
  )
  const sender = { senderAccountNumber: '2000000004', senderBankCode: '058' }
  assert.equal((await pay(shop, tokenAccount(suspended), 50, sender)).status, 'ACCEPTED')
  assert.deepEqual(await eventsOf(shop, mandate.mandateReference), [
    'PENDING_AUTHORIZATION',
    'ACTIVE',
    'SUSPENDED',
    'ACTIVE',
  ])
})

test('cancelling returns the mandate unchanged; the change follows later, with one event', async () => {
  const shop = await aShop()
  const { mandateCode, mandateReference } = await anActiveMandate(shop)
  const responses = await Promise.all(
    Array.from({ length: 10 }, () =>
      shop.send('PATCH', `/api/v1/direct-debit/mandate/cancel-mandate/${encodeURIComponent(mandateCode)}`),
    ),
  )
  const [won, ...others] = responses.toSorted((a, b) => a.status - b.status)
  assert.ok(won?.status === 200)
  assert.deepEqual(
    [(won.body.responseBody as { mandateStatus: string }).mandateStatus, new Set(others.map(({ status }) => status))],
    ['ACTIVE', new Set([400])],
  )
  await shop.rejected(400, contract.debitMandate, { body: aDebit(mandateCode) })
  await shop.advance(1)
  assert.equal((await mandateOf(shop, mandateReference)).mandateStatus, 'CANCELLED')
  assert.deepEqual((await eventsOf(shop, mandateReference)).slice(-2), ['ACTIVE', 'CANCELLED'])
  assert.match(
    (await shop.rejected(400, contract.cancelMandate, { params: { mandateCode } })).message,
    /CANCELLED cannot be cancelled/,
  )
  await shop.rejected(400, contract.authorizeMandate, { params: { mandateCode } })
})

test('an unauthorized mandate can be cancelled, with its code raw in the path', async () => {
  const shop = await aShop()
  const body = aMandate(shop)
  const { mandateCode } = await shop.call(contract.createMandate, { body })
  const account = tokenAccount(await mandateOf(shop, body.mandateReference))
  const response = await shop.send('PATCH', `/api/v1/direct-debit/mandate/cancel-mandate/${mandateCode}`, { body: '' })
  assert.equal(response.status, 200, response.text)
  assert.equal((await pay(shop, account, 50, ADAS_ACCOUNT)).reason, 'ACCOUNT_EXPIRED')
  await shop.advance(1)
  assert.deepEqual(await eventsOf(shop, body.mandateReference), ['PENDING_AUTHORIZATION', 'CANCELLED'])
})

test('without a decision in 7 days the authorization has expired', async (t) => {
  const shop = await gateway(t)
  const body = aMandate(shop)
  const { mandateCode } = await shop.call(contract.createMandate, { body })
  const account = tokenAccount(await mandateOf(shop, body.mandateReference))
  await shop.advance(7 * 86_400 - 60)
  assert.equal((await mandateOf(shop, body.mandateReference)).mandateStatus, 'PENDING_AUTHORIZATION')
  await shop.advance(61)
  assert.equal((await mandateOf(shop, body.mandateReference)).mandateStatus, 'AUTHORIZATION_EXPIRED')
  assert.equal((await pay(shop, account, 50, ADAS_ACCOUNT)).reason, 'ACCOUNT_EXPIRED')
  await shop.rejected(400, contract.authorizeMandate, { params: { mandateCode } })
  assert.deepEqual(await eventsOf(shop, body.mandateReference), ['PENDING_AUTHORIZATION', 'AUTHORIZATION_EXPIRED'])
})

test('while mail fails a mandate stays INITIATED; the instruction is sent once mail works again', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { mail: 'FAIL' } })
  const body = aMandate(shop)
  await shop.call(contract.createMandate, { body })
  await shop.advance(601)
  assert.equal((await mandateOf(shop, body.mandateReference)).mandateStatus, 'INITIATED')
  await shop.call(contract.changeSettings, { body: { mail: 'OK' } })
  await shop.advance(601)
  assert.equal((await mandateOf(shop, body.mandateReference)).mandateStatus, 'PENDING_AUTHORIZATION')
  assert.equal((await shop.call(contract.readInbox, { query: {} })).length, 1)

  await shop.call(contract.changeSettings, { body: { mail: 'FAIL' } })
  const agreed = await anActiveMandate(shop)
  assert.equal(agreed.mandateStatus, 'ACTIVE')
  await shop.call(contract.changeSettings, { body: { mail: 'OK' } })
  await shop.advance(601)
  assert.deepEqual(await eventsOf(shop, agreed.mandateReference), ['ACTIVE'])
})

test('debits are accepted only between start and end', async (t) => {
  const shop = await gateway(t)
  const now = shop.core.clock.now()
  const { mandateCode, mandateReference } = await anActiveMandate(shop, {
    mandateStartDate: daysAfter(now, 1).replace(' ', 'T'),
    mandateEndDate: daysAfter(now, 2),
  })
  const rejected = async (): Promise<string> =>
    (await shop.rejected(400, contract.debitMandate, { body: aDebit(mandateCode) })).message
  assert.match(await rejected(), /before/)
  await shop.advance(86_400)
  await debit(shop, mandateCode)
  await shop.advance(86_400)
  assert.match(await rejected(), /EXPIRED|ended/)
  assert.equal((await mandateOf(shop, mandateReference)).mandateStatus, 'EXPIRED')
})

test('a malformed or forbidden request is 400 and names the field; nothing is stored', async () => {
  const shop = await aShop()
  const now = shop.core.clock.now()
  const sound = aMandate(shop)
  for (const field of [
    'contractCode',
    'mandateReference',
    'customerName',
    'customerEmailAddress',
    'customerPhoneNumber',
    'customerAddress',
    'customerAccountNumber',
    'customerAccountBankCode',
    'mandateDescription',
    'mandateStartDate',
    'mandateEndDate',
  ] as const) {
    const { [field]: _, ...body } = sound
    assert.equal((await shop.rejected(400, contract.createMandate, { body })).message, `${field} is required`)
  }
  for (const [changes, message] of [
    [{ mandateStartDate: '01/03/2026 10:00:00' }, /^mandateStartDate must be a date and time/],
    [{ mandateEndDate: '2026-02-30 10:00:00' }, /^mandateEndDate must be/],
    [{ mandateStartDate: daysAfter(now, -1) }, /^mandateStartDate must not be in the past/],
    [{ mandateEndDate: sound.mandateStartDate }, /^mandateEndDate must be after/],
    [{ customerAccountNumber: '123' }, /^customerAccountNumber /],
    [{ customerAccountBankCode: '999' }, /bank 999/],
    [{ contractCode: '000000000000' }, /contract/],
    [{ mandateAmount: 19.99 }, /^mandateAmount must be at least 20/],
    [{ debitAmount: '5000', mandateAmount: 4_999 }, /^debitAmount must not be above/],
    [{ mandateAmount: -1 }, /^mandateAmount /],
    [{ autoRenew: 'yes' }, /^autoRenew /],
    [{ redirectUrl: 'javascript:alert(1)' }, /^redirectUrl /],
  ] as const)
    assert.match(
      (await shop.rejected(400, contract.createMandate, { body: { ...sound, ...changes } })).message,
      message,
    )
  assert.equal((await shop.db`select from mandate where merchant_id = ${shop.merchantId}`).count, 0)
  assert.equal(
    (
      await shop.db`select from virtual_account where merchant_id = ${shop.merchantId} and purpose = 'mandate' and closes_at is null`
    ).count,
    0,
  )

  const midnight = `${sound.mandateStartDate.slice(0, 10)} 00:00:00`
  await shop.call(contract.createMandate, { body: { ...sound, mandateStartDate: midnight } })
  assert.deepEqual(await shop.rejected(400, contract.createMandate, { body: sound }), {
    message: 'Duplicate mandate reference',
    responseCode: '99',
    code: 'DUPLICATE_MANDATE_REFERENCE',
  })
})

test('a malformed debit is 400, of an unknown mandate 404, of an inactive one 400', async () => {
  const shop = await aShop()
  const { mandateCode } = await shop.call(contract.createMandate, { body: aMandate(shop) })
  for (const field of ['paymentReference', 'mandateCode', 'debitAmount', 'narration', 'customerEmail'] as const) {
    const { [field]: _, ...body } = aDebit(mandateCode)
    assert.equal((await shop.rejected(400, contract.debitMandate, { body })).message, `${field} is required`)
  }
  for (const [changes, message] of [
    [{ debitAmount: '0' }, /^debitAmount /],
    [{ debitAmount: 19.99 }, /^debitAmount must be at least 20/],
    [{ debitAmount: '12.345' }, /^debitAmount /],
    [{ customerEmail: 'ada' }, /^customerEmail /],
    [{}, /PENDING_AUTHORIZATION cannot be debited/],
  ] as const)
    assert.match(
      (await shop.rejected(400, contract.debitMandate, { body: aDebit(mandateCode, changes) })).message,
      message,
    )
  const incomeSplitConfig = [{ subAccountCode: 'KBO_SUB_000000000000' }]
  await shop.rejected(400, contract.debitMandate, { body: aDebit(mandateCode, { incomeSplitConfig }) })
  await shop.rejected(404, contract.debitMandate, { body: aDebit('MTDD|01JNA1B2C3D4E5F6G7H8J9KMNP') })
  await shop.rejected(404, contract.getDebitStatus, { query: { paymentReference: 'nothing' } })
  await shop.rejected(400, contract.getDebitStatus, { query: {} })
  await shop.rejected(404, contract.cancelMandate, { params: { mandateCode: 'MTDD|nothing' } })
  await shop.rejected(404, contract.authorizeMandate, { params: { mandateCode: 'MTDD|nothing' } })
  assert.equal((await shop.db`select from transaction where merchant_id = ${shop.merchantId}`).count, 0)
})

test('mandates are found by one reference or several, and listed by creation, status and customer', async (t) => {
  const shop = await gateway(t)
  const start = shop.core.clock.now()
  const references = ['rent-1', 'rent-2', 'rent, with a comma']
  for (const mandateReference of references)
    await shop.call(contract.createMandate, { body: aMandate(shop, { mandateReference }) })
  const found = async (mandateReferences: string): Promise<string[]> =>
    (await shop.call(contract.getMandates, { query: { mandateReferences } })).map((row) => row.mandateReference)
  assert.deepEqual(await found('rent-2'), ['rent-2'])
  assert.deepEqual(await found('rent-2, nothing,rent-1'), ['rent-1', 'rent-2'])
  assert.deepEqual(await found('rent, with a comma'), ['rent, with a comma'])
  assert.deepEqual(await found('nothing'), [])
  await shop.rejected(400, contract.getMandates, { query: {} })
  const most = Array.from({ length: 101 }, (_, index) => index).join(',')
  await shop.rejected(400, contract.getMandates, { query: { mandateReferences: most } })
  const bare = await shop.send('GET', '/api/v1/direct-debit/mandate?mandateReferences=rent-1')
  assert.equal((bare.body.responseBody as unknown[]).length, 1)
  assert.equal((await shop.send('DELETE', '/api/v1/direct-debit/mandate')).status, 405)

  await shop.advance(2 * 86_400)
  const later = await anActiveMandate(shop, { customerEmailAddress: 'Bola@example.com' })
  const list = async (query: Input<typeof contract.listMandates>['query']): Promise<string[]> =>
    (await shop.call(contract.listMandates, { query })).content.map((row) => row.mandateReference)
  assert.deepEqual(await list({}), [later.mandateReference, ...references.toReversed()])
  assert.deepEqual(await list({ mandateStatus: 'ACTIVE' }), [later.mandateReference])
  assert.deepEqual(await list({ customerEmail: 'bola@example.com' }), [later.mandateReference])
  const day = daysAfter(start, 0).slice(0, 10)
  assert.deepEqual(await list({ startDate: day, endDate: day }), references.toReversed())
  assert.deepEqual(await list({ startDate: daysAfter(start, 1) }), [later.mandateReference])
  assert.deepEqual(await list({ limit: 1, page: 1 }), ['rent, with a comma'])
  assert.equal((await shop.call(contract.listMandates, { query: { limit: 1_000 } })).size, 100)

  await list({ startDate: '2026-01-01', endDate: '2026-04-01' })
  for (const query of [
    { startDate: '2026-01-01', endDate: '2026-04-02' },
    { startDate: '2026-01-02', endDate: '2026-01-01' },
    { startDate: 'yesterday' },
    { mandateStatus: 'PENDING' },
    { page: -1 },
    { limit: 0 },
  ])
    await shop.rejected(400, contract.listMandates, { query })
})

test('another merchant cannot see, debit or cancel a merchant’s mandates', async () => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  const { mandateCode, mandateReference } = await anActiveMandate(shop)
  const { paymentReference } = await debit(shop, mandateCode)
  assert.deepEqual(await other.call(contract.getMandates, { query: { mandateReferences: mandateReference } }), [])
  assert.equal((await other.call(contract.listMandates, { query: {} })).totalElements, 0)
  await other.rejected(404, contract.getDebitStatus, { query: { paymentReference } })
  await other.rejected(404, contract.debitMandate, { body: aDebit(mandateCode) })
  await other.rejected(404, contract.cancelMandate, { params: { mandateCode } })
  await other.rejected(404, contract.authorizeMandate, { params: { mandateCode } })
  const theirs = { ...aMandate(shop, { mandateReference }), contractCode: other.credentials.contractCode }
  await other.call(contract.createMandate, { body: theirs })
})
