import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { hidden } from '../../src/kernel/hidden.ts'
import { kobo } from '../../src/kernel/money.ts'
import type { SimulatedBook } from '../../src/rails/simulated/index.ts'
import { simulatedAccessControl, simulatedRails } from '../../src/rails/simulated/index.ts'
import { aCard, aCharge, cardRailSuite } from './card-suite.ts'

const CARDS = {
  approved: '4111111111111111',
  otp: '5060995994247093',
  '3ds': '4000000000000002',
  declined: '5399838383838381',
  silent: '4242424242424242',
} as const

/** A simulated world whose clock and memory the test holds. */
function world() {
  const entries = new Map<string, { facts: Record<string, unknown>; at: Date }>()
  const book: SimulatedBook = {
    replace: async (rail, reference, before, facts) => {
      const entry = entries.get(`${rail} ${reference}`)
      if (entry === undefined || !isDeepStrictEqual(entry.facts, before)) return false
      entry.facts = { ...facts }
      return true
    },
    keep: async (rail, reference, facts, at) => {
      const key = `${rail} ${reference}`
      const entry = entries.get(key) ?? { facts: { ...facts }, at }
      entries.set(key, entry)
      return entry
    },
    read: async (rail, reference) => {
      const entry = entries.get(`${rail} ${reference}`)
      return entry && { ...entry }
    },
  }
  const clock = { now: () => clock.at, at: new Date('2026-03-01T09:30:00Z') }
  const { card: rail } = simulatedRails({ clock, book })
  return { rail, clock, book, entries, control: simulatedAccessControl({ clock, book }) }
}

cardRailSuite('the simulated card rail', async () => {
  const { rail, control } = world()
  const approve = async (reference: string): Promise<void> =>
    assert.equal(await control.approve(reference, hidden('123456')), 'approved')
  return { rail, cards: CARDS, otp: '123456', approve }
})

test('only reusable cards and cards confirmed by their holder can be charged again', async () => {
  const { rail } = world()
  assert.deepEqual(await rail.charge(aCharge(CARDS.approved)), { kind: 'approved', reusable: true })
  assert.deepEqual(await rail.charge(aCharge('4111111111111129')), { kind: 'approved', reusable: false })
})

test('a wrong PIN is declined on any card; the right one or none passes', async () => {
  const { rail } = world()
  for (const number of Object.values(CARDS)) {
    const card = aCard(number, { pin: hidden('4321') })
    assert.deepEqual(await rail.charge(aCharge(number, { card })), { kind: 'declined', reason: 'Incorrect PIN' })
  }
  const card = aCard(CARDS.approved, { pin: hidden('1234') })
  assert.equal((await rail.charge(aCharge(CARDS.approved, { card }))).kind, 'approved')
})

test('the kobo of an amount make a charge of a card on file fail or time out, but not one by its holder', async () => {
  const { rail } = world()
  for (const [amount, onFile, byHolder] of [
    [kobo(500_051n), 'declined', 'approved'],
    [kobo(500_068n), 'unknown', 'approved'],
    [kobo(500_000n), 'approved', 'approved'],
  ] as const) {
    assert.equal((await rail.charge(aCharge(CARDS.approved, { amount, initiator: 'MERCHANT' }))).kind, onFile)
    assert.equal((await rail.charge(aCharge(CARDS.approved, { amount }))).kind, byHolder)
  }
})

test('a holder who declines, fails five times or is too late: the charge is declined and stays so', async () => {
  for (const act of ['refuse', 'err', 'wait'] as const) {
    const { rail, control, clock } = world()
    const request = aCharge(CARDS['3ds'])
    const { reference } = request
    await rail.charge(request)
    if (act === 'refuse') assert.equal(await control.refuse(reference), 'refused')
    if (act === 'wait') clock.at = new Date(clock.at.getTime() + 600_000)
    if (act === 'err') {
      for (let n = 1; n < 5; n++) assert.equal(await control.approve(reference, hidden('000000')), 'wrong otp')
      assert.equal(await control.approve(reference, hidden('000000')), 'refused')
    }
    assert.equal((await rail.find(reference)).kind, 'declined', act)
    assert.equal(await control.refuse(reference), 'over')
    assert.equal(await control.approve(reference, hidden('123456')), 'over')
    assert.equal((await rail.find(reference)).kind, 'declined', act)
  }
})

test('a holder who responds in several windows at once decides once, and every wrong code counts', async () => {
  const { rail, control } = world()
  const openChallenge = async (): Promise<string> => {
    const request = aCharge(CARDS['3ds'])
    await rail.charge(request)
    return request.reference
  }
  const reference = await openChallenge()
  const responses = await Promise.all([control.refuse(reference), control.approve(reference, hidden('123456'))])
  assert.deepEqual(responses, ['refused', 'over'])
  assert.equal((await rail.find(reference)).kind, 'declined')

  const guessed = await openChallenge()
  const guesses = Array.from({ length: 6 }, () => control.approve(guessed, hidden('000000')))
  assert.deepEqual((await Promise.all(guesses)).toSorted(), [
    'over',
    'refused',
    ...Array.from({ length: 4 }, () => 'wrong otp'),
  ])
})

test('an OTP is valid for ten minutes', async () => {
  const { rail, clock } = world()
  const request = aCharge(CARDS.otp)
  await rail.charge(request)
  clock.at = new Date(clock.at.getTime() + 600_000)
  const outcome = await rail.authorizeOtp({ reference: request.reference, otp: hidden('123456') })
  assert.deepEqual(outcome, { kind: 'declined', reason: 'The OTP has expired' })
})

test('the memory of the simulated world contains no card number and no code', async () => {
  const { rail, control, entries } = world()
  for (const number of Object.values(CARDS)) {
    const request = aCharge(number, { card: aCard(number, { cvv: hidden('987'), pin: hidden('1234') }) })
    await rail.charge(request)
    await rail.authorizeOtp({ reference: request.reference, otp: hidden('123456') })
    await control.approve(request.reference, hidden('123456'))
  }
  const text = JSON.stringify([...entries.values()])
  for (const secret of [...Object.values(CARDS), '987', '1234', '123456'])
    assert.ok(!text.includes(`"${secret}"`), secret)
})
