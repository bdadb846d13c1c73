import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { BALANCES, isClean } from '../../../src/core/money/ledger/index.ts'
import { DECLINES_MAX } from '../../../src/features/cards/open.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { aShop, type Client, gateway, type Shop } from '../../harness/gateway.ts'
import type { ApiResponse } from '../../harness/responses.ts'
import { aCard, anAccount, CARDS, charge, openTransaction, pay, statusOf } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'
import { type WebhookEndpoint, webhookEndpoint } from '../../harness/webhook-endpoint.ts'

type Charged = Reply<typeof contract.chargeCard>

const attemptsOf = ({
  db,
  merchantId,
}: Shop): Promise<{ status: string; number: number; heldNumber: string | null }[]> =>
  db<{ status: string; number: number; heldNumber: string | null }[]>`
    select status, number, held_number from card_attempt where merchant_id = ${merchantId} order by transaction_id, number`
const statusesOf = async (shop: Shop): Promise<string[]> => (await attemptsOf(shop)).map(({ status }) => status)

const rejectedCharge = async (client: Client, transactionReference: string, number: string): Promise<string> =>
  (await client.rejected(400, contract.chargeCard, { body: { transactionReference, card: aCard(number) } })).message

const authorize = (client: Client, { transactionReference, otpData }: Charged, token = '123456') =>
  client.call(contract.authorizeOtp, { body: { transactionReference, tokenId: otpData?.id ?? '', token } })

const rejectedOtp = async (
  client: Client,
  { transactionReference, otpData }: Charged,
  token: string,
): Promise<string> =>
  (
    await client.rejected(422, contract.authorizeOtp, {
      body: { transactionReference, tokenId: otpData?.id ?? '', token },
    })
  ).message

/** A webhook endpoint for the merchant's events. */
async function listening(t: Parameters<typeof webhookEndpoint>[0], client: Client): Promise<WebhookEndpoint> {
  const events = await webhookEndpoint(t)
  await client.call(contract.changeSettings, { body: { webhookUrls: { collection: events.url } } })
  return events
}

