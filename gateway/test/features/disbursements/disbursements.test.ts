import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { dayText, lagosDay } from '../../../src/kernel/dates.ts'
import { aShop, type Client, gateway, type Shop } from '../../harness/gateway.ts'
import { long } from '../../harness/long.ts'
import { aTransfer, balancesOf, holderOf, transferTo } from '../../harness/samples.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

const OPENING = 10_000_000

/** A merchant without OTP. */
async function withoutOtp<S extends Shop>(opening: Promise<S>): Promise<S> {
  const shop = await opening
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  return shop
}

/** The events about a transfer, oldest first. */
async function eventsOf(client: Client, reference: string): Promise<{ eventType: string; eventData: object }[]> {
  const { content } = await client.call(contract.listEvents, { query: { reference, size: 50 } })
  return content
    .map(({ body }) => JSON.parse(body))
    .filter(({ eventType }) => eventType.endsWith('_DISBURSEMENT'))
    .reverse()
}

const eventTypesOf = async (client: Client, reference: string): Promise<string[]> =>
  (await eventsOf(client, reference)).map(({ eventType }) => eventType)

const verified = async ({ db }: Shop): Promise<void> => {
  const verdict = await verifyLedger(db)
  assert.ok(isClean(verdict), JSON.stringify(verdict))
}

/** An unused account number with the default behaviour. */
const freshAccount = (() => {
  let serial = 1_000_000
  return () => `${serial++}`.padStart(7, '0').concat('789')
})()

test('a transfer returns its result, debits amount and fee, and sends an event', async () => {
  const shop = await withoutOtp(aShop())
  const body = await aTransfer(shop, { amount: '25000.50' })
  const { dateCreated, ...result } = await shop.call(contract.initiateTransfer, { body })
  assert.match(dateCreated, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/)
  assert.deepEqual(result, {
    amount: 25_000.5,
    reference: body.reference,
    status: 'SUCCESS',
    totalFee: 20,
    destinationAccountName: body.destinationAccountName,
    destinationBankName: 'GTBank',
    destinationAccountNumber: '0123456789',
    destinationBankCode: '058',
    senderInfo: null,
    comment: 'Transfer successful',
  })
  const left = OPENING - 25_020.5
  assert.deepEqual(await balancesOf(shop), { availableBalance: left, ledgerBalance: left })

  const { transactionReference, createdOn, ...record } = await shop.call(contract.getTransfer, { query: body })
  assert.match(transactionReference, /^KFDS\d{3}\d{14}\d{6}[A-Z0-9]{6}$/)
  assert.equal(createdOn, dateCreated)
  assert.deepEqual(record, {
    amount: 25_000.5,
    reference: body.reference,
    narration: 'Rent for March',
    currency: 'NGN',
    fee: 20,
    twoFaEnabled: false,
    status: 'SUCCESS',
    transactionDescription: 'Transfer successful',
    sourceAccountNumber: shop.credentials.walletAccountNumber,
    destinationAccountNumber: '0123456789',
    destinationAccountName: body.destinationAccountName,
    destinationBankCode: '058',
    destinationBankName: 'GTBank',
    flagged: false,
  })

  const [event] = await eventsOf(shop, body.reference)
  const { sessionId, completedOn, createdOn: toldOn, ...data } = (event?.eventData ?? {}) as Record<string, string>
  assert.equal(event?.eventType, 'SUCCESSFUL_DISBURSEMENT')
  assert.match(sessionId ?? '', /^\d{30}$/)
  for (const time of [completedOn, toldOn]) assert.match(time ?? '', /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d [AP]M$/)
  assert.deepEqual(data, {
    amount: 25_000.5,
    transactionReference,
    fee: 20,
    transactionDescription: 'Transfer successful',
    destinationAccountNumber: '0123456789',
    destinationAccountName: body.destinationAccountName,
    reference: body.reference,
    destinationBankCode: '058',
    narration: 'Rent for March',
    currency: 'NGN',
    destinationBankName: 'GTBank',
    status: 'SUCCESS',
  })
  await verified(shop)
})

