import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { type Reply, ROUTES } from '@kobo/contract'
import { aShop, gateway } from '../../harness/gateway.ts'
import { checkFailure } from '../../harness/responses.ts'
import { anAccount, pay } from '../../harness/samples.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

const SANDBOX_ROUTES = ROUTES.filter(({ route }) => route.path.startsWith('/sandbox/'))

test('in live mode no sandbox path exists, and a live merchant has a live key', async (t) => {
  const live = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
  assert.ok(SANDBOX_ROUTES.length > 0)
  for (const { route } of SANDBOX_ROUTES) {
    assert.equal(route.environment, 'sandbox', route.path)
    const response = await live.send(
      route.method,
      route.path.replace(/:\w+/g, '1'),
      route.method === 'GET' ? {} : { body: {} },
    )
    assert.equal(response.status, 404, route.path)
    checkFailure(response)
  }
  assert.match(live.credentials.apiKey, /^MK_PROD_[A-Z0-9]{10}$/)
  assert.equal((await live.call(contract.listBanks, {})).length, 121)
})

test('every sandbox endpoint except the banking app requires the token', async () => {
  const shop = await aShop()
  const bankingApp: readonly string[] = [contract.payIntoAccount.path, contract.enquireName.path]
  for (const { route } of SANDBOX_ROUTES) {
    const response = await shop.send(route.method, route.path.replace(/:\w+/g, '1'), {
      headers: { authorization: '' },
      ...(route.method === 'GET' ? {} : { body: {} }),
    })
    assert.equal(response.status, bankingApp.includes(route.path) ? 400 : 401, route.path)
  }
})

test('the banking app pays without a token and returns 200 whether the money is accepted or not', async () => {
  const shop = await aShop()
  const account = await anAccount(shop, { amount: 1_000 })
  const send = (body: object) =>
    shop.send('POST', contract.payIntoAccount.path, { headers: { authorization: '' }, body })
  const { bankCode, accountNumber } = account
  const stored = await send({
    bankCode,
    accountNumber,
    amount: '1000.00',
    senderName: 'ADA OBI',
    senderAccountNumber: '0123456789',
    senderBankCode: '044',
    senderBvn: '12345678901',
    narration: 'shoes',
  })
  assert.equal(stored.status, 200, stored.text)
  const { sessionId, ...outcome } = stored.body.responseBody as Reply<typeof contract.payIntoAccount>
  assert.deepEqual(outcome, { status: 'ACCEPTED', reason: null })
  assert.match(sessionId, /^000014\d{24}$/)
  assert.equal((await shop.call(contract.getTransaction, { params: account })).paymentStatus, 'PAID')

  const refusals = [
    [{ bankCode, accountNumber }, 'ALREADY_PAID'],
    [{ bankCode: '232', accountNumber }, 'ACCOUNT_NOT_FOUND'],
    [{ bankCode: '999', accountNumber }, 'ACCOUNT_NOT_FOUND'],
    [{ bankCode, accountNumber: '0000000000' }, 'ACCOUNT_NOT_FOUND'],
  ] as const
  for (const [destination, reason] of refusals) {
    const response = await send({ ...destination, amount: 1_000 })
    assert.equal(response.status, 200)
    const { status, reason: given } = response.body.responseBody as Reply<typeof contract.payIntoAccount>
    assert.deepEqual([status, given], ['REJECTED', reason])
  }
})

test('the banking app rejects invalid fields by name', async () => {
  const shop = await aShop()
  const good = { bankCode: '035', accountNumber: '0123456789', amount: 100 }
  for (const [field, values] of Object.entries({
    bankCode: [undefined, 35, '', 'WEMA'],
    accountNumber: [undefined, 123, '123', '01234567890', 'x'.repeat(10)],
    amount: [undefined, 0, -1, '1.234', 'x', null],
    senderName: ['x'.repeat(256), 5],
    senderAccountNumber: ['12', 5],
    senderBankCode: ['x'],
    senderBvn: ['1234567890', 12345678901],
    narration: ['x'.repeat(256)],
  }))
    for (const value of values)
      assert.match(
        (await shop.rejected(400, contract.payIntoAccount, { body: { ...good, [field]: value } })).message,
        new RegExp(`^${field} `),
      )
})

