import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { BALANCES, isClean } from '../../../src/core/money/ledger/index.ts'
import { masked } from '../../../src/features/paycodes/code.ts'
import { type PaycodeTrigger, paycodeMachine } from '../../../src/features/paycodes/machine.ts'
import { next } from '../../../src/kernel/machine.ts'
import { aShop, type Client, gateway, type Shop } from '../../harness/gateway.ts'
import { daysAfter } from '../../harness/mandate-samples.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

type NewPaycode = Input<typeof contract.createPaycode>['body']
type Paycode = Reply<typeof contract.getPaycode>

const OPENING_BALANCE = 10_000_000
const HOUR_SECONDS = 3_600

const aPaycode = (shop: Shop, changes: Partial<NewPaycode> = {}): NewPaycode => ({
  beneficiaryName: 'Bola Ige',
  amount: 5_000,
  paycodeReference: `cash-${randomUUID()}`,
  expiryDate: daysAfter(shop.core.clock.now(), 1),
  clientId: shop.credentials.apiKey,
  ...changes,
})

const make = (shop: Shop, changes: Partial<NewPaycode> = {}): Promise<Paycode> =>
  shop.call(contract.createPaycode, { body: aPaycode(shop, changes) })

/** The wallet's available and ledger balances. */
const holds = async (client: Client): Promise<[number, number]> => {
  const query = { accountNumber: client.credentials.walletAccountNumber }
  const { availableBalance, ledgerBalance } = await client.call(contract.getCustomerWalletBalance, { query })
  return [availableBalance, ledgerBalance]
}

const balanceOf = async ({ db }: Shop, code: string): Promise<bigint> =>
  (await db<{ balance: bigint }[]>`select balance from ${BALANCES} account where code = ${code}`)[0]?.balance ?? 0n

/** The messages of the wallet's statement, oldest first. */
const statement = async (client: Client): Promise<string[]> => {
  const query = { accountNumber: client.credentials.walletAccountNumber, pageSize: 100 }
  const { content } = await client.call(contract.listWalletTransactions, { query })
  return content.map(({ message, transactionType, amount }) => `${message}: ${transactionType} ${amount}`).reverse()
}

test('a paycode ends once: paid out, expired or cancelled', () => {
  assert.deepEqual(paycodeMachine.PENDING, { redeem: 'SUCCESS', expire: 'EXPIRED', cancel: 'CANCELLED' })
  for (const status of ['SUCCESS', 'EXPIRED', 'CANCELLED'] as const)
    for (const trigger of ['redeem', 'expire', 'cancel'] satisfies PaycodeTrigger[])
      assert.equal(next(paycodeMachine, status, trigger), undefined)
})

test('two digits of a code are shown: 12345646 is ******46', () => assert.equal(masked('12345646'), '******46'))