/** By account ending: the response, the status after one minute and after ten minutes, and the events. */
const ENDINGS = [
  ['001', 'FAILED', 'FAILED', 'FAILED', ['FAILED_DISBURSEMENT']],
  ['002', 'PENDING', 'SUCCESS', 'SUCCESS', ['SUCCESSFUL_DISBURSEMENT']],
  ['003', 'SUCCESS', 'SUCCESS', 'REVERSED', ['SUCCESSFUL_DISBURSEMENT', 'REVERSED_DISBURSEMENT']],
  ['004', 'FAILED', 'FAILED', 'FAILED', ['FAILED_DISBURSEMENT']],
  ['005', 'PENDING', 'FAILED', 'FAILED', ['FAILED_DISBURSEMENT']],
  ['789', 'SUCCESS', 'SUCCESS', 'SUCCESS', ['SUCCESSFUL_DISBURSEMENT']],
] as const
/** Whether amount and fee have left the available balance and the ledger balance. */
const HELD: Readonly<Record<string, readonly [boolean, boolean]>> = {
  PENDING: [true, false],
  SUCCESS: [true, true],
  FAILED: [false, false],
  REVERSED: [false, false],
}

for (const [ending, first, soon, later, events] of ENDINGS)
  test(`a transfer to an account ending ${ending} is ${[...new Set([first, soon, later])].join(', then ')}, and its money follows`, async (t) => {
    const shop = await withoutOtp(gateway(t))
    const { reference, status } = await transferTo(shop, ending)
    const check = async (expected: string, what: string): Promise<void> => {
      const { status } = await shop.call(contract.getTransfer, { query: { reference } })
      const [isTaken, isGone] = HELD[expected] ?? []
      assert.equal(status, expected, what)
      assert.deepEqual(
        await balancesOf(shop),
        { availableBalance: OPENING - (isTaken ? 5_010 : 0), ledgerBalance: OPENING - (isGone ? 5_010 : 0) },
        what,
      )
    }
    assert.equal(status, first)
    await check(first, 'at once')
    await shop.advance(50)
    await check(first, 'before a minute')
    await shop.advance(15)
    await check(soon, 'after a minute')
    await shop.advance(230)
    await check(soon, 'before five minutes')
    await shop.advance(10)
    await check(later, 'after five minutes')
    await shop.advance(86_400)
    await check(later, 'a day later')
    assert.deepEqual(await eventTypesOf(shop, reference), events)
    const received = await eventsOf(shop, reference)
    assert.deepEqual(
      received.map(({ eventData }) => (eventData as { status: string }).status),
      events.map(
        (type) => ({ SUCCESSFUL: 'SUCCESS', FAILED: 'FAILED', REVERSED: 'REVERSED' })[type.split('_')[0] ?? ''],
      ),
    )
    for (const { eventType, eventData } of received)
      assert.equal((eventData as { sessionId: string }).sessionId === '', eventType === 'FAILED_DISBURSEMENT')
    const sent = await shop.db`select from simulated_entry where rail = 'transfer'`
    assert.equal(sent.count, 1, 'it was sent once')
    await verified(shop)
  })

test('if the bank does not respond to an enquiry, validation and transfer are rejected with D01 and nothing is debited', async () => {
  const shop = await withoutOtp(aShop())
  const query = { accountNumber: '0123456006', bankCode: '058' }
  assert.equal((await shop.rejected(400, contract.validateAccount, { query })).responseCode, 'D01')
  const body = await aTransfer(shop, { destinationAccountName: 'Ada Obi', destinationAccountNumber: '0123456006' })
  assert.equal((await shop.rejected(400, contract.initiateTransfer, { body })).responseCode, 'D01')
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING, ledgerBalance: OPENING })
  assert.equal((await shop.rejected(404, contract.getTransfer, { query: body })).responseCode, 'D02')
})

