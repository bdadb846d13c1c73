import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { hidden } from '../../src/kernel/hidden.ts'
import { kobo } from '../../src/kernel/money.ts'
import type { Card, ChargeRequest } from '../../src/rails/card.ts'
import type { PartnerRails } from '../../src/rails/not-sent.ts'

/** A card rail to be tested: card numbers with known outcomes, and codes. */
export interface CardRailSubject {
  readonly rail: PartnerRails['card']
  readonly cards: Readonly<Record<'approved' | 'otp' | '3ds' | 'declined' | 'silent', string>>
  readonly otp: string
  /** The card holder approves on the issuer's page. */
  readonly approve: (reference: string) => Promise<void>
}

export const aCard = (number: string, changes: Partial<Card> = {}): Card => ({
  number: hidden(number),
  expiryMonth: '12',
  expiryYear: '2099',
  cvv: hidden('123'),
  pin: null,
  ...changes,
})

export const aCharge = (number: string, changes: Partial<ChargeRequest> = {}): ChargeRequest => ({
  reference: randomUUID().replaceAll('-', ''),
  amount: kobo(500_000n),
  currencyCode: 'NGN',
  card: aCard(number),
  initiator: 'HOLDER',
  merchantName: 'Demo Shop',
  returnUrl: 'https://pay.example.com/3ds/1',
  ...changes,
})

