import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { meaningOf } from '../../../src/features/cards/decline-messages.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import { aShop, type Client, gateway, type Shop, type TestGateway } from '../../harness/gateway.ts'
import { aCard, aTransaction, CARDS, checkoutReferenceOf } from '../../harness/samples.ts'

interface Payment {
  readonly transactionReference: string
  readonly checkoutReference: string
}

const aPayment = async (client: Client, changes: Parameters<typeof aTransaction>[1] = {}): Promise<Payment> => {
  const body = aTransaction(client, changes)
  const { transactionReference, checkoutUrl } = await client.call(contract.initTransaction, { body })
  return { transactionReference, checkoutReference: checkoutReferenceOf(checkoutUrl) }
}

/** The payer enters a card into the checkout's form. */
const payBy = (client: Client, params: Payment, number: string) =>
  client.call(contract.checkoutCard, { params, body: { card: aCard(number) } })

const rejectedCard = async (client: Client, params: Payment, card: object): Promise<string> =>
  (await client.rejected(400, contract.checkoutCard, { params, body: { card } })).message

test('a payer pays by card, even if the merchant itself may not handle cards', async () => {
  const shop = await aShop()
  const modest = await shop.anotherMerchant(['checkoutCards'])
  const params = await aPayment(modest)
  const { transactionReference } = params
  await modest.rejected(403, contract.chargeCard, { body: { transactionReference, card: aCard(CARDS.success) } })
  const { status, otp, redirectUrl, checkout } = await payBy(modest, params, CARDS.success)
  assert.deepEqual([status, otp, redirectUrl], ['SUCCESS', null, null])
  assert.deepEqual(
    [checkout.paymentStatus, checkout.completed, checkout.amountPaid, checkout.paymentMethod],
    ['PAID', true, 5_000, 'CARD'],
  )
  const record = await modest.call(contract.getTransaction, { params })
  assert.deepEqual([record.product.type, record.cardDetails?.last4], ['WEB_SDK', '1111'])
})

test('without the permission no card is offered or charged on the page, even if the payment was opened before it was withdrawn', async () => {
  const shop = await aShop()
  const params = await aPayment(shop)
  const { status, otp } = await payBy(shop, params, CARDS.otp)
  assert.equal(status, 'OTP_AUTHORIZATION_REQUIRED')
  await shop.call(contract.changeSettings, { body: { permissions: { checkoutCards: false } } })
  const { paymentMethods, canSaveCard } = await shop.call(contract.getCheckout, { params })
  assert.deepEqual([paymentMethods, canSaveCard], [['ACCOUNT_TRANSFER', 'USSD'], false])
  const rejected = { params, body: { card: aCard(CARDS.success) } }
  assert.equal((await shop.rejected(400, contract.checkoutCard, rejected)).code, 'METHOD_NOT_ENABLED')
  const code = { params, body: { tokenId: otp?.tokenId ?? '', token: '123456' } }
  assert.equal((await shop.rejected(422, contract.checkoutOtp, code)).code, 'METHOD_NOT_ENABLED')
  assert.equal((await shop.call(contract.getCheckout, { params })).paymentStatus, 'PENDING')

  const nobody = await shop.anotherMerchant([])
  const opened = await nobody.call(contract.initTransaction, { body: aTransaction(nobody) })
  assert.ok(!opened.enabledPaymentMethod.includes('CARD'))
  await nobody.rejected(422, contract.initTransaction, { body: aTransaction(nobody, { paymentMethods: ['CARD'] }) })
})

/** The card in the merchant's status record, and the recorded consent. */
async function keptOf(shop: Shop, { transactionReference }: Payment) {
  const params = { transactionReference }
  const { cardDetails } = await shop.call(contract.getTransaction, { params })
  const attempts = await shop.db<{ consent: string; heldNumber: string | null }[]>`
    select a.consent, a.held_number from card_attempt a join transaction t on t.merchant_id = a.merchant_id and t.id = a.transaction_id
     where t.transaction_reference = ${transactionReference}`
  return { token: cardDetails?.cardToken ?? null, reusable: cardDetails?.reusable, consent: attempts[0]?.consent }
}