test('the wallet statement says that money came back from a failed transfer, and why', async () => {
  const shop = await withoutOtp(aShop())
  const body = await aTransfer(shop, { destinationAccountNumber: '0123456001' })
  assert.equal((await shop.call(contract.initiateTransfer, { body })).status, 'FAILED')
  const { content } = await shop.call(contract.listWalletTransactions, {
    query: { accountNumber: shop.credentials.walletAccountNumber },
  })
  const credits = content.filter(({ transactionType }) => transactionType === 'CREDIT')
  assert.deepEqual(
    credits.map(({ message }) => message),
    ['Transfer failed: Invalid account'],
  )
})

test('an asynchronous transfer returns PENDING at once and completes in the background', async (t) => {
  const shop = await withoutOtp(aShop())
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { disbursement: events.url } } })
  const { status, reference } = await transferTo(shop, '789', { async: true })
  assert.equal(status, 'PENDING')
  const [reported] = await events.count(1)
  assert.equal(reported?.event.eventType, 'SUCCESSFUL_DISBURSEMENT')
  assert.equal((await shop.call(contract.getTransfer, { query: { reference } })).status, 'SUCCESS')
})

test('a transfer that the bank never received is resent under a new reference; one that it received is not', async (t) => {
  const shop = await withoutOtp(gateway(t))
  const lost = await transferTo(shop, '002')
  const seen = await transferTo(shop, '005')
  await shop.db`delete from simulated_entry where facts ->> 'accountNumber' = '0123456002'`
  await shop.advance(61)
  const statusOf = async ({ reference }: { reference: string }): Promise<string> =>
    (await shop.call(contract.getTransfer, { query: { reference } })).status
  assert.deepEqual(
    [await statusOf(lost), await statusOf(seen)],
    ['PENDING', 'FAILED'],
    'sent a minute ago, queried now',
  )
  await shop.advance(61)
  assert.equal(await statusOf(lost), 'SUCCESS')
  assert.equal((await shop.db`select from simulated_entry where rail = 'transfer' and reference like '%~2'`).count, 1)
  await verified(shop)
})

test('senderInfo is shown without the BVN, which is stored encrypted', async () => {
  const shop = await withoutOtp(aShop())
  const senderInfo = { sourceAccountNumber: '0011223344', sourceAccountName: 'Bola Ade', senderBankCode: '044' }
  const sent = await transferTo(shop, '789', { senderInfo: { ...senderInfo, sourceAccountBvn: '22222222226' } })
  assert.deepEqual(sent.senderInfo, senderInfo)
  const [row] = await shop.db`select sender_bvn, t.* from transfer t where merchant_id = ${shop.merchantId}`
  assert.ok(typeof row?.['senderBvn'] === 'string' && !JSON.stringify(row, bigintText).includes('22222222226'))
  const events = await shop.call(contract.listEvents, { query: { size: 50 } })
  assert.ok(!JSON.stringify(events).includes('22222222226'))
  const partial = await transferTo(shop, '788', { senderInfo: { sourceAccountName: 'Bola Ade' } })
  const expected = { sourceAccountNumber: null, sourceAccountName: 'Bola Ade', senderBankCode: null }
  assert.deepEqual(partial.senderInfo, expected)
  const body = await aTransfer(shop, { senderInfo: { sourceAccountBvn: '123' } })
  assert.match(
    (await shop.rejected(400, contract.initiateTransfer, { body })).message,
    /^senderInfo\.sourceAccountBvn /,
  )
})

const bigintText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value)

test('lenient input: currencyCode, walletId, amounts as text, spaces and case in names', async () => {
  const shop = await withoutOtp(aShop())
  const name = await holderOf(shop, '0123456789')
  const { currency, sourceAccountNumber, ...rest } = await aTransfer(shop, { amount: '100' })
  const odd = { ...rest, currencyCode: currency, walletId: sourceAccountNumber }
  const written = ` mr. ${name.toLowerCase().split(' ').reverse().join('  ')}`
  const { body } = await shop.send('POST', contract.initiateTransfer.path, {
    body: { ...odd, destinationAccountName: written },
  })
  const { status, amount, destinationAccountName } = body.responseBody as Reply<typeof contract.initiateTransfer>
  assert.deepEqual([status, amount, destinationAccountName], ['SUCCESS', 100, name])
})

