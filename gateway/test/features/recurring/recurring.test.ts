import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Input } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { openVault } from '../../../src/core/security/vault.ts'
import { hidden } from '../../../src/kernel/hidden.ts'
import { aShop, type Client, gateway } from '../../harness/gateway.ts'
import { asOwner } from '../../harness/postgres.ts'
import { CARDS, charge, openTransaction, statusOf } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

const MONTH_SECONDS = 30 * 86_400

type TokenCharge = Input<typeof contract.chargeCardToken>['body']

/** The token that a card payment hands out to its customer. */
async function aToken(
  client: Client,
  changes: Parameters<typeof charge>[3] = {},
  customerEmail = 'ada@example.com',
): Promise<string> {
  const reference = await openTransaction(client, { customerEmail })
  await charge(client, reference, CARDS.success, changes)
  return (await statusOf(client, reference)).cardDetails?.cardToken ?? ''
}

const aRenewal = (client: Client, cardToken: string, changes: Partial<TokenCharge> = {}): TokenCharge => ({
  cardToken,
  amount: 1_500,
  customerName: 'Ada Obi',
  customerEmail: 'ada@example.com',
  paymentReference: `renewal-${randomUUID()}`,
  paymentDescription: 'March',
  currencyCode: 'NGN',
  contractCode: client.credentials.contractCode,
  apiKey: client.credentials.apiKey,
  ...changes,
})

const renew = (client: Client, cardToken: string, changes: Partial<TokenCharge> = {}) =>
  client.call(contract.chargeCardToken, { body: aRenewal(client, cardToken, changes) })

const rejectedRenewal = async (
  status: number,
  client: Client,
  cardToken: string,
  changes: Partial<TokenCharge> = {},
): Promise<string> =>
  (await client.rejected(status, contract.chargeCardToken, { body: aRenewal(client, cardToken, changes) })).message

test('a stored card is charged a month later without its holder: PAID, posted and sent as a webhook', async (t) => {
  const shop = await gateway(t)
  const cardToken = await aToken(shop)
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: events.url } } })
  await shop.advance(MONTH_SECONDS)
  const renewal = await renew(shop, cardToken, { metaData: { plan: 'gold' }, customerEmail: 'ADA@example.com' })
  assert.deepEqual(
    [renewal.paymentStatus, renewal.amountPaid, renewal.settlementAmount, renewal.paymentMethod],
    ['PAID', '1500.00', '1477.50', 'CARD'],
  )
  assert.deepEqual(renewal.product, { type: 'API_NOTIFICATION', reference: renewal.paymentReference })
  assert.deepEqual([renewal.metaData, renewal.paymentDescription], [{ plan: 'gold' }, 'March'])
  assert.deepEqual(
    [renewal.cardDetails?.cardToken, renewal.cardDetails?.maskedPan, renewal.cardDetails?.reusable],
    [cardToken, '411111******1111', true],
  )
  assert.deepEqual(await statusOf(shop, renewal.transactionReference), renewal)
  const [reported] = await events.count(1)
  assert.equal(reported?.event.eventData['paymentReference'], renewal.paymentReference)
  assert.ok(!reported?.body.includes(cardToken))
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('the same card has the same token per merchant; cards with a challenge are stored too', async () => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  const cardToken = await aToken(shop)
  assert.equal(await aToken(shop), cardToken)
  const theirs = await aToken(other)
  assert.notEqual(theirs, cardToken)
  assert.equal(await rejectedRenewal(404, shop, theirs), 'Invalid card token')
  const challenged = await charge(shop, await openTransaction(shop), CARDS.otp)
  const { transactionReference } = challenged
  await shop.call(contract.authorizeOtp, {
    body: { transactionReference, tokenId: challenged.otpData?.id ?? '', token: '123456' },
  })
  const { cardDetails } = await statusOf(shop, transactionReference)
  assert.equal((await renew(shop, cardDetails?.cardToken ?? '')).cardDetails?.cardType, 'VERVE')
})

test('a token works with the email of the payment that handed it out, regardless of earlier users of the card', async () => {
  const shop = await aShop()
  const ofAda = await aToken(shop)
  const ofBen = await aToken(shop, {}, 'ben@example.com')
  assert.notEqual(ofBen, ofAda)
  assert.equal(await aToken(shop, {}, 'BEN@example.com'), ofBen)
  const renewed = await renew(shop, ofBen, { customerEmail: 'ben@example.com' })
  assert.deepEqual([renewed.paymentStatus, renewed.cardDetails?.cardToken], ['PAID', ofBen])
  assert.equal((await renew(shop, ofAda)).paymentStatus, 'PAID')
  for (const [token, customerEmail] of [
    [ofAda, 'ben@example.com'],
    [ofBen, 'ada@example.com'],
  ] as const)
    assert.match(await rejectedRenewal(422, shop, token, { customerEmail }), /^customerEmail /)
})

