import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { hidden } from '../../../src/kernel/hidden.ts'
import { simulatedAccessControl, simulatedBook } from '../../../src/rails/simulated/index.ts'
import { aShop, type Client, gateway } from '../../harness/gateway.ts'
import { aCard, CARDS, charge, openTransaction, statusOf } from '../../harness/samples.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

type Charged = Reply<typeof contract.chargeCard>

const SHOP = 'https://shop.example.com/thanks?basket=7'

/** A charge with a challenge at the issuer's page. */
const challenged = async (client: Client, changes: Parameters<typeof openTransaction>[1] = {}): Promise<Charged> =>
  charge(client, await openTransaction(client, changes), CARDS.secure3d)

const urlOf = ({ secure3dData }: Charged): string => secure3dData?.acsUrl ?? ''

async function look(url: string): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(url, { redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Submits the page's form, as a browser without script does. */
const decide = (charged: Charged, form: Record<string, string>): Promise<Response> =>
  fetch(urlOf(charged), { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
const approve = (charged: Charged, otp = '123456'): Promise<Response> => decide(charged, { decision: 'approve', otp })

const query = (client: Client, { transactionReference }: Charged, number: string = CARDS.secure3d) =>
  client.call(contract.authorizeSecure3d, {
    body: { transactionReference, card: aCard(number), apiKey: client.credentials.apiKey },
  })

const rejectedCharge = async (client: Client, transactionReference: string, number: string): Promise<string> => {
  const body = { transactionReference, card: aCard(number), apiKey: client.credentials.apiKey }
  return (await client.rejected(422, contract.authorizeSecure3d, { body })).message
}

test('the payer approves at the issuer’s page and returns to the shop; the charge is settled without a further call', async (t) => {
  const shop = await aShop()
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: events.url } } })
  const charged = await challenged(shop, { redirectUrl: SHOP, paymentReference: 'order 1', amount: 12_500 })
  const { secure3dData, ...result } = charged
  assert.deepEqual([result.status, result.message], ['BANK_AUTHORIZATION_REQUIRED', '3D Secure Authorization required'])
  assert.match(secure3dData?.id ?? '', /^[0-9a-f]{32}$/)
  assert.deepEqual(
    [secure3dData?.redirectUrl, secure3dData?.method],
    [`${shop.url}/sandbox/3ds/${secure3dData?.id}`, 'GET'],
  )
  const still = await query(shop, charged)
  assert.deepEqual([still.status, still.secure3dData], ['BANK_AUTHORIZATION_REQUIRED', secure3dData])
  assert.deepEqual([still.paymentStatus, still.amountPaid, still.currencyPaid], ['PENDING', 0, 'NGN'])

  const page = await look(urlOf(charged))
  assert.equal(page.status, 200)
  for (const part of [
    'Demo Shop',
    '₦12,500.00',
    '•••• 0002',
    'Access bank',
    'name="otp"',
    'value="approve"',
    'value="refuse"',
  ])
    assert.ok(page.text.includes(part), part)

  const answered = await approve(charged)
  assert.deepEqual(
    [answered.status, answered.headers.get('location')],
    [303, 'https://shop.example.com/thanks?basket=7&paymentReference=order+1'],
  )
  const { paymentStatus, cardDetails } = await statusOf(shop, charged.transactionReference)
  assert.deepEqual([paymentStatus, cardDetails?.reusable, cardDetails?.bankCode], ['PAID', true, '044'])
  assert.match(cardDetails?.cardToken ?? '', /^KBO_/)
  assert.equal((await events.count(1))[0]?.event.eventData['paymentReference'], 'order 1')
  const requested = await query(shop, charged)
  assert.deepEqual([requested.status, requested.paymentStatus, requested.amountPaid], ['SUCCESS', 'PAID', 12_500])

  assert.equal((await approve(charged)).status, 303, 'a second approval leads back and does nothing')
  assert.match((await look(urlOf(charged))).text, /You approved this payment/)
  assert.equal((await shop.db`select from payment where merchant_id = ${shop.merchantId}`).count, 1)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('the payer declines: the charge is declined, the transaction FAILED, and it may be charged again', async () => {
  const shop = await aShop()
  const charged = await challenged(shop)
  const { transactionReference } = charged
  const rejected = await decide(charged, { decision: 'refuse' })
  const receipt = `${shop.url}/checkout/${encodeURIComponent(transactionReference)}.`
  assert.equal(rejected.status, 303)
  assert.ok(rejected.headers.get('location')?.startsWith(receipt))
  assert.equal((await statusOf(shop, transactionReference)).paymentStatus, 'FAILED')
  assert.match(await rejectedCharge(shop, transactionReference, CARDS.secure3d), /refused the payment/)
  assert.match((await look(urlOf(charged))).text, /The card holder refused the payment/)
  await charge(shop, transactionReference, CARDS.success)
})

test('a wrong code is reported and may be retried; the fifth ends it; so do ten minutes', async () => {
  const shop = await aShop()
  const erring = await challenged(shop)
  for (let n = 1; n < 5; n++) {
    const page = await approve(erring, '000000')
    assert.equal(page.status, 422)
    const text = await page.text()
    assert.match(text, /role="alert"/)
    assert.match(text, /aria-invalid="true"/)
  }
  assert.equal((await approve(erring, '000000')).status, 303)
  assert.match(await rejectedCharge(shop, erring.transactionReference, CARDS.secure3d), /Too many wrong OTPs/)

  const waiting = await challenged(shop)
  await shop.advance(640)
  assert.equal((await statusOf(shop, waiting.transactionReference)).paymentStatus, 'FAILED')
  assert.match((await look(urlOf(waiting))).text, /Authentication timed out/)
  assert.equal((await approve(waiting)).status, 303)
  assert.equal((await statusOf(shop, waiting.transactionReference)).paymentStatus, 'FAILED')
})

test('an approval without a notification is found by a query', async (t) => {
  const shop = await gateway(t)
  const [byCall, byTime, byReturn] = [await challenged(shop), await challenged(shop), await challenged(shop)]
  for (const { secure3dData } of [byCall, byTime, byReturn])
    await shop.db`update simulated_entry set facts = '{"state":"approved","reusable":true}' where reference = ${secure3dData?.id ?? ''}`
  assert.equal((await query(shop, byCall)).paymentStatus, 'PAID')
  const back = await fetch(`${shop.url}/3ds/${byReturn.secure3dData?.id}`, { method: 'POST', redirect: 'manual' })
  assert.equal(back.status, 303)
  assert.equal((await statusOf(shop, byReturn.transactionReference)).paymentStatus, 'PAID')
  assert.equal((await statusOf(shop, byTime.transactionReference)).paymentStatus, 'PENDING')
  await shop.advance(31)
  assert.equal((await statusOf(shop, byTime.transactionReference)).paymentStatus, 'PAID')
  assert.equal((await shop.db`select from payment`).count, 3)
})

test('a superseded charge takes no approval; one that slips through goes back to the card', async (t) => {
  const shop = await gateway(t)
  const old = await challenged(shop)
  const { transactionReference } = old
  await charge(shop, transactionReference, CARDS.success)
  assert.equal((await approve(old)).status, 303)
  assert.match((await look(urlOf(old))).text, /This payment has ended/)

  await shop.db`update simulated_entry set facts = '{"state":"approved","reusable":true}' where reference = ${old.secure3dData?.id ?? ''}`
  await shop.advance(31)
  const attempts = await shop.db<{ status: string }[]>`select status from card_attempt order by number`
  assert.deepEqual(
    attempts.map(({ status }) => status),
    ['REVERSED', 'APPROVED'],
  )
  assert.equal((await shop.db`select from payment`).count, 1)
  assert.equal((await shop.db`select from vault.card_on_file`).count, 1)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a transaction that has ended takes no approval at the page', async () => {
  const shop = await aShop()
  const charged = await challenged(shop)
  await shop.call(contract.cancelTransaction, { params: charged })
  assert.match((await look(urlOf(charged))).text, /This payment has ended/)
  assert.equal((await approve(charged)).status, 303)
  assert.match(await rejectedCharge(shop, charged.transactionReference, CARDS.secure3d), /cancelled/)
  assert.equal((await shop.db`select from payment where merchant_id = ${shop.merchantId}`).count, 0)
})

test('parallel approvals and declines lead to one decision and at most one payment', async () => {
  const shop = await aShop()
  const charged = await challenged(shop)
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? approve(charged) : decide(charged, { decision: 'refuse' }))),
  )
  assert.equal(
    (
      await shop.db`select from card_attempt where merchant_id = ${shop.merchantId} and status in ('APPROVED', 'DECLINED')`
    ).count,
    1,
  )
  assert.ok((await shop.db`select from payment where merchant_id = ${shop.merchantId}`).count <= 1)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('an approval and a decline from two open pages lead to one decision', async () => {
  const shop = await aShop()
  const charged = await challenged(shop)
  const book = simulatedBook(shop.db)
  const seen = Promise.withResolvers<void>()
  let readers = 0
  const read: typeof book.read = async (...what) => {
    const entry = await book.read(...what)
    if (++readers === 2) seen.resolve()
    await seen.promise
    return entry
  }
  const control = simulatedAccessControl({ clock: shop.core.clock, book: { ...book, read } })
  const reference = charged.secure3dData?.id ?? ''
  const responses = await Promise.all([control.approve(reference, hidden('123456')), control.refuse(reference)])
  assert.equal(responses.filter((response) => response === 'over').length, 1, responses.join())
})

test('a query is rejected before a charge, for another card, another key, an unknown transaction; fields are named', async () => {
  const shop = await aShop()
  assert.equal(
    await rejectedCharge(shop, await openTransaction(shop), CARDS.secure3d),
    'No Card Payment found for this transaction',
  )
  assert.equal(await rejectedCharge(shop, 'nothing', CARDS.secure3d), 'Could not find specified transaction')
  const { transactionReference } = await challenged(shop)
  assert.equal(await rejectedCharge(shop, transactionReference, CARDS.success), 'card is not the card that was charged')
  const sound = { transactionReference, card: aCard(CARDS.secure3d), apiKey: shop.credentials.apiKey }
  for (const [body, message] of [
    [{ ...sound, apiKey: 'MK_TEST_0000000000' }, /^apiKey /],
    [{ ...sound, apiKey: undefined }, /^apiKey is required/],
    [{ ...sound, card: aCard(CARDS.invalid) }, /^Invalid card number$/],
    [{ ...sound, transactionReference: undefined }, /^transactionReference is required/],
  ] as const)
    assert.match((await shop.rejected(400, contract.authorizeSecure3d, { body })).message, message)
  const withOtp = await charge(shop, await openTransaction(shop), CARDS.otp)
  assert.equal((await query(shop, withOtp, CARDS.otp)).status, 'OTP_AUTHORIZATION_REQUIRED')
  const body = { transactionReference, tokenId: (await challenged(shop)).secure3dData?.id, token: '123456' }
  assert.match((await shop.rejected(422, contract.authorizeOtp, { body })).message, /tokenId/)
})

test('the page loads nothing from elsewhere, cannot be framed, escapes its content, and its form leads only to the shop', async () => {
  const shop = await aShop()
  const charged = await challenged(shop, { redirectUrl: SHOP, paymentDescription: '<script>alert(1)</script>' })
  const { headers, text } = await look(urlOf(charged))
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'/)
  assert.match(policy, /form-action 'self' https:\/\/shop\.example\.com(;|$)/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|\*|script-src/)
  assert.deepEqual([headers.get('cache-control'), headers.get('referrer-policy')], ['no-store', 'no-referrer'])
  assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt;') && !text.includes('<script'))
  assert.doesNotMatch(text, /(src|href|action)="(https?:)?\/\//)
  for (const reference of ['nothing', '0'.repeat(32)])
    for (const path of ['sandbox/3ds', '3ds']) {
      const unknown = await look(`${shop.url}/${path}/${reference}`)
      assert.equal(unknown.status, 404)
      assert.match(unknown.text, /Payment not found/)
    }
})