test('a slightly different account name is flagged; another name is rejected with D03', async () => {
  const shop = await withoutOtp(aShop())
  const [first = '', middle = '', last = ''] = (await holderOf(shop, '0123456789')).split(' ')
  const flaggedAs = async (destinationAccountName: string, amount: number): Promise<boolean> => {
    const body = await aTransfer(shop, { destinationAccountName, amount })
    assert.equal((await shop.call(contract.initiateTransfer, { body })).status, 'SUCCESS')
    return (await shop.call(contract.getTransfer, { query: body })).flagged
  }
  assert.equal(await flaggedAs(`${last} ${first}`, 101), false)
  assert.equal(await flaggedAs(`${first} ${middle[0]}. ${last}`, 102), false)
  assert.equal(await flaggedAs(`${first[0]}. ${middle[0]}. ${last}`, 103), true)
  const body = await aTransfer(shop, { destinationAccountName: `Someone ${last}` })
  assert.equal((await shop.rejected(400, contract.initiateTransfer, { body })).responseCode, 'D03')
})

test('a transfer with a missing or malformed field is rejected with D01 that names the field; nothing is debited', async () => {
  const shop = await withoutOtp(aShop())
  const good = await aTransfer(shop)
  for (const [field, ...wrong] of [
    ['amount', undefined, null, 0, -5, '1.005', 'many', true],
    ['reference', undefined, '', 'x'.repeat(129), 'line\nbreak', 5],
    ['narration', undefined, 'x'.repeat(256), 5],
    ['destinationBankCode', undefined, '', 58],
    ['destinationAccountNumber', undefined, '', 123456789],
    ['destinationAccountName', undefined, null, '', '   ', 5, 'x'.repeat(256)],
    ['currency', undefined, 5],
    ['sourceAccountNumber', undefined, 5],
    ['async', 'yes'],
    ['senderInfo', 'Ada'],
  ] as const)
    for (const value of wrong) {
      const { message, responseCode } = await shop.rejected(400, contract.initiateTransfer, {
        body: { ...good, [field]: value },
      })
      assert.deepEqual([responseCode, message.split(' ')[0]], ['D01', field], `${field}: ${value}`)
    }
  const nul = await shop.rejected(400, contract.initiateTransfer, { body: { ...good, narration: 'a\0b' } })
  assert.deepEqual([nul.responseCode, nul.message.split(' ')[0]], ['D01', 'narration'])
  const currency = await shop.rejected(400, contract.initiateTransfer, { body: { ...good, currency: 'USD' } })
  assert.equal(currency.responseCode, 'D01')
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING, ledgerBalance: OPENING })
  assert.equal((await shop.db`select from transfer where merchant_id = ${shop.merchantId}`).count, 0)
})

test('unknown account details are rejected with D03', async () => {
  const shop = await withoutOtp(aShop())
  const other = await shop.anotherMerchant()
  const good = await aTransfer(shop)
  for (const changes of [
    { destinationBankCode: '999' },
    { destinationBankCode: 'GTB' },
    { destinationAccountNumber: '123' },
    { destinationAccountNumber: '01234567890' },
    { destinationAccountNumber: 'abcdefghij' },
    { destinationAccountNumber: '0000000000' },
    { sourceAccountNumber: '0000000000' },
    { sourceAccountNumber: 'wallet' },
    { sourceAccountNumber: other.credentials.walletAccountNumber },
  ]) {
    const { responseCode } = await shop.rejected(400, contract.initiateTransfer, { body: { ...good, ...changes } })
    assert.equal(responseCode, 'D03', JSON.stringify(changes))
  }
  for (const query of [
    { accountNumber: '0123456789', bankCode: '999' },
    { accountNumber: '123', bankCode: '058' },
    { accountNumber: '0000000000', bankCode: '058' },
  ])
    assert.equal((await shop.rejected(400, contract.validateAccount, { query })).responseCode, 'D03')
  for (const query of [{ accountNumber: '0123456789' }, { bankCode: '058' }])
    assert.equal((await shop.rejected(400, contract.validateAccount, { query })).responseCode, 'D01')
  for (const accountNumber of ['0000000000', other.credentials.walletAccountNumber]) {
    assert.equal(
      (await shop.rejected(400, contract.getWalletBalance, { query: { accountNumber } })).responseCode,
      'D03',
    )
    const query = { sourceAccountNumber: accountNumber }
    assert.equal((await shop.rejected(400, contract.searchTransfers, { query })).responseCode, 'D03')
  }
})