test('a paycode debits amount and fee, and only creation and authorization show its code', async () => {
  const shop = await aShop()
  const body = aPaycode(shop, { amount: '5000.50' })
  const made = await shop.call(contract.createPaycode, { body })
  assert.match(made.paycode, /^\d{8}$/)
  const { paycode, transactionReference, createdOn, ...facts } = made
  assert.deepEqual(facts, {
    paycodeReference: body.paycodeReference,
    beneficiaryName: 'Bola Ige',
    amount: 5_000.5,
    fee: 50,
    transactionStatus: 'PENDING',
    expiryDate: body.expiryDate,
    createdBy: shop.credentials.apiKey,
    modifiedBy: null,
    cancelDate: null,
  })
  assert.match(transactionReference, /^KOBO\|/)
  assert.match(createdOn, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.deepEqual(await holds(shop), [OPENING_BALANCE - 5_050.5, OPENING_BALANCE])

  const params = { paycodeReference: body.paycodeReference }
  const hidden = { ...made, paycode: masked(paycode) }
  assert.deepEqual(await shop.call(contract.getPaycode, { params }), hidden)
  assert.deepEqual(await shop.call(contract.revealPaycode, { params }), made)
  assert.deepEqual((await shop.call(contract.listPaycodes, { query: {} })).content, [hidden])
  assert.equal((await shop.call(contract.redeemPaycode, { params })).paycode, hidden.paycode)
})

test('a code is readable neither in the database nor in a stored response', async (t) => {
  const shop = await gateway(t)
  const body = aPaycode(shop)
  const request = () =>
    shop.send('POST', contract.createPaycode.path, { body, headers: { 'idempotency-key': 'cash-1' } })
  const [first, again] = [await request(), await request()]
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.text, first.text)
  const { paycode } = first.body.responseBody as Paycode
  const tables = await shop.db<{ text: string }[]>`
    select row_to_json(p)::text as text from paycode p
    union all select row_to_json(o)::text from open_paycode o
    union all select row_to_json(i)::text from idempotency_key i
    union all select row_to_json(e)::text from event e`
  assert.equal(tables.length, 4)
  for (const { text } of tables) {
    assert.ok(!text.includes(paycode), text)
    assert.ok(!text.includes(Buffer.from(paycode).toString('hex')), text)
  }
  const malformed = { ...body, paycodeReference: 'cash-2', amount: 99 }
  const refuse = () =>
    shop.send('POST', contract.createPaycode.path, { body: malformed, headers: { 'idempotency-key': 'cash-2' } })
  assert.equal((await refuse()).text, (await refuse()).text)
})

test('an agent pays out: the money is gone, the fee is earned, and only the creation sends an event', async (t) => {
  const shop = await gateway(t)
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrl: events.url } })
  const { paycodeReference } = await make(shop)
  const paid = await shop.call(contract.redeemPaycode, { params: { paycodeReference } })
  assert.equal(paid.transactionStatus, 'SUCCESS')
  assert.deepEqual(await holds(shop), [OPENING_BALANCE - 5_050, OPENING_BALANCE - 5_050])
  assert.deepEqual([await balanceOf(shop, 'clearing/cash'), await balanceOf(shop, 'fees/paycode')], [500_000n, 5_000n])
  assert.ok(isClean(await verifyLedger(shop.db)))
  await shop.advance(2 * 86_400)
  assert.equal(
    (await shop.call(contract.getPaycode, { params: { paycodeReference } })).transactionStatus,
    'SUCCESS',
    'its time does not count any more',
  )
  const received = await events.count(1)
  assert.deepEqual(
    received.map(({ event }) => [event.eventType, event.eventData['amount'], event.eventData['reference']]),
    [['ACCOUNT_ACTIVITY', 5_050, paycodeReference]],
  )
  assert.deepEqual(await statement(shop), ['Paycode created: DEBIT 5050'])
})

