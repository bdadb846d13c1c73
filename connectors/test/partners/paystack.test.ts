import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import {
  CHECKS_OF_TRANSFERS,
  connected,
  logsNoSecrets,
  passesAdapterTest,
  survivesLostResponses,
} from '../conformance.ts'
import { CARDS, paystack, SECRET_KEY } from '../simulators/paystack.ts'

async function world(t: TestContext) {
  const psp = await paystack(t)
  const connector = await connected(t, 'paystack', { URL: psp.url, SECRET_KEY, EMAIL: 'payments@example.com' })
  return { psp, connector }
}

const aCharge = (number: string, more: object = {}) => ({
  reference: `KFCC${randomUUID().replaceAll('-', '')}`,
  amount: 10_000,
  currencyCode: 'NGN',
  card: { number, expiryMonth: '12', expiryYear: '2030', cvv: '408', pin: '0000' },
  initiator: 'HOLDER',
  merchantName: 'Demo Shop',
  returnUrl: 'https://example.com/back',
  ...more,
})

test('the connector to Paystack passes the adapter test; charges without a response are found', async (t) => {
  const { psp, connector } = await world(t)
  assert.deepEqual(await passesAdapterTest(connector), CHECKS_OF_TRANSFERS)
  const before = psp.charged()
  const requests: { reference: string }[] = []
  const next = () => {
    const charge = aCharge(CARDS.approved)
    requests.push(charge)
    return charge
  }
  await survivesLostResponses(connector, psp, /^\/charge$/, 'card/charge', next, { kind: 'unknown' })
  for (const { reference } of requests)
    assert.deepEqual(await connector.ask('card/find', { reference }), { kind: 'approved', reusable: false })
  assert.equal(psp.charged(), before + requests.length)
  assert.deepEqual(await connector.ask('card/find', { reference: 'KFCCnobody' }), { kind: 'unknown' })
  logsNoSecrets(connector, SECRET_KEY, CARDS.approved)
})

test('a holder enters an OTP or goes to the issuer’s page; each reason for a failed charge is distinguished', async (t) => {
  const { psp, connector } = await world(t)
  const charge = async (number: string, more: object = {}) =>
    (await connector.ask('card/charge', aCharge(number, more)))['kind']
  const withOtp = aCharge(CARDS.otp)
  assert.deepEqual(await connector.ask('card/charge', withOtp), { kind: 'otp required', message: 'Please enter OTP' })
  const otp = (code: string) => connector.ask('card/authorize-otp', { reference: withOtp.reference, otp: code })
  assert.deepEqual(await otp('000000'), { kind: 'wrong otp' })
  psp.loseResponse('lost', /submit_otp$/)
  assert.deepEqual(await otp('123456'), { kind: 'unknown' })
  assert.deepEqual(await connector.ask('card/find', withOtp), { kind: 'approved', reusable: false })

  const withPage = aCharge(CARDS.page)
  assert.deepEqual(await connector.ask('card/charge', withPage), {
    kind: '3ds required',
    acsUrl: `https://standard.paystack.co/3ds/${withPage.reference}`,
    method: 'GET',
  })
  psp.finishPage(withPage.reference)
  assert.deepEqual(await connector.ask('card/find', withPage), { kind: 'approved', reusable: false })

  assert.equal(await charge(CARDS.declined), 'declined')
  assert.equal(await charge(CARDS.odd), 'unknown', 'an unlisted status')
  assert.equal(await charge(CARDS.approved, { initiator: 'MERCHANT' }), 'not sent')
  assert.equal(await charge(CARDS.approved, { currencyCode: 'USD' }), 'not sent')
  const rejected = aCharge(CARDS.approved)
  assert.deepEqual(await connector.ask('card/charge', { ...rejected, card: { ...rejected.card, cvv: '999' } }), {
    kind: 'declined',
    reason: 'Invalid cvv',
  })
  logsNoSecrets(connector, SECRET_KEY, CARDS.otp, '123456')
})

test('a refund runs once, and is found by its note', async (t) => {
  const { psp, connector } = await world(t)
  const charge = aCharge(CARDS.approved)
  await connector.ask('card/charge', charge)
  const refund = (amount: number) => ({ reference: `RFND|${randomUUID()}`, chargeReference: charge.reference, amount })
  const first = refund(4_000)
  assert.deepEqual(await connector.ask('card/refund', first), { kind: 'refunded' })
  assert.deepEqual(await connector.ask('card/refund', first), { kind: 'refunded' })
  assert.equal(psp.refunded(), 1, 'requested twice, it was sent once')
  psp.refundAs('pending')
  const slow = refund(1_000)
  assert.deepEqual(await connector.ask('card/refund', slow), { kind: 'unknown' })
  psp.refundAs('processed')
  assert.deepEqual(await connector.ask('card/find-refund', slow), { kind: 'refunded' })
  const lost = refund(1_000)
  psp.loseResponse('half', /^\/refund$/)
  assert.equal(
    (await connector.ask('card/refund', lost))['kind'],
    'not sent',
    'the existing refunds could not be searched',
  )
  assert.equal(psp.refunded(), 2)
  assert.deepEqual(await connector.ask('card/refund', refund(9_000)), {
    kind: 'refused',
    reason: 'Transaction cannot be refunded',
  })
  const { reference } = slow
  assert.deepEqual(await connector.ask('card/find-refund', { reference }), { kind: 'unknown' })
})

test('a signed event makes the gateway query; its content is ignored', async (t) => {
  const { psp, connector } = await world(t)
  const url = `${connector.callbackUrl}/events`
  const event = { event: 'charge.success', data: { reference: 'KFCC1', status: 'success', amount: 10_000 } }
  assert.equal(await psp.event(url, event, 'another key'), 401)
  assert.deepEqual(connector.notifications, [])
  assert.equal(await psp.event(url, event), 200)
  assert.equal(await psp.event(url, { event: 'transfer.success', data: { reference: 'KFDS1' } }), 200)
  assert.deepEqual(connector.notifications, [{ operation: 'outcomes', notice: { reference: 'KFCC1' } }])
})