test('account validation returns the name, the bank and the currency', async () => {
  const shop = await aShop()
  const query = { accountNumber: '0123456789', bankCode: '058' }
  const { accountName, ...rest } = await shop.call(contract.validateAccount, { query })
  assert.match(accountName, /^[A-Z]+ [A-Z]+ [A-Z]+$/)
  assert.deepEqual(rest, { accountNumber: '0123456789', bankCode: '058', currencyCode: 'NGN' })
  assert.equal((await shop.call(contract.validateAccount, { query })).accountName, accountName)
})

test('a transfer above the balance is rejected with D04, including the fee, and nothing is debited', async () => {
  const shop = await withoutOtp(aShop())
  const send = async (amount: number) => ({ body: await aTransfer(shop, { amount }) })
  assert.equal((await shop.rejected(400, contract.initiateTransfer, await send(OPENING))).responseCode, 'D04')
  assert.equal((await shop.rejected(400, contract.initiateTransfer, await send(OPENING - 39.99))).responseCode, 'D04')
  assert.equal((await shop.call(contract.initiateTransfer, await send(OPENING - 40))).status, 'SUCCESS')
  assert.deepEqual(await balancesOf(shop), { availableBalance: 0, ledgerBalance: 0 })
  assert.equal((await shop.rejected(400, contract.initiateTransfer, await send(1))).responseCode, 'D04')
})

test('a reference is used once: D05, checked before D07, whatever the first one’s outcome', async () => {
  const shop = await withoutOtp(aShop())
  const body = await aTransfer(shop)
  await shop.call(contract.initiateTransfer, { body })
  assert.equal((await shop.rejected(400, contract.initiateTransfer, { body })).responseCode, 'D05')
  const failing = await aTransfer(shop, { destinationAccountNumber: '0123456001' })
  await shop.call(contract.initiateTransfer, { body: failing })
  const again = { ...failing, amount: 77 }
  assert.equal((await shop.rejected(400, contract.initiateTransfer, { body: again })).responseCode, 'D05')
  const other = await shop.anotherMerchant()
  await other.call(contract.fundWallet, { body: { amount: 10_000 } })
  await other.call(contract.changeSettings, { body: { otpEnabled: false } })
  const theirs = { ...body, sourceAccountNumber: other.credentials.walletAccountNumber }
  assert.equal((await other.call(contract.initiateTransfer, { body: theirs })).status, 'SUCCESS', 'another merchant’s')
})

test('the same amount to the same account within two minutes is rejected with D07, unless the first failed', async () => {
  const shop = await withoutOtp(aShop())
  const again = async (changes = {}) => ({ body: await aTransfer(shop, changes) })
  await shop.call(contract.initiateTransfer, await again())
  assert.equal((await shop.rejected(400, contract.initiateTransfer, await again())).responseCode, 'D07')
  await shop.call(contract.initiateTransfer, await again({ amount: 5_000.01 }))
  await shop.call(contract.initiateTransfer, await again({ destinationAccountNumber: '0123456788' }))
  await shop.call(contract.initiateTransfer, await again({ destinationBankCode: '044' }))
  await shop.advance(115)
  assert.equal((await shop.rejected(400, contract.initiateTransfer, await again())).responseCode, 'D07')
  await shop.advance(6)
  await shop.call(contract.initiateTransfer, await again())
  for (let n = 0; n < 2; n++) assert.equal((await transferTo(shop, '004')).status, 'FAILED')
})

