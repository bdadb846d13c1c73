import assert from 'node:assert/strict'
import process from 'node:process'
import * as contract from '@kobo/contract'
import { secondsAfter } from '../../src/kernel/clock.ts'
import type { Client } from '../harness/gateway.ts'
import { aTransfer, openTransaction } from '../harness/samples.ts'
import { slow } from '../harness/slow.ts'
import { until } from '../harness/until.ts'
import { BANKS, CODES, type Code, ENDS, type Ending, threePartners, type World } from './three-partners.ts'
import { carriedOut, checkBooks, checkPartners, figures, firstOf, wrongAmounts } from './three-partners-books.ts'

/**
 * The number of payments in, and of transfers out. Thousands: KOBO_TEST_PAYMENTS=3000 npm test --
 * gateway/test/journeys/three-partners.test.ts
 */
const PAYMENTS = Number(process.env['KOBO_TEST_PAYMENTS'] ?? 90)
const AT_ONCE = 12
const THOUSANDS = 1_000
/** Each wrong amount needs manual review, so a partner sends only this many. */
const WRONG_AMOUNTS = 2
/** More forgeries would be rate-limited, and here everyone has one address. */
const FORGED_BELOW = 300

/** Does something for each number of a range, some at once. */
async function each(from: number, to: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = from
  const worker = async (): Promise<void> => {
    while (next < to) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** Permanent faults at every partner: often enough that each occurs, rarely enough that no partner is paused. */
async function plantFaults({ control }: World): Promise<void> {
  const faults = ['lost answer', 'busy', 'forged', 'unsigned', 'swapped', 'half', 'page', 'out of order']
  for (const [place, code] of CODES.entries()) {
    const plant = (fault: string, how: object) => control(code, 'fault', { fault, ...how })
    for (const [index, fault] of faults.entries())
      await plant(fault, { operation: 'transfer/send', every: 17 + 6 * index + place })
    await plant('delay', { operation: 'transfer/send', every: 3, milliseconds: 20 })
    // If a reference were ever sent again, the partner would run it again.
    await plant('twice', {})
    await plant('wrong amount', { operation: 'transfer/send', every: 20, times: WRONG_AMOUNTS })
    // Each costs the 25 seconds of a timeout.
    if (PAYMENTS >= THOUSANDS) await plant('hang', { operation: 'transfer/send', every: 50, times: 3 })
  }
  await control('easypay', 'fault', { fault: 'not sent', operation: 'transfer/send', every: 9 })
}

/** The credits of each partner as it reported them, in kobo. */
type Credited = Record<Code, number>

const payer = { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: null }
const ACCEPTED = { kind: 'accepted' }
const HELD = { kind: 'held', reason: 'ACCOUNT_NOT_FOUND' }

/** A partner reports a credit twice at once; each response must be the expected one. */
async function notify({ control }: World, code: Code, credit: object, expected: object = ACCEPTED): Promise<void> {
  const { answers } = await control(code, 'credit', { credit: { payer, ...credit }, times: 2 })
  assert.deepEqual(answers, [expected, expected])
}

/** Payments arrive through all partners: reported twice, in parts, out of order, contradicted and forged. */
async function collect(world: World, credited: Credited, from: number, to: number): Promise<void> {
  const merchants = await world.merchants()
  await each(from, to, async (n) => {
    const code = CODES[n % CODES.length] as Code
    const merchant = merchants[n % merchants.length] as Client
    const transactionReference = await openTransaction(merchant, { amount: 2_000 + n })
    const account = { bankCode: BANKS[code], accountNumber: await numberFor(merchant, transactionReference, code) }
    const amount = (2_000 + n) * 100
    const credit = { ...account, railReference: `in-${n}`, amount }
    // Each partner numbers its notifications on its own.
    if (n % 10 === 1) {
      await notify(world, code, { ...credit, railReference: `in-${n}-2`, amount: amount - 50_000 })
      await notify(world, code, { ...credit, railReference: `in-${n}-1`, amount: 50_000 })
    } else await notify(world, code, credit)
    credited[code] += amount
    if (n % 10 === 2) await notify(world, code, { ...credit, amount: amount + 1 }, { kind: 'conflict' })
    if (n % 10 === 3 && n < FORGED_BELOW)
      assert.equal(await world.forge({ ...credit, railReference: `forged-${n}` }), 401)
    if (n % 10 === 4) {
      await notify(world, code, { ...credit, accountNumber: '9000000001', railReference: `stray-${n}` }, HELD)
      credited[code] += amount
    }
    const { paymentStatus } = await merchant.call(contract.getTransaction, { params: { transactionReference } })
    assert.equal(paymentStatus, 'PAID', transactionReference)
  })
}

/** A transaction's account number at a partner's bank, which may have to be requested again. */
async function numberFor(merchant: Client, transactionReference: string, code: Code): Promise<string> {
  let accountNumber: string | undefined
  await until(`${transactionReference} has a number`, async () => {
    const body = { transactionReference, bankCode: BANKS[code] }
    const { status, text, headers } = await merchant.send('POST', contract.initBankTransfer.path, { body })
    assert.ok(status === 200 || headers.get('kobo-refusal') === 'ACCOUNT_PENDING', text)
    if (status === 200) accountNumber = JSON.parse(text).responseBody.accountNumber
    return status === 200
  })
  return accountNumber ?? assert.fail('it has a number')
}

const ENDINGS: readonly Ending[] = ['789', '789', '002', '789', '789', '003', '789', '001', '789', '005', '789']

interface Sent {
  readonly reference: string
  readonly ending: Ending
}

/** Money goes out, through both gateways. */
async function payOut(world: World, sent: Sent[], from: number, to: number): Promise<void> {
  const merchants = await world.merchants()
  const banks = ['058', '035', '044']
  await each(from, to, async (n) => {
    const merchant = merchants[n % merchants.length] as Client
    const ending = ENDINGS[n % ENDINGS.length] as Ending
    const destinationBankCode = banks[n % banks.length] as string
    const destination = { destinationBankCode, destinationAccountNumber: `0123456${ending}` }
    const body = await aTransfer(merchant, { amount: 1_000 + (n % 1_000), ...destination })
    const { reference } = await merchant.call(contract.initiateTransfer, { body })
    sent.push({ reference, ending })
  })
}

/**
 * Each transfer has ended as at its bank, except those sent with another amount; transfers that were never sent have
 * failed.
 */
async function checkStatuses(world: World, sent: readonly Sent[]): Promise<void> {
  const [merchant] = await world.merchants()
  const wrong = new Set([...(await wrongAmounts(world))].map(firstOf))
  const done = await carriedOut(world)
  assert.ok(wrong.size > 0, 'a partner has sent another amount')
  await each(0, sent.length, async (n) => {
    const { reference, ending } = sent[n] as Sent
    const { status, transactionReference } = await merchant.call(contract.getTransfer, { query: { reference } })
    const isInDoubt = ENDS[ending] === 'SUCCESS' && wrong.has(transactionReference)
    const expected = !done.has(transactionReference) ? 'FAILED' : isInDoubt ? 'PENDING' : ENDS[ending]
    // The success with a wrong amount is doubted; once the bank reports the reversal, the transfer is REVERSED.
    if (wrong.has(transactionReference) && expected === 'REVERSED' && status === 'PENDING') return
    assert.equal(status, expected, `${transactionReference} to ${ending}`)
  })
}

const STEP_SECONDS = 30

/** Lets time pass for everyone until a condition holds; not during a partner call, whose response would be too old. */
const pass = (world: World, what: string, isSo: () => Promise<boolean>): Promise<void> =>
  until(what, async () => {
    if (await isSo()) return true
    const { count } = await world.db`select from rail_order where leased_until > now()`
    if (count === 0) world.clock.advance(STEP_SECONDS)
    return false
  })

const passSeconds = ({ clock, ...world }: World, seconds: number): Promise<void> => {
  const end = secondsAfter(clock.wall.now(), seconds)
  return pass({ clock, ...world }, `${seconds} s pass`, async () => clock.wall.now() >= end)
}

/**
 * Whether only manual review is left: everything else is settled and returned, and the open orders are those sent with
 * another amount.
 */
async function isOver(world: World): Promise<boolean> {
  const { db } = world
  const open = await db<{ reference: string }[]>`select reference from rail_order where state <> 'CONCLUDED'`
  const [counted] = await db<{ settled: number; waiting: number }[]>`
    select (select count(*)::integer from settlement_item) as settled,
           (select count(*)::integer from credit_return where state <> 'RETURNED') as waiting`
  if (open.length > WRONG_AMOUNTS * CODES.length || counted?.settled !== PAYMENTS || counted.waiting > 0) return false
  const wrong = await wrongAmounts(world)
  return open.every(({ reference }) => wrong.has(reference))
}

slow(
  'three partners with all faults, one of them down for an hour: nothing is sent twice, and every naira is accounted for',
  async (t) => {
    const world = await threePartners(t)
    const { control, nodes, db } = world
    const credited: Credited = { wema: 0, providus: 0, easypay: 0 }
    const sent: Sent[] = []
    const [{ credentials }] = await world.merchants()
    const funds = PAYMENTS * 300_000
    const wallet = { bankCode: BANKS.providus, accountNumber: credentials.walletAccountNumber }
    await notify(world, 'providus', { ...wallet, railReference: 'funds', amount: funds })
    credited.providus += funds
    await plantFaults(world)
    const third = Math.ceil(PAYMENTS / 3)
    const live = (from: number, to: number) =>
      Promise.all([collect(world, credited, from, to), payOut(world, sent, from, to)])
    await live(0, third)

    // It breaks every connection: new transfers soon go to other partners, and transfers sent to it stay with it.
    await control('providus', 'fault', { fault: 'down' })
    await live(third, 2 * third)
    await passSeconds(world, 3_600)
    await checkBooks(world)
    const stuck = await db`select from rail_order where partner = 'providus' and state <> 'CONCLUDED'`
    assert.ok(stuck.count > 0, 'its own orders stay with it')
    await control('providus', 'mend')
    await live(2 * third, PAYMENTS)

    await pass(world, 'everything is done', () => isOver(world))
    await checkPartners(world, credited)
    await checkStatuses(world, sent)
    await checkBooks(world)
    t.diagnostic(`${nodes.length} nodes, ${await figures(world)}`)
  },
)