test('the clock shows business time, moves forward as requested, and never back', async (t) => {
  const shop = await gateway(t)
  const before = await shop.call(contract.readClock, {})
  assert.deepEqual([before.offsetSeconds, new Date(before.epochMilliseconds).toISOString()], [0, before.now])
  const after = await shop.call(contract.advanceClock, { body: { seconds: 90 } })
  assert.ok(after.epochMilliseconds >= before.epochMilliseconds + 90_000)
  assert.ok(after.epochMilliseconds < before.epochMilliseconds + 100_000)
  assert.equal(after.offsetSeconds, 90)
  assert.equal((await shop.call(contract.advanceClock, { body: { seconds: 31_536_000 } })).offsetSeconds, 31_536_090)
  for (const seconds of [0, -1, 1.5, 31_536_001, '60', null, undefined])
    assert.match((await shop.rejected(400, contract.advanceClock, { body: { seconds } })).message, /^seconds /)
  await shop.core.clock.moveTo(new Date(0))
  assert.equal((await shop.call(contract.readClock, {})).offsetSeconds, 31_536_090)
})

test('settings start with the defaults of Monnify’s API', async () => {
  const shop = await aShop()
  assert.deepEqual(await shop.call(contract.getSettings, {}), {
    webhookUrl: null,
    webhookUrls: { collection: null, disbursement: null, refund: null, settlement: null, mandate: null, wallet: null },
    otpEnabled: true,
    ipWhitelist: ['127.0.0.0/8', '::1'],
    feeBearer: 'MERCHANT',
    underpayment: 'ACCEPT',
    settlement: 'DAILY',
    settlementTime: '22:00',
    settlementDestination: 'WALLET',
    settlementAccount: null,
    lowBalanceThreshold: null,
    mail: 'OK',
    permissions: {
      transfers: true,
      subAccounts: true,
      wallets: true,
      bills: false,
      paycode: true,
      refunds: true,
      cards: true,
      checkoutCards: true,
      recurring: true,
      reservedAccounts: true,
      directDebit: true,
      verification: true,
      settings: true,
    },
    inlineOrigins: ['*'],
  })
})

test('settings merge: a missing field stays, null clears, and the response equals GET', async () => {
  const shop = await aShop()
  const initial = await shop.call(contract.getSettings, {})
  const url = 'https://shop.example.com/events'
  const changes = {
    webhookUrl: url,
    webhookUrls: { collection: `${url}/collection`, wallet: `${url}/wallet` },
    otpEnabled: false,
    ipWhitelist: ['127.0.0.1', '10.0.0.0/8'],
    feeBearer: 'CUSTOMER',
    underpayment: 'REJECT',
    settlement: 'INSTANT',
    settlementTime: '06:30',
    settlementAccount: { bankCode: '057', accountNumber: '0123456789', accountName: 'Shop Limited' },
    settlementDestination: 'BANK',
    lowBalanceThreshold: '2500.50',
    mail: 'FAIL',
    permissions: { bills: true, transfers: false },
    inlineOrigins: ['https://shop.example'],
  } as const
  for (const [name, value] of Object.entries(changes)) {
    const response = await shop.call(contract.changeSettings, { body: { [name]: value } })
    assert.deepEqual(response, await shop.call(contract.getSettings, {}), name)
  }
  const all = {
    ...changes,
    lowBalanceThreshold: 2500.5,
    webhookUrls: { ...initial.webhookUrls, ...changes.webhookUrls },
    permissions: { ...initial.permissions, ...changes.permissions },
  }
  assert.deepEqual(await shop.call(contract.changeSettings, { body: {} }), all)

  const part = await shop.call(contract.changeSettings, {
    body: { webhookUrls: { wallet: null }, permissions: { bills: null } },
  })
  assert.deepEqual([part.webhookUrls.wallet, part.webhookUrls.collection], [null, `${url}/collection`])
  assert.deepEqual([part.permissions.bills, part.permissions.transfers], [false, false])
  const cleared = Object.fromEntries(Object.keys(changes).map((name) => [name, null]))
  assert.deepEqual(await shop.call(contract.changeSettings, { body: cleared }), initial)
})