test('of 20 concurrent identical transfers with different references, one is sent and 19 return D07', async () => {
  const shop = await withoutOtp(aShop())
  const bodies = await Promise.all(Array.from({ length: 20 }, () => aTransfer(shop)))
  const responses = await Promise.all(bodies.map((body) => shop.send('POST', contract.initiateTransfer.path, { body })))
  const codes = responses.map(({ body }) => body.responseCode).sort()
  assert.deepEqual(codes, ['0', ...Array.from({ length: 19 }, () => 'D07')])
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING - 5_010, ledgerBalance: OPENING - 5_010 })
})

test('concurrent requests with one reference, from two wallets to many accounts, make one transfer', async (t) => {
  const shop = await withoutOtp(gateway(t))
  const wallet = await shop.call(contract.createWallet, {
    body: {
      walletReference: 'ada',
      walletName: 'Ada',
      customerName: 'Ada Obi',
      customerEmail: 'ada@example.com',
      bvnDetails: { bvn: '22222222226', bvnDateOfBirth: '1994-09-07' },
    },
  })
  await shop.call(contract.fundWallet, { body: { accountNumber: wallet.accountNumber, amount: 1_000_000 } })
  for (let round = 0; round < 5; round++) {
    const reference = `once-${randomUUID()}`
    const bodies = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        aTransfer(shop, {
          reference,
          amount: 100,
          destinationAccountNumber: freshAccount(),
          ...(n % 2 === 0 ? {} : { sourceAccountNumber: wallet.accountNumber }),
        }),
      ),
    )
    const responses = await Promise.all(
      bodies.map((body) => shop.send('POST', contract.initiateTransfer.path, { body })),
    )
    const codes = responses.map(({ body }) => body.responseCode).sort()
    assert.deepEqual(codes, ['0', ...Array.from({ length: 29 }, () => 'D05')])
  }
  assert.equal((await shop.db`select from simulated_entry where rail = 'transfer'`).count, 5)
  await verified(shop)
})

test('a transfer can be paid from a customer’s wallet', async () => {
  const shop = await withoutOtp(aShop())
  const { accountNumber } = await shop.call(contract.createWallet, {
    body: {
      walletReference: 'bola',
      walletName: 'Bola',
      customerName: 'Bola Ade',
      customerEmail: 'bola@example.com',
      bvnDetails: { bvn: '22222222227', bvnDateOfBirth: '1990-01-31' },
    },
  })
  const body = await aTransfer(shop, { sourceAccountNumber: accountNumber })
  assert.equal((await shop.rejected(400, contract.initiateTransfer, { body })).responseCode, 'D04')
  await shop.call(contract.fundWallet, { body: { accountNumber, amount: 6_000 } })
  assert.equal((await shop.call(contract.initiateTransfer, { body })).status, 'SUCCESS')
  const left = await shop.call(contract.getWalletBalance, { query: { accountNumber } })
  assert.deepEqual(left, { availableBalance: 990, ledgerBalance: 990 })
  assert.deepEqual(await balancesOf(shop), { availableBalance: OPENING, ledgerBalance: OPENING })
  await verified(shop)
})

long(
  '200 transfers at once that together exceed the wallet never take it below zero, and the balance is exact',
  async (t) => {
    const shop = await withoutOtp(gateway(t, { hasCheckedBooks: true }))
    const amount = 75_000
    const fits = Math.floor(OPENING / (amount + 40))
    const bodies = await Promise.all(
      Array.from({ length: 200 }, () => aTransfer(shop, { amount, destinationAccountNumber: freshAccount() })),
    )
    const responses = await Promise.all(
      bodies.map((body) => shop.send('POST', contract.initiateTransfer.path, { body })),
    )
    const accepted = responses.filter(({ status }) => status === 200)
    assert.equal(accepted.length, fits)
    for (const { body } of responses.filter(({ status }) => status !== 200)) assert.equal(body.responseCode, 'D04')
    const left = OPENING - fits * (amount + 40)
    assert.deepEqual(await balancesOf(shop), { availableBalance: left, ledgerBalance: left })
    const entries = await shop.db<{ balanceAfter: bigint }[]>`select balance_after from wallet_entry order by id`
    assert.ok(entries.every(({ balanceAfter }) => balanceAfter >= 0n))
    assert.equal((await shop.db`select from event where event_type = 'SUCCESSFUL_DISBURSEMENT'`).count, fits)
    await verified(shop)
  },
)