test('a card stored before tokens were bound to an email keeps its token with its email', async () => {
  const shop = await aShop()
  const cardToken = await aToken(shop)
  const number = hidden(CARDS.success)
  const fingerprint = openVault(shop.core).fingerprint(shop.merchantId, number)
  await asOwner(
    shop.db.url,
    `update vault.card_on_file set fingerprint = '${fingerprint}' where token = '${cardToken}'`,
  )
  assert.equal(await aToken(shop), cardToken)
  assert.notEqual(await aToken(shop, {}, 'ben@example.com'), cardToken)
  assert.equal((await renew(shop, cardToken)).paymentStatus, 'PAID')
})

slow(
  'an unknown token is 404; an expired one, another email and a used reference are 422; another key is 400',
  async (t) => {
    const shop = await gateway(t)
    const { now } = await shop.call(contract.readClock, {})
    const year = new Date(now).getUTCFullYear()
    const cardToken = await aToken(shop, { expiryMonth: '12', expiryYear: String(year) })
    for (const unknown of ['KBO_00000000000000000000000000000000', 'nothing'])
      assert.equal(await rejectedRenewal(404, shop, unknown), 'Invalid card token')
    assert.match(await rejectedRenewal(422, shop, cardToken, { customerEmail: 'eve@example.com' }), /^customerEmail /)
    assert.match(await rejectedRenewal(400, shop, cardToken, { apiKey: 'MK_TEST_0000000000' }), /^apiKey /)
    assert.match(await rejectedRenewal(400, shop, cardToken, { amount: '19.99' }), /^amount must be at least 20$/)
    assert.match(await rejectedRenewal(422, shop, cardToken, { contractCode: '000000000000' }), /contract/)
    assert.match(await rejectedRenewal(422, shop, cardToken, { currencyCode: 'USD' }), /currency/)
    const { paymentReference } = await renew(shop, cardToken, { amount: 20 })
    assert.equal(await rejectedRenewal(422, shop, cardToken, { paymentReference }), 'Duplicate payment reference')
    assert.equal((await shop.db`select from payment`).count, 2)
    await shop.advance(365 * 86_400)
    assert.match(await rejectedRenewal(422, shop, cardToken), /expired/)
  },
)

test('a field that is missing or malformed is 400 and named', async () => {
  const shop = await aShop()
  const sound = aRenewal(shop, await aToken(shop))
  const required = [
    'cardToken',
    'amount',
    'customerName',
    'customerEmail',
    'paymentReference',
    'paymentDescription',
    'currencyCode',
    'contractCode',
    'apiKey',
  ] as const
  for (const field of required) {
    const { [field]: _, ...body } = sound
    const { message } = await shop.rejected(400, contract.chargeCardToken, { body })
    assert.equal(message, `${field} is required`)
  }
  assert.match(
    (await shop.rejected(400, contract.chargeCardToken, { body: { ...sound, amount: '1.005' } })).message,
    /^amount /,
  )
})

test('a declined renewal is 422 and FAILED; one without a response is PENDING until its outcome is known', async () => {
  const shop = await aShop()
  const cardToken = await aToken(shop)
  assert.equal(
    await rejectedRenewal(422, shop, cardToken, { amount: '100.51', paymentReference: 'r-1' }),
    'Insufficient funds',
  )
  const declined = await shop.call(contract.queryTransaction, { query: { paymentReference: 'r-1' } })
  assert.equal(declined.paymentStatus, 'FAILED')
  const unanswered = await renew(shop, cardToken, { amount: '100.68' })
  assert.deepEqual([unanswered.paymentStatus, unanswered.cardDetails], ['PENDING', null])
  await shop.advance(31)
  const known = await statusOf(shop, unanswered.transactionReference)
  assert.deepEqual([known.paymentStatus, known.cardDetails?.cardToken], ['PAID', cardToken])
})

test('twenty parallel renewals under one reference charge the card once', async () => {
  const shop = await aShop()
  const body = aRenewal(shop, await aToken(shop))
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => shop.send('POST', contract.chargeCardToken.path, { body })),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array.from({ length: 19 }, () => 422)])
  assert.equal((await shop.db`select from payment where merchant_id = ${shop.merchantId}`).count, 2)
  assert.equal((await shop.db`select from card_attempt where merchant_id = ${shop.merchantId}`).count, 2)
})