test('settings reject invalid fields by name, and then change nothing', async () => {
  const shop = await aShop()
  const initial = await shop.call(contract.getSettings, {})
  for (const [body, field] of [
    [{ webhookUrl: 'shop.example.com' }, 'webhookUrl'],
    [{ webhookUrl: 'ftp://shop.example.com' }, 'webhookUrl'],
    [{ webhookUrls: { collection: 5 } }, 'webhookUrls.collection'],
    [{ webhookUrls: [] }, 'webhookUrls'],
    [{ otpEnabled: 'no' }, 'otpEnabled'],
    [{ ipWhitelist: ['10.0.0.0/40'] }, 'ipWhitelist[0]'],
    [{ feeBearer: 'SHOP' }, 'feeBearer'],
    [{ underpayment: true }, 'underpayment'],
    [{ settlement: 'WEEKLY' }, 'settlement'],
    [{ settlementDestination: 'CASH' }, 'settlementDestination'],
    [{ settlementTime: '24:00' }, 'settlementTime'],
    [{ settlementAccount: { bankCode: '999', accountNumber: '0123456789' } }, 'settlementAccount.bankCode'],
    [{ lowBalanceThreshold: -5 }, 'lowBalanceThreshold'],
    [{ mail: 'LATE' }, 'mail'],
    [{ permissions: { bills: 'yes' } }, 'permissions.bills'],
    [{ inlineOrigins: ['https://shop.example/cart'] }, 'inlineOrigins[0]'],
    [{ inlineOrigins: Array(21).fill('*') }, 'inlineOrigins'],
  ] as const) {
    const { message } = await shop.rejected(400, contract.changeSettings, { body: { otpEnabled: false, ...body } })
    assert.ok(message.startsWith(`${field} `), message)
  }
  assert.deepEqual(await shop.call(contract.getSettings, {}), initial)
})

test('changed terms apply to new transactions only', async () => {
  const shop = await aShop()
  const before = await anAccount(shop, { amount: 1_000 })
  await shop.call(contract.changeSettings, { body: { feeBearer: 'CUSTOMER', underpayment: 'REJECT' } })
  assert.equal((await pay(shop, before, 999)).status, 'ACCEPTED')
  assert.equal((await anAccount(shop, { amount: 1_000 })).totalPayable, 1_015)
})

test('the event log shows sent events, newest first, by type and by any reference', async (t) => {
  const events = await webhookEndpoint(t)
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { webhookUrl: events.url } })
  const [first, second] = [await anAccount(shop), await anAccount(shop)]
  await pay(shop, first, 5_000)
  await pay(shop, second, 5_000)
  await pay(shop, second, 5_000)
  await events.count(3)
  await shop.advance(1)
  const log = async (query: object) => (await shop.call(contract.listEvents, { query })).content
  const all = await log({})
  assert.deepEqual(
    all.map(({ eventType, reference }) => [eventType, reference]),
    [
      ['REJECTED_PAYMENT', second.transactionReference],
      ['SUCCESSFUL_TRANSACTION', second.transactionReference],
      ['SUCCESSFUL_TRANSACTION', first.transactionReference],
    ],
  )
  const [{ attempts = [], createdOn = '', ...event } = {}] = await log({ reference: first.paymentReference })
  const sent = events.received.find(
    ({ event: { eventData } }) => eventData['paymentReference'] === first.paymentReference,
  )
  assert.deepEqual(event, {
    id: all[2]?.id,
    eventType: 'SUCCESSFUL_TRANSACTION',
    reference: first.transactionReference,
    status: 'DELIVERED',
    url: events.url,
    nextAttemptOn: null,
    endpoints: [],
    body: sent?.body,
  })
  assert.match(createdOn, /\.\d{3}\+0000$/)
  const [{ at = '', milliseconds = -1, ...attempt } = {}] = attempts
  assert.deepEqual(attempt, {
    url: events.url,
    status: 200,
    bodyExcerpt: 'received',
    error: null,
    resent: false,
    endpointId: null,
  })
  assert.ok(milliseconds >= 0 && Date.parse(at) >= Date.parse(createdOn))
  assert.equal((await log({ reference: second.transactionReference })).length, 2)
  assert.equal((await log({ eventType: 'REJECTED_PAYMENT', reference: second.transactionReference })).length, 1)
  assert.equal((await log({ eventType: 'REFUND' })).length, 0)
  const page = await shop.call(contract.listEvents, { query: { page: 1, size: 2 } })
  assert.deepEqual([page.content[0]?.id, page.totalElements, page.last], [all[2]?.id, 3, true])
  for (const query of [{ page: -1 }, { size: 0 }, { page: 'x' }])
    await shop.rejected(400, contract.listEvents, { query })
})