test('transfers are listed newest first, page by page, for one merchant only', async () => {
  const shop = await withoutOtp(aShop())
  const references: string[] = []
  for (let n = 0; n < 23; n++) references.unshift((await transferTo(shop, '789', { amount: 100 + n })).reference)
  const first = await shop.call(contract.listTransfers, { query: {} })
  assert.deepEqual(
    first.content.map(({ reference }) => reference),
    references.slice(0, 20),
  )
  assert.deepEqual([first.totalElements, first.size, first.number, first.last], [23, 20, 0, false])
  const last = await shop.call(contract.listTransfers, { query: { pageNo: 2, pageSize: 10 } })
  assert.deepEqual(
    last.content.map(({ reference }) => reference),
    references.slice(20),
  )
  const large = await shop.call(contract.listTransfers, { query: { pageSize: 1_000 } })
  assert.equal(large.size, 100)
  for (const query of [{ pageNo: -1 }, { pageNo: 'one' }, { pageSize: 0 }])
    assert.equal((await shop.rejected(400, contract.listTransfers, { query })).responseCode, 'D01')
  const other = await shop.anotherMerchant()
  assert.equal((await other.call(contract.listTransfers, { query: {} })).totalElements, 0)
  const query = { reference: references[0] ?? '' }
  assert.equal((await other.rejected(404, contract.getTransfer, { query })).responseCode, 'D02')
  assert.equal((await shop.rejected(400, contract.getTransfer, { query: {} })).responseCode, 'D01')
})

test('a search filters by wallet, amount and time, bounds included', async () => {
  const shop = await withoutOtp(aShop())
  const sourceAccountNumber = shop.credentials.walletAccountNumber
  const times: number[] = []
  for (const amount of [100, 200.5, 300]) {
    const { dateCreated } = await transferTo(shop, '789', { amount })
    times.push(Date.parse(dateCreated))
    await shop.advance(3_600)
  }
  const [, second = 0, third = 0] = times
  const found = async (query: object): Promise<number[]> =>
    (await shop.call(contract.searchTransfers, { query: { sourceAccountNumber, ...query } })).content.map(
      ({ amount }) => amount,
    )
  assert.deepEqual(await found({}), [300, 200.5, 100])
  assert.deepEqual(await found({ amountFrom: '200.50' }), [300, 200.5])
  assert.deepEqual(await found({ amountTo: '200.50' }), [200.5, 100])
  assert.deepEqual(await found({ amountFrom: '0', amountTo: '100' }), [100])
  assert.deepEqual(await found({ amountTo: '0' }), [])
  assert.deepEqual(await found({ startDate: String(second) }), [300, 200.5])
  assert.deepEqual(await found({ endDate: String(second) }), [200.5, 100])
  assert.deepEqual(await found({ startDate: String(second), endDate: new Date(third - 1).toISOString() }), [200.5])
  assert.deepEqual(await found({ endDate: dayText(lagosDay(new Date(third))) }), [300, 200.5, 100], 'until its end')
  assert.deepEqual(await found({ pageSize: 1, pageNo: 1 }), [200.5])
  for (const query of [
    {},
    { sourceAccountNumber, startDate: 'tomorrow' },
    { sourceAccountNumber, amountFrom: '-1' },
    { sourceAccountNumber, amountTo: 'all' },
    { sourceAccountNumber, pageNo: -1 },
  ])
    assert.equal(
      (await shop.rejected(400, contract.searchTransfers, { query })).responseCode,
      'D01',
      JSON.stringify(query),
    )
})

test('the balance is found by accountNumber or by the older walletId', async () => {
  const shop = await aShop()
  const { walletAccountNumber } = shop.credentials
  const balance = { availableBalance: OPENING, ledgerBalance: OPENING }
  assert.deepEqual(await balancesOf(shop), balance)
  const older = await shop.send('GET', `${contract.getWalletBalance.path}?walletId=${walletAccountNumber}`)
  assert.deepEqual(older.body.responseBody, balance)
  assert.equal((await shop.rejected(400, contract.getWalletBalance, { query: {} })).responseCode, 'D01')
})