test('a card is stored if its payer agrees, and the consent is recorded; without consent there is no token', async () => {
  const shop = await aShop()
  const silent = await aPayment(shop)
  assert.equal((await shop.call(contract.getCheckout, { params: silent })).canSaveCard, true)
  await payBy(shop, silent, CARDS.success)
  assert.deepEqual(await keptOf(shop, silent), { token: null, reusable: false, consent: 'none' })
  assert.equal((await shop.db`select from vault.card_on_file where merchant_id = ${shop.merchantId}`).count, 0)

  const agreed = await aPayment(shop)
  const saved = { card: aCard(CARDS.success), saveCard: 'checkout-1' } as const
  await shop.call(contract.checkoutCard, { params: agreed, body: saved })
  const { token, reusable, consent } = await keptOf(shop, agreed)
  assert.match(token ?? '', /^KBO_[0-9A-F]{32}$/)
  assert.deepEqual([reusable, consent], [true, 'checkout-1'])
  await shop.rejected(400, contract.checkoutCard, { params: agreed, body: { ...saved, saveCard: true } })

  // The payer stored a card earlier but does not agree this time, so the merchant gets no token this time.
  const again = await aPayment(shop)
  await payBy(shop, again, CARDS.success)
  assert.equal((await keptOf(shop, again)).token, null)
})

test('without consent, a number is not even held for the bank’s challenge', async () => {
  const shop = await aShop()
  const held = async ({ transactionReference }: Payment): Promise<boolean> => {
    const [attempt] = await shop.db<{ heldNumber: string | null }[]>`
      select a.held_number from card_attempt a join transaction t on t.merchant_id = a.merchant_id and t.id = a.transaction_id
       where t.transaction_reference = ${transactionReference}`
    return attempt?.heldNumber !== null
  }
  const confirm = async (params: Payment, otp: { tokenId: string } | null) =>
    shop.call(contract.checkoutOtp, { params, body: { tokenId: otp?.tokenId ?? '', token: '123456' } })
  const without = await aPayment(shop)
  const { otp } = await payBy(shop, without, CARDS.otp)
  assert.equal(await held(without), false)
  await confirm(without, otp)
  assert.equal((await keptOf(shop, without)).token, null)
  const agreed = await aPayment(shop)
  const challenged = await shop.call(contract.checkoutCard, {
    params: agreed,
    body: { card: aCard(CARDS.otp), saveCard: 'checkout-1' },
  })
  assert.equal(await held(agreed), true)
  await confirm(agreed, challenged.otp)
  assert.match((await keptOf(shop, agreed)).token ?? '', /^KBO_/)
})

test('for a merchant that may not charge stored cards, none is stored, even with consent', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { permissions: { recurring: false } } })
  const params = await aPayment(shop)
  assert.equal((await shop.call(contract.getCheckout, { params })).canSaveCard, false)
  await shop.call(contract.checkoutCard, { params, body: { card: aCard(CARDS.success), saveCard: 'checkout-1' } })
  assert.equal((await keptOf(shop, params)).token, null)
  const { transactionReference } = await aPayment(shop)
  const body = { transactionReference, collectionChannel: 'API_NOTIFICATION', card: aCard(CARDS.success) } as const
  await shop.call(contract.chargeCard, { body })
  assert.equal((await keptOf(shop, { transactionReference, checkoutReference: '' })).token, null)
})

test('a card that needs a code: wrong codes are reported, the right one pays', async () => {
  const shop = await aShop()
  const params = await aPayment(shop)
  const { status, otp, checkout } = await payBy(shop, params, CARDS.otp)
  assert.deepEqual(
    [status, checkout.paymentStatus, checkout.cardInProgress],
    ['OTP_AUTHORIZATION_REQUIRED', 'PENDING', false],
  )
  const tokenId = otp?.tokenId ?? assert.fail('a code is requested')
  const wrong = await shop.rejected(422, contract.checkoutOtp, { params, body: { tokenId, token: '000000' } })
  assert.match(wrong.message, /^Wrong OTP, 4 attempts left/)
  await shop.rejected(422, contract.checkoutOtp, { params, body: { tokenId: 'f'.repeat(32), token: '123456' } })
  await shop.rejected(400, contract.checkoutOtp, { params, body: { tokenId } })
  // A phone that reloads the page when its payer returns from the message continues at the same step.
  const { card } = await shop.call(contract.getCheckout, { params })
  assert.deepEqual(
    [card?.step, card?.tokenId, card?.triesLeft, card?.brand, card?.last4],
    ['CODE', tokenId, 4, 'Verve', '7093'],
  )
  const confirmed = await shop.call(contract.checkoutOtp, { params, body: { tokenId, token: '123456' } })
  assert.deepEqual([confirmed.status, confirmed.checkout.paymentStatus], ['SUCCESS', 'PAID'])
  const { receiptNumber, payer, card: paid } = confirmed.checkout
  assert.deepEqual([paid?.step, paid?.last4, paid?.tokenId, payer], ['PAID', '7093', null, 'Ada Obi'])
  assert.match(receiptNumber, /^R-\d{14}-\d{8}$/)
})