/** The promises of every card rail. */
export function cardRailSuite(name: string, open: (t: TestContext) => Promise<CardRailSubject>): void {
  test(`${name}: an approved or declined charge is found with the same outcome`, async (t) => {
    const { rail, cards } = await open(t)
    for (const [number, kind] of [
      [cards.approved, 'approved'],
      [cards.declined, 'declined'],
    ] as const) {
      const request = aCharge(number)
      const outcome = await rail.charge(request)
      assert.equal(outcome.kind, kind)
      assert.deepEqual(await rail.find(request.reference), outcome)
    }
  })

  test(`${name}: a reference that is charged again gets its current outcome`, async (t) => {
    const { rail, cards, otp } = await open(t)
    const approved = aCharge(cards.approved)
    assert.deepEqual(await rail.charge(approved), await rail.charge(approved))
    const declined = aCharge(cards.declined)
    assert.deepEqual(await rail.charge(declined), await rail.charge(declined))
    const silent = aCharge(cards.silent)
    assert.deepEqual(await rail.charge(silent), { kind: 'unknown' })
    assert.equal((await rail.charge(silent)).kind, 'approved', 'also if the first got no response')
    const request = aCharge(cards.otp)
    await rail.charge(request)
    await rail.authorizeOtp({ reference: request.reference, otp: hidden(otp) })
    assert.equal((await rail.charge(request)).kind, 'approved')
  })

  test(`${name}: an unknown reference is not found, and that stays true`, async (t) => {
    const { rail, cards } = await open(t)
    const late = aCharge(cards.approved)
    const { reference } = late
    assert.equal((await rail.authorizeOtp({ reference, otp: hidden('123456') })).kind, 'declined')
    for (let n = 0; n < 2; n++) assert.deepEqual(await rail.find(reference), { kind: 'not found' })
    assert.deepEqual(await rail.findRefund(reference), { kind: 'not found' })
    assert.equal((await rail.charge(late)).kind, 'declined')
    const refund = await rail.refund({ reference: 'back', chargeReference: reference, amount: late.amount })
    assert.equal(refund.kind, 'refused')
  })

  test(`${name}: a wrong OTP leaves the charge as it was, the right one approves it, and a repeat changes nothing`, async (t) => {
    const { rail, cards, otp } = await open(t)
    const request = aCharge(cards.otp)
    const { reference } = request
    assert.equal((await rail.charge(request)).kind, 'otp required')
    assert.deepEqual(await rail.authorizeOtp({ reference, otp: hidden('000000') }), { kind: 'wrong otp' })
    assert.equal((await rail.find(reference)).kind, 'otp required')
    for (let n = 0; n < 2; n++)
      assert.deepEqual(await rail.authorizeOtp({ reference, otp: hidden(otp) }), { kind: 'approved', reusable: true })
    assert.equal((await rail.find(reference)).kind, 'approved')
  })

  test(`${name}: with 3-D Secure the card holder is sent to the issuer, and the outcome is known afterwards`, async (t) => {
    const { rail, cards, approve } = await open(t)
    const request = aCharge(cards['3ds'])
    const outcome = await rail.charge(request)
    assert.ok(outcome.kind === '3ds required' && outcome.acsUrl !== '')
    assert.deepEqual(await rail.find(request.reference), outcome)
    await approve(request.reference)
    assert.deepEqual(await rail.find(request.reference), { kind: 'approved', reusable: true })
  })

  test(`${name}: an issuer that does not respond is an unknown outcome, which a later query resolves`, async (t) => {
    const { rail, cards } = await open(t)
    const request = aCharge(cards.silent)
    assert.deepEqual(await rail.charge(request), { kind: 'unknown' })
    assert.equal((await rail.find(request.reference)).kind, 'approved')
  })

  test(`${name}: a refund runs once per reference and is found again; one without a response is known later`, async (t) => {
    const { rail, cards } = await open(t)
    const amount = kobo(100n)
    const approved = aCharge(cards.approved)
    await rail.charge(approved)
    const refund = { reference: randomUUID(), chargeReference: approved.reference, amount }
    for (let n = 0; n < 2; n++) assert.deepEqual(await rail.refund(refund), { kind: 'refunded' })
    assert.deepEqual(await rail.findRefund(refund.reference), { kind: 'refunded' })

    const silent = aCharge(cards.silent)
    await rail.charge(silent)
    const unanswered = { reference: randomUUID(), chargeReference: silent.reference, amount }
    assert.deepEqual(await rail.refund(unanswered), { kind: 'unknown' })
    assert.deepEqual(await rail.findRefund(unanswered.reference), { kind: 'refunded' })
    assert.deepEqual(await rail.refund(unanswered), { kind: 'refunded' }, 'a repeat returns its outcome')
  })

  test(`${name}: a rejected refund stays rejected, however often it is sent or queried`, async (t) => {
    const { rail, cards } = await open(t)
    const request = aCharge(cards.otp)
    await rail.charge(request)
    const refund = { reference: randomUUID(), chargeReference: request.reference, amount: request.amount }
    const rejected = await rail.refund(refund)
    assert.equal(rejected.kind, 'refused')
    assert.deepEqual(await rail.findRefund(refund.reference), rejected)
    assert.deepEqual(await rail.refund(refund), rejected)
  })

  test(`${name}: a refund that is queried before it is sent is not found, and never runs afterwards`, async (t) => {
    const { rail, cards } = await open(t)
    const approved = aCharge(cards.approved)
    await rail.charge(approved)
    const refund = { reference: randomUUID(), chargeReference: approved.reference, amount: approved.amount }
    assert.deepEqual(await rail.findRefund(refund.reference), { kind: 'not found' })
    for (let n = 0; n < 2; n++) assert.equal((await rail.refund(refund)).kind, 'refused')
    assert.deepEqual(await rail.findRefund(refund.reference), { kind: 'not found' })
    const another = { ...refund, reference: randomUUID() }
    assert.deepEqual(await rail.refund(another), { kind: 'refunded' }, 'under another reference it runs')
  })

  test(`${name}: a card on file is charged without its holder`, async (t) => {
    const { rail, cards } = await open(t)
    for (const number of [cards.approved, cards.otp, cards['3ds']]) {
      const onFile = aCharge(number, { initiator: 'MERCHANT', card: aCard(number, { cvv: null }) })
      assert.equal((await rail.charge(onFile)).kind, 'approved')
    }
  })
}