const TRANSFER_ROUTES: readonly contract.Route[] = Object.values(contract.transfers.routes)

test('every version 1 path responds as its successor does, and is marked as deprecated', async () => {
  const shop = await aShop()
  const older = TRANSFER_ROUTES.flatMap((route) => (route.deprecatedPaths ?? []).map((path) => ({ route, path })))
  assert.equal(older.length, 13)
  for (const { route, path } of older) {
    assert.match(path, /^\/api\/v1\/disbursements\//)
    const filled = (one: string): string => one.replace(':batchReference', 'none')
    const sent = route.method === 'POST' ? { body: {} } : {}
    const now = await shop.send(route.method, filled(route.path), sent)
    const then = await shop.send(route.method, filled(path), sent)
    assert.deepEqual([then.status, then.text], [now.status, now.text], path)
    assert.ok(then.headers.has('deprecation') && then.headers.has('sunset'), path)
    assert.ok(!now.headers.has('deprecation'), route.path)
  }
  const balance = await shop.send(
    'GET',
    `/api/v1/disbursements/wallet-balance?walletId=${shop.credentials.walletAccountNumber}`,
  )
  assert.deepEqual([balance.status, balance.headers.has('sunset')], [200, true])
})

test('every transfer path rejects requests without permission, from another address, without a token, or without JSON', async () => {
  const shop = await aShop()
  const barred = await shop.anotherMerchant([])
  await shop.call(contract.changeSettings, { body: { ipWhitelist: ['203.0.113.7'] } })
  for (const route of TRANSFER_ROUTES) {
    const path = route.path.replace(':batchReference', 'none')
    const unpermitted = await barred.send(route.method, path)
    assert.deepEqual([unpermitted.status, unpermitted.body.responseCode], [403, '99'], path)
    const elsewhere = await shop.send(route.method, path)
    assert.deepEqual([elsewhere.status, elsewhere.body.responseCode], [403, 'D06'], path)
    const nobody = await shop.send(route.method, path, { headers: { authorization: '' } })
    assert.deepEqual([nobody.status, nobody.body.responseCode], [401, '99'], path)
  }
  await shop.call(contract.changeSettings, { body: { ipWhitelist: null } })
  for (const route of TRANSFER_ROUTES.filter(({ method }) => method === 'POST')) {
    const broken = await shop.send('POST', route.path, { body: '{"amount":' })
    assert.deepEqual([broken.status, broken.body.responseCode], [400, '99'], route.path)
    const form = await shop.send('POST', route.path, { body: 'amount=5', headers: { 'content-type': 'text/plain' } })
    assert.deepEqual([form.status, form.body.responseCode], [415, '99'], route.path)
    const huge = await shop.send('POST', route.path, { body: `"${'x'.repeat(8 * 1024 * 1024)}"` })
    assert.deepEqual([huge.status, huge.body.responseCode], [413, '99'], route.path)
  }
})

test('retries with an Idempotency-Key make one transfer and return one response', async () => {
  const shop = await withoutOtp(aShop())
  const body = await aTransfer(shop)
  const send = () => shop.send('POST', contract.initiateTransfer.path, { body, headers: { 'idempotency-key': 'rent' } })
  const responses = await Promise.all([send(), send(), send()])
  assert.equal(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size, 1)
  assert.equal(responses[0]?.status, 200)
  assert.equal((await balancesOf(shop)).availableBalance, OPENING - 5_010)
})

test('live without a bank connection accepts no transfer', async (t) => {
  const live = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
  const client = await live.anotherMerchant(['transfers'])
  const body = {
    amount: 100,
    reference: 'r',
    narration: 'n',
    destinationBankCode: '058',
    destinationAccountNumber: '0123456789',
    destinationAccountName: 'Ada Obi',
    currency: 'NGN',
    sourceAccountNumber: client.credentials.walletAccountNumber,
  }
  assert.equal((await client.rejected(400, contract.initiateTransfer, { body })).responseCode, 'D01')
})