test('a card with 3-D Secure redirects the payer to its issuer', async () => {
  const shop = await aShop()
  const params = await aPayment(shop)
  const { status, redirectUrl } = await payBy(shop, params, CARDS.secure3d)
  assert.equal(status, 'BANK_AUTHORIZATION_REQUIRED')
  assert.ok(redirectUrl?.startsWith(shop.url))
  const { card } = await shop.call(contract.getCheckout, { params })
  assert.deepEqual([card?.step, card?.redirectUrl], ['BANK', redirectUrl])
})

test('a declined card shows its reason, and the payer may retry or use another payment method', async () => {
  const shop = await aShop()
  const params = await aPayment(shop)
  assert.match(await rejectedCard(shop, params, aCard(CARDS.insufficientFunds)), /insufficient funds/i)
  const failed = await shop.call(contract.getCheckout, { params })
  assert.deepEqual([failed.paymentStatus, failed.completed], ['FAILED', false])
  assert.deepEqual([failed.card?.step, failed.card?.decline], ['DECLINED', 'INSUFFICIENT_FUNDS'])
  assert.deepEqual([...failed.paymentMethods].sort(), ['ACCOUNT_TRANSFER', 'CARD', 'USSD'])
  assert.equal((await payBy(shop, params, CARDS.success)).checkout.paymentStatus, 'PAID')
})

test('while an issuer is silent the payment is in progress; the page then shows the late outcome', async () => {
  const shop = await aShop()
  const params = await aPayment(shop)
  const { status, checkout } = await payBy(shop, params, CARDS.silent)
  assert.deepEqual([status, checkout.paymentStatus, checkout.cardInProgress], ['PENDING', 'PENDING', true])
  await shop.advance(60)
  const later = await shop.call(contract.getCheckout, { params })
  assert.deepEqual([later.paymentStatus, later.cardInProgress, later.completed], ['PAID', false, true])
})

test('an invalid card, or a payment that takes no cards, is rejected', async () => {
  const shop = await aShop()
  const params = await aPayment(shop)
  assert.equal(await rejectedCard(shop, params, aCard(CARDS.invalid)), 'Invalid card number')
  assert.equal(await rejectedCard(shop, params, aCard(CARDS.success, { expiryYear: '2020' })), 'Card has expired')
  assert.match(await rejectedCard(shop, params, { ...aCard(CARDS.success), cvv: '1' }), /^card\.cvv /)
  const transfersOnly = await aPayment(shop, { paymentMethods: ['ACCOUNT_TRANSFER'] })
  await rejectedCard(shop, transfersOnly, aCard(CARDS.success))
  const nothing = { checkoutReference: 'KOBO|00|20260301093000|000001' }
  await shop.rejected(404, contract.checkoutCard, { params: nothing, body: { card: aCard(CARDS.success) } })
  await shop.rejected(404, contract.checkoutOtp, { params: nothing, body: { tokenId: 'a', token: '1' } })
})

test('card data entered into the checkout is never logged, returned or sent', async (t: TestContext) => {
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

test('card charges per IP address and minute are limited', async (t) => {
  const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '100000' } })
  const params = await aPayment(shop)
  const body = { card: aCard(CARDS.invalid) }
  for (let i = 0; i < 60; i++) await shop.rejected(400, contract.checkoutCard, { params, body })
  await shop.rejected(429, contract.checkoutCard, { params, body })
})

for (const [reason, meaning] of [
  ['Insufficient funds', 'INSUFFICIENT_FUNDS'],
  ['51', 'INSUFFICIENT_FUNDS'],
  ['Incorrect PIN', 'WRONG_PIN'],
  ['Too many wrong OTPs', 'TOO_MANY_CODES'],
  ['The OTP has expired', 'TOO_LATE'],
  ['Authentication timed out', 'TOO_LATE'],
  ['The card holder refused the payment', 'NOT_CONFIRMED'],
  ['Invalid card number (14)', 'WRONG_DETAILS'],
  ['Expired card', 'EXPIRED_CARD'],
  ['Card reported stolen', 'BLOCKED_CARD'],
  ['Exceeds withdrawal limit', 'LIMIT_EXCEEDED'],
  ['Transaction not permitted to card holder', 'NOT_PERMITTED'],
  ['Suspected fraud', 'SUSPECTED_FRAUD'],
  ['Issuer or switch inoperative', 'ISSUER_AWAY'],
  ['The charge did not reach the card network', 'ISSUER_AWAY'],
  ['Do not honour', 'OTHER'],
  ['', 'OTHER'],
] as const)
  test(`the issuer’s "${reason}" is shown to the payer as ${meaning}`, () => assert.equal(meaningOf(reason), meaning))