test('a card that needs no further step is charged at once: PAID, posted, sent as a signed webhook, and stored', async (t) => {
  const shop = await gateway(t)
  const events = await listening(t, shop)
  const reference = await openTransaction(shop, { amount: 9_000, paymentReference: 'order-1' })
  assert.deepEqual(await charge(shop, reference, CARDS.success), {
    status: 'SUCCESS',
    message: 'Transaction Successful',
    transactionReference: reference,
    paymentReference: 'order-1',
    authorizedAmount: 9_000,
  })

  const record = await statusOf(shop, reference)
  const { cardToken, ...card } = record.cardDetails ?? { cardToken: null }
  assert.match(cardToken ?? '', /^KBO_[0-9A-F]{32}$/)
  assert.deepEqual(card, {
    cardType: 'VISA',
    last4: '1111',
    expMonth: '12',
    expYear: '2099',
    bin: '411111',
    bankCode: '033',
    bankName: 'United Bank For Africa Plc',
    reusable: true,
    countryCode: 'NG',
    supportsTokenization: true,
    maskedPan: '411111******1111',
  })
  assert.deepEqual(
    [record.paymentStatus, record.paymentMethod, record.amountPaid, record.settlementAmount, record.product.type],
    ['PAID', 'CARD', '9000.00', '8865.00', 'API_NOTIFICATION'],
  )
  assert.deepEqual([record.accountDetails, record.accountPayments], [null, []])

  const [reported] = await events.count(1)
  const signature = createHmac('sha512', shop.credentials.secretKey).update(reported?.body ?? '')
  assert.equal(reported?.headers['service-signature'], signature.digest('hex'))
  const { eventData } = reported.event
  assert.equal(reported.event.eventType, 'SUCCESSFUL_TRANSACTION')
  assert.deepEqual(eventData['cardDetails'], { ...card, cardToken: null })
  assert.deepEqual([eventData['paymentSourceInformation'], eventData['destinationAccountInformation']], [[], {}])
  assert.deepEqual([eventData['paymentStatus'], eventData['paymentMethod']], ['PAID', 'CARD'])

  const accounts = await shop.db<{ code: string; balance: bigint }[]>`
    select code, balance from ${BALANCES} account where code not like 'wallet/%' and code <> 'clearing/funding' order by code`
  assert.deepEqual(
    [...accounts],
    [
      { code: 'clearing/card/simulated', balance: -900_000n },
      { code: 'fees/collection', balance: 13_500n },
      { code: 'payable', balance: 886_500n },
    ],
  )
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('with an OTP the payer authorizes the charge: then it is PAID, sent as a webhook and stored', async (t) => {
  const shop = await aShop()
  const events = await listening(t, shop)
  const reference = await openTransaction(shop)
  const { otpData, ...request } = await charge(shop, reference, CARDS.otp)
  assert.deepEqual(
    [request.status, request.message, request.authorizedAmount],
    ['OTP_AUTHORIZATION_REQUIRED', 'OTP Authorization required', 5_000],
  )
  assert.match(otpData?.id ?? '', /^[0-9a-f]{32}$/)
  assert.ok(otpData?.message && otpData.authData && !otpData.authData.includes(CARDS.otp))
  const pending = await statusOf(shop, reference)
  assert.deepEqual([pending.paymentStatus, pending.product.type], ['PENDING', 'API_NOTIFICATION'])
  assert.equal(events.received.length, 0)

  const { paymentReference, ...result } = await authorize(shop, { ...request, otpData })
  assert.deepEqual(result, {
    status: 'SUCCESS',
    message: 'Transaction Successful',
    transactionReference: reference,
    authorizedAmount: 5_000,
    paymentStatus: 'PAID',
    amountPaid: 5_000,
    currencyPaid: 'NGN',
  })
  const { cardDetails } = await statusOf(shop, reference)
  assert.deepEqual([cardDetails?.cardType, cardDetails?.reusable], ['VERVE', true])
  assert.match(cardDetails?.cardToken ?? '', /^KBO_/)
  assert.equal((await events.count(1))[0]?.event.eventData['paymentReference'], paymentReference)

  assert.equal((await authorize(shop, { ...request, otpData })).status, 'SUCCESS', 'a repeat returns the outcome')
  assert.equal((await shop.db`select from payment where merchant_id = ${shop.merchantId}`).count, 1)
})

test('a wrong OTP is 422 and may be retried; the fifth ends the charge and fails the transaction', async () => {
  const shop = await aShop()
  const reference = await openTransaction(shop)
  const challenged = await charge(shop, reference, CARDS.otp)
  for (const left of [4, 3, 2, 1])
    assert.match(await rejectedOtp(shop, challenged, '000000'), new RegExp(`Wrong OTP, ${left}`))
  assert.equal((await statusOf(shop, reference)).paymentStatus, 'PENDING')
  assert.equal(await rejectedOtp(shop, challenged, '000000'), 'Too many wrong OTPs')
  assert.equal((await statusOf(shop, reference)).paymentStatus, 'FAILED')
  assert.equal(await rejectedOtp(shop, challenged, '123456'), 'Too many wrong OTPs')
  assert.equal((await charge(shop, reference, CARDS.success)).status, 'SUCCESS', 'another charge may still pay it')
})

test('once a charge is authorized, another OTP is rejected, and the right one gets the same response as before', async () => {
  const shop = await aShop()
  const challenged = await charge(shop, await openTransaction(shop), CARDS.otp)
  assert.match(await rejectedOtp(shop, challenged, '000000'), /4 attempts left/)
  assert.equal((await authorize(shop, challenged)).status, 'SUCCESS')
  for (const wrong of ['000000', '1234567', '123 456'])
    assert.equal(
      await rejectedOtp(shop, challenged, wrong),
      'Wrong OTP: this payment was already authorized with another OTP',
    )
  assert.equal((await authorize(shop, challenged)).status, 'SUCCESS')
})

test('twenty parallel wrong OTPs are five attempts, and twenty right ones pay once', async () => {
  const shop = await aShop()
  const wrong = await charge(shop, await openTransaction(shop), CARDS.otp)
  const body = (challenged: Charged, token: string) => ({
    transactionReference: challenged.transactionReference,
    tokenId: challenged.otpData?.id,
    token,
  })
  const send = (challenged: Charged, token: string) =>
    Promise.all(
      Array.from({ length: 20 }, () =>
        shop.send('POST', contract.authorizeOtp.path, { body: body(challenged, token) }),
      ),
    )
  for (let round = 0; round < 5; round++)
    for (const { status } of await send(wrong, '000000')) assert.ok(status === 422 || status === 200, String(status))
  assert.equal(
    (
      await shop.db`select from card_attempt where merchant_id = ${shop.merchantId} and otp_tries = 5 and status = 'DECLINED'`
    ).count,
    1,
  )
  const right = await charge(shop, await openTransaction(shop), CARDS.otp)
  for (const { status } of await send(right, '123456')) assert.equal(status, 200)
  assert.equal((await shop.db`select from payment where merchant_id = ${shop.merchantId}`).count, 1)
})

test('a declined card is 400 with the issuer’s reason; the transaction is FAILED and may be charged again', async (t) => {
  const shop = await aShop()
  const events = await listening(t, shop)
  const reference = await openTransaction(shop)
  assert.equal(await rejectedCharge(shop, reference, CARDS.insufficientFunds), 'Insufficient funds')
  const failed = await statusOf(shop, reference)
  assert.deepEqual([failed.paymentStatus, failed.cardDetails, failed.amountPaid], ['FAILED', null, '0.00'])
  const wrongPin = { transactionReference: reference, card: aCard(CARDS.success, { pin: '4321' }) }
  assert.equal((await shop.rejected(400, contract.chargeCard, { body: wrongPin })).message, 'Incorrect PIN')
  await charge(shop, reference, CARDS.success)
  assert.equal((await statusOf(shop, reference)).paymentStatus, 'PAID')
  assert.deepEqual(await statusesOf(shop), ['DECLINED', 'DECLINED', 'APPROVED'])
  assert.equal((await events.count(1)).length, 1, 'only the payment has an event')
})

test('an issuer that does not respond leaves the charge PENDING; it is queried again and nothing is charged twice', async (t) => {
  const shop = await aShop()
  const events = await listening(t, shop)
  const reference = await openTransaction(shop)
  const first = await charge(shop, reference, CARDS.silent)
  assert.deepEqual([first.status, first.message], ['PENDING', 'Payment in progress'])
  assert.deepEqual(await charge(shop, reference, CARDS.success), first, 'another charge returns the first')
  await shop.advance(28)
  assert.equal((await statusOf(shop, reference)).paymentStatus, 'PENDING')
  await shop.advance(4)
  const { paymentStatus, cardDetails } = await statusOf(shop, reference)
  assert.deepEqual([paymentStatus, cardDetails?.maskedPan, cardDetails?.cardToken], ['PAID', '424242******4242', null])
  assert.equal((await events.count(1)).length, 1)
  assert.equal(await rejectedCharge(shop, reference, CARDS.success), 'Payment already exists')
  assert.equal((await shop.db`select from card_attempt where merchant_id = ${shop.merchantId}`).count, 1)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('an outcome that was unknown when the gateway stopped is found by the next one', async (t) => {
  const before = await gateway(t)
  const reference = await openTransaction(before)
  await charge(before, reference, CARDS.silent)
  const again = await gateway(t, { databaseUrl: before.databaseUrl })
  await again.advance(31)
  // Either node may have leased the order.
  await until('the charge is paid', async () => (await statusOf(again, reference)).paymentStatus === 'PAID')
  assert.equal((await again.db`select from payment`).count, 1)
})

test('a charge whose gateway died before it reached the network is declined when queried, and may be repeated', async (t) => {
  const shop = await gateway(t)
  const reference = await openTransaction(shop)
  await charge(shop, reference, CARDS.silent)
  await shop.db`delete from simulated_entry`
  await shop.advance(31)
  assert.deepEqual(await statusesOf(shop), ['DECLINED'])
  assert.equal((await statusOf(shop, reference)).paymentStatus, 'FAILED')
  await charge(shop, reference, CARDS.success)
})

test('money that is approved after the transaction has ended goes back to the card, once, and nothing is posted', async (t) => {
  const shop = await gateway(t)
  const events = await listening(t, shop)
  const [late, paidOtherwise, cancelled] = await Promise.all(
    Array.from({ length: 3 }, () => anAccount(shop, { amount: 1_000 })),
  )
  assert.ok(late && paidOtherwise && cancelled)
  for (const one of [late, paidOtherwise, cancelled]) await charge(shop, one.transactionReference, CARDS.silent)
  await shop.db`
    update transaction set expires_at = ${secondsAfter(shop.core.clock.now(), 10)}
     where transaction_reference = ${late.transactionReference}`
  await pay(shop, paidOtherwise, 1_000)
  await shop.call(contract.cancelTransaction, { params: cancelled })

  await shop.advance(40)
  assert.deepEqual(await statusesOf(shop), ['REVERSING', 'REVERSING', 'REVERSING'])
  await shop.advance(40)
  assert.deepEqual(await statusesOf(shop), ['REVERSED', 'REVERSED', 'REVERSED'])
  assert.equal((await shop.db`select from simulated_entry where rail = 'card refund'`).count, 3)
  const statuses = await Promise.all(
    [late, paidOtherwise, cancelled].map(async (one) => {
      const { paymentStatus, amountPaid } = await statusOf(shop, one.transactionReference)
      return [paymentStatus, amountPaid]
    }),
  )
  assert.deepEqual(statuses, [
    ['EXPIRED', '0.00'],
    ['PAID', '1000.00'],
    ['CANCELLED', '0.00'],
  ])
  const rejected = (await events.count(4)).filter(({ event }) => event.eventType === 'REJECTED_PAYMENT')
  assert.equal(rejected.length, 3)
  assert.equal((await shop.db`select from ${BALANCES} account where code = 'clearing/card/simulated'`).count, 0)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

for (const many of [2, 20]) {
  test(`${many} parallel charges of one transaction charge it once`, async () => {
    const shop = await aShop()
    const reference = await openTransaction(shop)
    const responses = await Promise.all(
      Array.from({ length: many }, () =>
        shop.send('POST', contract.chargeCard.path, {
          body: { transactionReference: reference, card: aCard(CARDS.success) },
        }),
      ),
    )
    for (const { status, text } of responses) assert.ok(status === 200 || /Payment already exists/.test(text), text)
    assert.equal((await shop.db`select from card_attempt where merchant_id = ${shop.merchantId}`).count, 1)
    assert.equal((await shop.db`select from payment where merchant_id = ${shop.merchantId}`).count, 1)
    assert.equal((await statusOf(shop, reference)).amountPaid, '5000.00')
    assert.ok(isClean(await verifyLedger(shop.db)))
  })
}

test('another charge replaces one waiting for the payer, which then has no effect', async () => {
  const shop = await aShop()
  const reference = await openTransaction(shop)
  const first = await charge(shop, reference, CARDS.otp)
  const second = await charge(shop, reference, CARDS.otp)
  assert.match(await rejectedOtp(shop, first, '123456'), /replaced by a newer charge/)
  assert.equal((await authorize(shop, second)).status, 'SUCCESS')
  assert.deepEqual(await statusesOf(shop), ['SUPERSEDED', 'APPROVED'])
  assert.equal((await shop.db`select from payment where merchant_id = ${shop.merchantId}`).count, 1)
})

test('during a challenge the number is held encrypted, and it is deleted as soon as that is decided', async () => {
  const shop = await aShop()
  const held = async () => (await attemptsOf(shop)).map(({ heldNumber }) => heldNumber !== null)
  const approved = await charge(shop, await openTransaction(shop), CARDS.otp)
  const rejected = await charge(shop, await openTransaction(shop), CARDS.otp)
  await charge(shop, await openTransaction(shop), CARDS.otp)
  assert.deepEqual(await held(), [true, true, true])
  await authorize(shop, approved)
  for (let n = 0; n < 5; n++) await rejectedOtp(shop, rejected, '000000')
  assert.deepEqual(await held(), [false, false, true])
  await shop.advance(601)
  assert.deepEqual(await held(), [false, false, false])
  assert.deepEqual(await statusesOf(shop), ['APPROVED', 'DECLINED', 'DECLINED'])
  assert.equal((await shop.db`select from vault.card_on_file where merchant_id = ${shop.merchantId}`).count, 1)
})

test('a transaction is charged ten times at most', async () => {
  const shop = await aShop()
  const reference = await openTransaction(shop)
  for (let n = 0; n < 10; n++)
    assert.equal(await rejectedCharge(shop, reference, CARDS.insufficientFunds), 'Insufficient funds')
  assert.match(await rejectedCharge(shop, reference, CARDS.success), /at most 10 times/)
  assert.equal((await shop.db`select from card_attempt where merchant_id = ${shop.merchantId}`).count, 10)
})

/** Has a card declined until it is blocked. */
async function declineUntilRest(client: Client, number: string): Promise<void> {
  for (let n = 0; n < DECLINES_MAX / 10; n++) {
    const reference = await openTransaction(client)
    for (let m = 0; m < 10; m++) await rejectedCharge(client, reference, number)
  }
}

slow('a card that is declined too often within an hour is blocked, for this merchant alone', async () => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  await declineUntilRest(shop, CARDS.insufficientFunds)
  assert.match(await rejectedCharge(shop, await openTransaction(shop), CARDS.insufficientFunds), /declined too often/)
  assert.equal(await rejectedCharge(other, await openTransaction(other), CARDS.insufficientFunds), 'Insufficient funds')
  await charge(shop, await openTransaction(shop), CARDS.success)
  await shop.advance(3_600)
  assert.equal(await rejectedCharge(shop, await openTransaction(shop), CARDS.insufficientFunds), 'Insufficient funds')
})

test('a blocked card stays blocked next to another card for the same transaction, whichever comes first', async () => {
  const shop = await aShop()
  await declineUntilRest(shop, CARDS.insufficientFunds)
  const send = (transactionReference: string, number: string): Promise<ApiResponse> =>
    shop.send('POST', contract.chargeCard.path, { body: { transactionReference, card: aCard(number) } })
  for (let n = 0; n < 10; n++) {
    const numbers = [CARDS.insufficientFunds, CARDS.success]
    if (n % 2 === 1) numbers.reverse()
    const reference = await openTransaction(shop)
    const responses = await Promise.all(numbers.map((number) => send(reference, number)))
    for (const { text } of responses) assert.doesNotMatch(text, /Insufficient funds/, 'the network was not called')
    assert.equal((await statusOf(shop, reference)).paymentStatus, 'PAID')
  }
})

test('a transaction that is paid, partly paid, expired, cancelled, unknown or another’s, or takes no card, is 400', async () => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  const [paid, partly, cancelled, expired] = await Promise.all(
    Array.from({ length: 4 }, () => anAccount(shop, { amount: 1_000 })),
  )
  assert.ok(paid && partly && cancelled && expired)
  await pay(shop, paid, 1_000)
  await pay(shop, partly, 400)
  await shop.call(contract.cancelTransaction, { params: cancelled })
  const byTransfer = await openTransaction(shop, { paymentMethods: ['ACCOUNT_TRANSFER'] })
  const theirs = await openTransaction(other)
  for (const [reference, message] of [
    [paid.transactionReference, /^Payment already exists$/],
    [partly.transactionReference, /partly paid/],
    [cancelled.transactionReference, /cancelled/],
    [byTransfer, /CARD is not enabled/],
    [theirs, /^Could not find specified transaction$/],
    ['KOBO|01|20260101000000|000000', /^Could not find specified transaction$/],
    ['nothing', /^Could not find specified transaction$/],
  ] as const)
    assert.match(await rejectedCharge(shop, reference, CARDS.success), message)
  await shop.advance(2_400)
  assert.match(await rejectedCharge(shop, expired.transactionReference, CARDS.success), /expired/)
  assert.equal((await shop.db`select from card_attempt where merchant_id = ${shop.merchantId}`).count, 0)
})

test('a card that is malformed, invalid or expired is 400, names the field, and changes nothing', async () => {
  const shop = await aShop()
  const transactionReference = await openTransaction(shop)
  const rejected = async (card: object | undefined): Promise<string> =>
    (await shop.rejected(400, contract.chargeCard, { body: { transactionReference, card } })).message
  for (const number of [CARDS.invalid, '411111111111', '41111111111111111111', 'abcd', '', '4111 1111 1111 1111'])
    assert.equal(await rejected(aCard(number)), 'Invalid card number')
  const { year, month } = { year: new Date().getUTCFullYear() - 1, month: '12' }
  assert.equal(
    await rejected(aCard(CARDS.success, { expiryYear: String(year), expiryMonth: month })),
    'Card has expired',
  )
  for (const [card, message] of [
    [undefined, /^card is required/],
    [{ ...aCard(CARDS.success), number: 4_111 }, /^card\.number /],
    [aCard(CARDS.success, { cvv: '12' }), /^card\.cvv must be 3 or 4 digits/],
    [aCard(CARDS.success, { pin: '12345' }), /^card\.pin must be 4 digits/],
    [aCard(CARDS.success, { expiryMonth: '13' }), /^card\.expiryMonth /],
    [aCard(CARDS.success, { expiryYear: '203' }), /^card\.expiryYear /],
    [{ number: CARDS.success }, /^card\.expiryMonth is required/],
  ] as const)
    assert.match(await rejected(card), message)
  const wrongChannel = { transactionReference, collectionChannel: 'PIGEON', card: aCard(CARDS.success) }
  assert.match((await shop.rejected(400, contract.chargeCard, { body: wrongChannel })).message, /^collectionChannel /)
  assert.equal((await shop.db`select from card_attempt where merchant_id = ${shop.merchantId}`).count, 0)
})

test('wire tolerance: no PIN or an empty one, a short year, device information as texts', async (t) => {
  const shop = await gateway(t)
  const { pin: _, ...withoutPin } = aCard(CARDS.success)
  for (const card of [withoutPin, aCard(CARDS.success, { pin: '', expiryYear: '99', expiryMonth: '1' })]) {
    const body = {
      transactionReference: await openTransaction(shop),
      collectionChannel: 'API_NOTIFICATION' as const,
      card,
      deviceInformation: { httpBrowserLanguage: 'en', httpBrowserJavaEnabled: 'false', httpBrowserColorDepth: '24' },
    }
    assert.equal((await shop.call(contract.chargeCard, { body })).status, 'SUCCESS')
  }
  const tokens = await shop.db<
    { expiryMonth: string; expiryYear: string }[]
  >`select expiry_month, expiry_year from vault.card_on_file`
  assert.deepEqual(
    tokens.map(({ expiryMonth, expiryYear }) => [expiryMonth, expiryYear]),
    [['01', '2099']],
    'the same card is one token, with the date it was last seen with',
  )
})

test('a card is valid until its month is over in Lagos', async (t) => {
  const shop = await gateway(t)
  const { now } = await shop.call(contract.readClock, {})
  const lagos = new Date(Date.parse(now) + 3_600_000)
  const [year, month] = [lagos.getUTCFullYear(), lagos.getUTCMonth()]
  const card = { expiryYear: String(year), expiryMonth: String(month + 1).padStart(2, '0') }
  await charge(shop, await openTransaction(shop), CARDS.success, card)
  const overAt = Date.UTC(year, month + 1, 1) - 3_600_000
  await shop.advance(Math.ceil((overAt - Date.parse(now)) / 1_000))
  const late = { transactionReference: await openTransaction(shop), card: aCard(CARDS.success, card) }
  assert.equal((await shop.rejected(400, contract.chargeCard, { body: late })).message, 'Card has expired')
})

test('OTP: rejected before a charge, for another tokenId, an unknown or closed transaction; fields are named', async (t) => {
  const shop = await gateway(t)
  const rejected = async (body: object): Promise<string> =>
    (await shop.rejected(422, contract.authorizeOtp, { body })).message
  const uncharged = await openTransaction(shop)
  assert.equal(
    await rejected({ transactionReference: uncharged, tokenId: 'a'.repeat(32), token: '123456' }),
    'No Card Payment found for this transaction',
  )
  assert.equal(
    await rejected({ transactionReference: 'nothing', tokenId: 'a', token: '1' }),
    'Could not find specified transaction',
  )
  const account = await anAccount(shop, { amount: 1_000 })
  const { transactionReference } = account
  const challenged = await charge(shop, transactionReference, CARDS.otp)
  assert.match(await rejected({ transactionReference, tokenId: 'a'.repeat(32), token: '123456' }), /tokenId/)
  await pay(shop, account, 1_000)
  assert.equal(await rejectedOtp(shop, challenged, '123456'), 'Payment already exists')
  const expiring = await charge(shop, await openTransaction(shop), CARDS.otp)
  await shop.db`update transaction set expires_at = created_at where transaction_reference = ${expiring.transactionReference}`
  assert.match(await rejectedOtp(shop, expiring, '123456'), /expired/)
  for (const [body, field] of [
    [{}, 'transactionReference'],
    [{ transactionReference, token: '1' }, 'tokenId'],
    [{ transactionReference, tokenId: 'a' }, 'token'],
    [{ transactionReference, tokenId: 'a', token: 123_456 }, 'token'],
  ] as const)
    assert.match((await shop.rejected(400, contract.authorizeOtp, { body })).message, new RegExp(`^${field} `))
})

test('without the permission for cards all three are 403', async () => {
  const shop = await aShop()
  const transactionReference = await openTransaction(shop)
  await shop.call(contract.changeSettings, { body: { permissions: { cards: false } } })
  for (const [route, body] of [
    [contract.chargeCard, { transactionReference, card: aCard(CARDS.success) }],
    [contract.authorizeOtp, { transactionReference, tokenId: 'a', token: '1' }],
    [contract.authorizeSecure3d, { transactionReference, card: aCard(CARDS.success), apiKey: 'a' }],
  ] as const)
    await shop.rejected(403, route, { body })
  assert.equal((await shop.db`select from card_attempt where merchant_id = ${shop.merchantId}`).count, 0)
})

test('a repeat under the same Idempotency-Key gets the first response, and the card is charged once', async () => {
  const shop = await aShop()
  const transactionReference = await openTransaction(shop)
  const send = () =>
    shop.send('POST', contract.chargeCard.path, {
      headers: { 'idempotency-key': 'charge-1' },
      body: { transactionReference, card: aCard(CARDS.success) },
    })
  const [first, second] = [await send(), await send()]
  assert.deepEqual([first.status, second.text], [200, first.text])
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.equal((await shop.db`select from card_attempt where merchant_id = ${shop.merchantId}`).count, 1)
})