test('a cancelled paycode releases its money, shows by whom and when, and is not paid out', async () => {
  const shop = await aShop()
  const { paycodeReference, paycode } = await make(shop)
  const params = { paycodeReference }
  const cancelled = await shop.call(contract.cancelPaycode, { params })
  assert.deepEqual(
    [cancelled.transactionStatus, cancelled.modifiedBy, cancelled.paycode],
    ['CANCELLED', shop.credentials.apiKey, masked(paycode)],
  )
  assert.match(cancelled.cancelDate ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.deepEqual(await holds(shop), [OPENING_BALANCE, OPENING_BALANCE])
  assert.match((await shop.rejected(400, contract.redeemPaycode, { params })).message, /CANCELLED cannot be paid out/)
  assert.match((await shop.rejected(400, contract.cancelPaycode, { params })).message, /CANCELLED cannot be cancelled/)
  assert.deepEqual(await statement(shop), ['Paycode created: DEBIT 5050', 'Paycode cancelled: CREDIT 5050'])
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('an expired paycode releases its money on time, and is neither paid out nor cancelled', async (t) => {
  const shop = await gateway(t)
  const { paycodeReference } = await make(shop)
  const params = { paycodeReference }
  await shop.advance(23 * HOUR_SECONDS)
  assert.equal((await shop.call(contract.getPaycode, { params })).transactionStatus, 'PENDING')
  await shop.advance(HOUR_SECONDS)
  const expired = await shop.call(contract.getPaycode, { params })
  assert.deepEqual([expired.transactionStatus, expired.cancelDate], ['EXPIRED', null])
  assert.deepEqual(await holds(shop), [OPENING_BALANCE, OPENING_BALANCE])
  assert.match((await shop.rejected(400, contract.redeemPaycode, { params })).message, /EXPIRED/)
  assert.match((await shop.rejected(400, contract.cancelPaycode, { params })).message, /EXPIRED/)
  assert.deepEqual(await statement(shop), ['Paycode created: DEBIT 5050', 'Paycode expired: CREDIT 5050'])
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('20 concurrent agents pay a paycode out once', async (t) => {
  const shop = await gateway(t)
  const { paycodeReference } = await make(shop)
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => shop.send('POST', `/sandbox/paycodes/${paycodeReference}/redeem`)),
  )
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  assert.equal(responses.filter(({ status }) => status === 400).length, 19)
  assert.equal(await balanceOf(shop, 'clearing/cash'), 500_000n)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a paycode that is concurrently paid out and cancelled ends in one of the two', async () => {
  const shop = await aShop()
  const all = await Promise.all(Array.from({ length: 8 }, () => make(shop)))
  const held = OPENING_BALANCE - 8 * 5_050
  assert.deepEqual(await holds(shop), [held, OPENING_BALANCE])
  let paidOut = 0
  await Promise.all(
    all.map(async ({ paycodeReference }) => {
      const [redeemed, cancelled] = await Promise.all([
        shop.send('POST', `/sandbox/paycodes/${paycodeReference}/redeem`),
        shop.send('DELETE', `/api/v1/paycode/${paycodeReference}`),
      ])
      assert.deepEqual([redeemed.status, cancelled.status].sort(), [200, 400])
      if (redeemed.status === 200) paidOut++
    }),
  )
  const left = OPENING_BALANCE - paidOut * 5_050
  assert.deepEqual(await holds(shop), [left, left])
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('20 concurrent requests with one reference make one paycode', async () => {
  const shop = await aShop()
  const body = aPaycode(shop)
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => shop.send('POST', contract.createPaycode.path, { body })),
  )
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  for (const { status, body } of responses)
    if (status !== 200) assert.deepEqual([status, body.responseMessage], [400, 'Duplicate paycode reference'])
  assert.deepEqual(await holds(shop), [OPENING_BALANCE - 5_050, OPENING_BALANCE])
})

test('a wallet with too low a balance returns D04, and 20 concurrent requests never overdraw it', async () => {
  const shop = await aShop()
  assert.equal((await make(shop, { amount: 9_980_000 - 50 })).transactionStatus, 'PENDING')
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => shop.send('POST', contract.createPaycode.path, { body: aPaycode(shop) })),
  )
  assert.equal(responses.filter(({ status }) => status === 200).length, 3) // 20,000 remain
  for (const { status, body } of responses)
    if (status !== 200) assert.deepEqual([status, body.responseCode], [400, 'D04'])
  assert.deepEqual(await holds(shop), [20_000 - 3 * 5_050, OPENING_BALANCE])
  assert.equal((await shop.db`select from paycode where merchant_id = ${shop.merchantId}`).count, 4)
  assert.equal((await shop.db`select from open_paycode where merchant_id = ${shop.merchantId}`).count, 4)
})

test('a malformed or invalid request is 400 and names the field; nothing is stored', async () => {
  const shop = await aShop()
  const now = shop.core.clock.now()
  const sound = aPaycode(shop)
  for (const field of ['beneficiaryName', 'amount', 'paycodeReference', 'expiryDate', 'clientId'] as const) {
    const { [field]: _, ...body } = sound
    assert.equal((await shop.rejected(400, contract.createPaycode, { body })).message, `${field} is required`)
  }
  for (const [changes, message] of [
    [{ amount: 99.99 }, /^amount must be at least 100/],
    [{ amount: 'much' }, /^amount /],
    [{ expiryDate: daysAfter(now, -0.001) }, /^expiryDate must be in the future/],
    [{ expiryDate: daysAfter(now, 30.01) }, /^expiryDate must be at most 30 days/],
    [{ expiryDate: 'tomorrow' }, /^expiryDate must be a date and time/],
    [{ clientId: 'MK_TEST_0000000000' }, /^clientId /],
    [{ beneficiaryName: '' }, /^beneficiaryName /],
  ] as const) {
    const rejected = await shop.rejected(400, contract.createPaycode, { body: { ...sound, ...changes } })
    assert.match(rejected.message, message)
    assert.equal(rejected.responseCode, '99')
  }
  assert.equal((await shop.db`select from paycode where merchant_id = ${shop.merchantId}`).count, 0)
  assert.deepEqual(await holds(shop), [OPENING_BALANCE, OPENING_BALANCE])
  await make(shop, { amount: 100, expiryDate: daysAfter(now, 29.99) })
  const params = { paycodeReference: 'nothing' }
  for (const route of [
    contract.getPaycode,
    contract.revealPaycode,
    contract.cancelPaycode,
    contract.redeemPaycode,
  ] as const)
    await shop.rejected(404, route, { params })
})

test('paycodes are listed by reference, beneficiary, status and time, newest first', async (t) => {
  const shop = await gateway(t)
  const start = shop.core.clock.now()
  const first = await make(shop, { beneficiaryName: 'Chidi 100%' })
  const second = await make(shop)
  await shop.call(contract.cancelPaycode, { params: first })
  await shop.advance(2 * 86_400)
  const third = await make(shop)
  const list = async (query: Input<typeof contract.listPaycodes>['query']): Promise<string[]> =>
    (await shop.call(contract.listPaycodes, { query })).content.map(({ paycodeReference }) => paycodeReference)
  const [a, b, c] = [first, second, third].map(({ paycodeReference }) => paycodeReference)
  assert.deepEqual(await list({}), [c, b, a])
  assert.deepEqual(await list({ transactionReference: second.transactionReference }), [b])
  assert.deepEqual(await list({ beneficiaryName: 'chidi 100%' }), [a])
  assert.deepEqual(await list({ beneficiaryName: '%' }), [a])
  assert.deepEqual(await list({ transactionStatus: 'EXPIRED' }), [b])
  assert.deepEqual(await list({ from: daysAfter(start, 1) }), [c])
  const day = daysAfter(start, 0).slice(0, 10)
  assert.deepEqual(await list({ from: day, to: day }), [b, a])
  assert.deepEqual(await list({ size: 1, page: 1 }), [b])
  for (const query of [{ transactionStatus: 'OPEN' }, { from: 'yesterday' }, { page: -1 }])
    await shop.rejected(400, contract.listPaycodes, { query })
})

test('without the permission every endpoint is rejected, and another merchant sees nothing', async () => {
  const shop = await aShop()
  const made = await make(shop)
  const other = await shop.anotherMerchant()
  assert.equal((await other.call(contract.listPaycodes, { query: {} })).totalElements, 0)
  for (const route of [
    contract.getPaycode,
    contract.revealPaycode,
    contract.cancelPaycode,
    contract.redeemPaycode,
  ] as const)
    await other.rejected(404, route, { params: made })
  const body = { ...aPaycode(shop), clientId: other.credentials.apiKey }
  assert.equal((await other.rejected(400, contract.createPaycode, { body })).responseCode, 'D04')

  const plain = await shop.anotherMerchant([])
  for (const route of [contract.createPaycode, contract.listPaycodes] as const) await plain.rejected(403, route, {})
  await plain.rejected(403, contract.revealPaycode, { params: made })
})
