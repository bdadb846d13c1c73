import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { openLog } from '../../../src/platform/log.ts'
import { aShop, type Client, gateway, type TestGateway } from '../../harness/gateway.ts'
import { aCard, aTransaction, CARDS, pay } from '../../harness/samples.ts'

interface Payment {
  readonly transactionReference: string
}

const aPayment = async (client: Client, changes: Parameters<typeof aTransaction>[1] = {}): Promise<Payment> => {
  const { transactionReference } = await client.call(contract.initTransaction, { body: aTransaction(client, changes) })
  return { transactionReference }
}

/** The payer writes a card into the checkout's form. */
const payBy = (client: Client, params: Payment, number: string) =>
  client.call(contract.checkoutCard, { params, body: { card: aCard(number) } })

const refusedCard = async (client: Client, params: Payment, card: object): Promise<string> =>
  (await client.refused(400, contract.checkoutCard, { params, body: { card } })).message

test('a payer pays by card, also where the merchant itself may not handle cards', async () => {
  const shop = await aShop()
  const modest = await shop.anotherMerchant([])
  const params = await aPayment(modest)
  await modest.refused(403, contract.chargeCard, { body: { ...params, card: aCard(CARDS.success) } })
  const { status, otp, redirectUrl, checkout } = await payBy(modest, params, CARDS.success)
  assert.deepEqual([status, otp, redirectUrl], ['SUCCESS', null, null])
  assert.deepEqual(
    [checkout.paymentStatus, checkout.completed, checkout.amountPaid, checkout.paymentMethod],
    ['PAID', true, 5_000, 'CARD'],
  )
  const record = await modest.call(contract.getTransaction, { params })
  assert.deepEqual([record.product.type, record.cardDetails?.last4], ['WEB_SDK', '1111'])
})

test('a card that needs a code: wrong ones are told, the right one pays', async () => {
  const shop = await aShop()
  const params = await aPayment(shop)
  const { status, otp, checkout } = await payBy(shop, params, CARDS.otp)
  assert.deepEqual(
    [status, checkout.paymentStatus, checkout.cardInProgress],
    ['OTP_AUTHORIZATION_REQUIRED', 'PENDING', false],
  )
  const tokenId = otp?.tokenId ?? assert.fail('a code is asked for')
  const wrong = await shop.refused(422, contract.checkoutOtp, { params, body: { tokenId, token: '000000' } })
  assert.match(wrong.message, /^Wrong OTP, 4 more tries/)
  await shop.refused(422, contract.checkoutOtp, { params, body: { tokenId: 'f'.repeat(32), token: '123456' } })
  await shop.refused(400, contract.checkoutOtp, { params, body: { tokenId } })
  const confirmed = await shop.call(contract.checkoutOtp, { params, body: { tokenId, token: '123456' } })
  assert.deepEqual([confirmed.status, confirmed.checkout.paymentStatus], ['SUCCESS', 'PAID'])
})

test('a card with 3-D Secure sends the payer to its issuer', async () => {
  const shop = await aShop()
  const { status, redirectUrl } = await payBy(shop, await aPayment(shop), CARDS.secure3d)
  assert.equal(status, 'BANK_AUTHORIZATION_REQUIRED')
  assert.ok(redirectUrl?.startsWith(shop.url))
})

test('a declined card is told with its reason, and the payer may try again or pay another way', async () => {
  const shop = await aShop()
  const params = await aPayment(shop)
  assert.match(await refusedCard(shop, params, aCard(CARDS.insufficientFunds)), /insufficient funds/i)
  const failed = await shop.call(contract.getCheckout, { params })
  assert.deepEqual([failed.paymentStatus, failed.completed], ['FAILED', false])
  assert.deepEqual([...failed.paymentMethods].sort(), ['ACCOUNT_TRANSFER', 'CARD', 'USSD'])
  assert.equal((await payBy(shop, params, CARDS.success)).checkout.paymentStatus, 'PAID')
})

test('while an issuer is silent the payment is in progress; what it says later is what the page shows', async () => {
  const shop = await aShop()
  const params = await aPayment(shop)
  const { status, checkout } = await payBy(shop, params, CARDS.silent)
  assert.deepEqual([status, checkout.paymentStatus, checkout.cardInProgress], ['PENDING', 'PENDING', true])
  await shop.advance(60)
  const later = await shop.call(contract.getCheckout, { params })
  assert.deepEqual([later.paymentStatus, later.cardInProgress, later.completed], ['PAID', false, true])
})

test('what is no card, or not to be paid by one, is refused', async () => {
  const shop = await aShop()
  const params = await aPayment(shop)
  assert.equal(await refusedCard(shop, params, aCard(CARDS.invalid)), 'Invalid card number')
  assert.equal(await refusedCard(shop, params, aCard(CARDS.success, { expiryYear: '2020' })), 'Card has expired')
  assert.match(await refusedCard(shop, params, { ...aCard(CARDS.success), cvv: '1' }), /^card\.cvv /)
  const { account } = await shop.call(contract.checkoutTransfer, { params, body: {} })
  await pay(shop, account ?? assert.fail('an account'), 100)
  await refusedCard(shop, params, aCard(CARDS.success))
  const transfersOnly = await aPayment(shop, { paymentMethods: ['ACCOUNT_TRANSFER'] })
  await refusedCard(shop, transfersOnly, aCard(CARDS.success))
  const nothing = { transactionReference: 'KOBO|00|20260301093000|000001' }
  await shop.refused(404, contract.checkoutCard, { params: nothing, body: { card: aCard(CARDS.success) } })
  await shop.refused(404, contract.checkoutOtp, { params: nothing, body: { tokenId: 'a', token: '1' } })
})

test('of a card that a payer writes into the checkout nothing is logged, answered or told', async (t: TestContext) => {
  const lines: string[] = []
  const shop: TestGateway = await gateway(t, { log: openLog('trace', { write: (line) => void lines.push(line) }) })
  const params = await aPayment(shop)
  const card = aCard(CARDS.otp, { cvv: '739', pin: '1234' })
  const { otp } = await shop.call(contract.checkoutCard, { params, body: { card } })
  await shop.call(contract.checkoutOtp, { params, body: { tokenId: otp?.tokenId ?? '', token: '123456' } })
  const events = await shop.call(contract.listEvents, { query: {} })
  const shown = await shop.call(contract.getCheckout, { params })
  for (const text of [lines.join('\n'), JSON.stringify(events), JSON.stringify(shown)])
    for (const secret of [CARDS.otp, '"739"', '123456"']) assert.ok(!text.includes(secret), secret)
})

test('one address charges only so many cards in a minute', async (t) => {
  const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '100000' } })
  const params = await aPayment(shop)
  const body = { card: aCard(CARDS.invalid) }
  for (let i = 0; i < 60; i++) await shop.refused(400, contract.checkoutCard, { params, body })
  await shop.refused(429, contract.checkoutCard, { params, body })
})
