import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MandateStatus } from '@kobo/contract'
import * as contract from '@kobo/contract'
import fc from 'fast-check'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { debitError } from '../../../src/features/direct-debit/debits.ts'
import { type MandateTrigger, mandateMachine } from '../../../src/features/direct-debit/machine.ts'
import { afterDue, renewed } from '../../../src/features/direct-debit/mandate.ts'
import type { MandateRow } from '../../../src/features/direct-debit/repository.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { next } from '../../../src/kernel/machine.ts'
import { kobo } from '../../../src/kernel/money.ts'
import { type Client, gateway } from '../../harness/gateway.ts'
import { aMandate, anActiveMandate, daysAfter } from '../../harness/mandate-samples.ts'
import { slow } from '../../harness/slow.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

/** The target of each trigger from each state; a dash is a move that does not exist. */
const MOVES = `
                       instruct              authorize refuse lapse                 suspend   expire  cancel
INITIATED              PENDING_AUTHORIZATION ACTIVE    FAILED AUTHORIZATION_EXPIRED -         -       CANCELLED
PENDING_AUTHORIZATION  -                     ACTIVE    FAILED AUTHORIZATION_EXPIRED -         -       CANCELLED
ACTIVE                 -                     -         -      -                     SUSPENDED EXPIRED CANCELLED
SUSPENDED              -                     ACTIVE    -      -                     -         EXPIRED CANCELLED
CANCELLED              -                     -         -      -                     -         -       -
EXPIRED                -                     -         -      -                     -         -       -
AUTHORIZATION_EXPIRED  -                     -         -      -                     -         -       -
FAILED                 -                     -         -      -                     -         -       -
`
const [triggers = [], ...rows] = MOVES.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/))

test('a mandate changes its status only as in the table', () => {
  assert.deepEqual(rows.map(([state]) => state).sort(), Object.keys(mandateMachine).sort())
  const known = new Set(Object.values(mandateMachine).flatMap((moves) => Object.keys(moves)))
  assert.deepEqual([...triggers].sort(), [...known].sort())
  for (const [state = '', ...targets] of rows)
    triggers.forEach((trigger, column) => {
      const target = targets[column] === '-' ? undefined : targets[column]
      assert.equal(
        next(mandateMachine, state as MandateStatus, trigger as MandateTrigger),
        target,
        `${state} ${trigger}`,
      )
    })
})

const START = new Date('2026-01-01T00:00:00Z')
const after = (days: number): Date => secondsAfter(START, days * 86_400)

const MANDATE: MandateRow = {
  merchantId: 1n,
  id: 2n,
  mandateCode: 'MTDD|01JNA1B2C3D4E5F6G7H8J9KMNP',
  mandateReference: 'rent',
  contractCode: '102030405060',
  status: 'ACTIVE',
  customerName: 'Ada Obi',
  customerEmailAddress: 'ada@example.com',
  customerPhoneNumber: '08031234567',
  customerAddress: '1 Broad Street, Lagos',
  customerAccountNumber: '0123456789',
  customerAccountBankCode: '058',
  customerAccountName: 'Ada Obi',
  mandateDescription: 'Rent',
  redirectUrl: null,
  autoRenew: false,
  customerCancellation: false,
  mandateAmount: kobo(1_000_000n),
  debitAmount: null,
  period: 1,
  startsAt: START,
  endsAt: after(30),
  debited: kobo(900_000n),
  tokenBankCode: '035',
  tokenAccountNumber: '3000000003',
  tokenAmount: kobo(5_000n),
  createdAt: START,
  authorizationEndsAt: after(7),
  instructAt: null,
  cancelRequestedAt: null,
  language: null,
}

/** Scheduled changes: the mandate, the day, and its status then. */
const DUE: readonly [string, Partial<MandateRow>, number, MandateStatus | undefined][] = [
  ['an active one before its end', {}, 29.999, undefined],
  ['an active one at its end', {}, 30, 'EXPIRED'],
  ['a suspended one at its end', { status: 'SUSPENDED' }, 30, 'EXPIRED'],
  ['an unanswered one within 7 days', { status: 'PENDING_AUTHORIZATION' }, 6.999, undefined],
  ['an unanswered one after 7 days', { status: 'PENDING_AUTHORIZATION' }, 7, 'AUTHORIZATION_EXPIRED'],
  ['one whose mail never went out', { status: 'INITIATED' }, 7, 'AUTHORIZATION_EXPIRED'],
  ['one to be cancelled', { cancelRequestedAt: after(3) }, 3, 'CANCELLED'],
  ['one to be cancelled, past its end', { cancelRequestedAt: after(3) }, 31, 'CANCELLED'],
  ['one that renews itself', { autoRenew: true }, 30, 'ACTIVE'],
  ['one that renews itself and nobody answered', { autoRenew: true, status: 'INITIATED' }, 30, 'AUTHORIZATION_EXPIRED'],
  ['one that is over', { status: 'CANCELLED' }, 400, undefined],
]
for (const [what, changes, day, status] of DUE)
  test(`${what} is ${status ?? 'unchanged'} on day ${day}`, () =>
    assert.equal(afterDue({ ...MANDATE, ...changes }, after(day))?.status, status))

test('a renewed mandate is in the current period, as long as the first, and debits keep adding up', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 4_000 }), (length, later) => {
      const at = after(length + later)
      const mandate = renewed({ ...MANDATE, endsAt: after(length) }, at)
      assert.ok(mandate.startsAt <= at && at < mandate.endsAt)
      assert.equal(mandate.endsAt.getTime() - mandate.startsAt.getTime(), length * 86_400_000)
      assert.equal(
        mandate.period,
        1 + Math.round((mandate.startsAt.getTime() - START.getTime()) / (length * 86_400_000)),
      )
      assert.equal(mandate.debited, MANDATE.debited)
    }),
  )
})

/** Why a debit of 1,000 naira is rejected on day 10 while 9,000 of 10,000 are debited. */
const REFUSED: readonly [string, Partial<MandateRow>, RegExp | undefined][] = [
  ['enough is left', {}, undefined],
  ['a kobo too little is left', { debited: kobo(900_001n) }, /at most 999\.99, the amount left on the mandate/],
  ['there is no limit', { mandateAmount: null }, undefined],
  ['the amount is the fixed one', { debitAmount: kobo(100_000n) }, undefined],
  ['the amount is not the fixed one', { debitAmount: kobo(100_001n) }, /must be 1000\.01/],
  ['it starts later', { startsAt: after(10.001) }, /before 2026-01-11/],
  ['it starts this moment', { startsAt: after(10) }, undefined],
  ['it ends this moment', { endsAt: after(10) }, /ended at 2026-01-11/],
  ['its cancellation is requested', { cancelRequestedAt: after(9) }, /Cancellation/],
  ['it is suspended', { status: 'SUSPENDED' }, /SUSPENDED/],
]
for (const [when, changes, message] of REFUSED)
  test(`a debit is ${message === undefined ? 'accepted' : 'rejected'} when ${when}`, () => {
    const rejected = debitError({ ...MANDATE, ...changes }, kobo(100_000n), after(10))
    if (message === undefined) assert.equal(rejected, undefined)
    else assert.match(rejected?.message ?? '', message)
  })

const DAY_SECONDS = 86_400

const debit = async (shop: Client, mandateCode: string, paymentReference: string): Promise<void> => {
  const body = {
    mandateCode,
    paymentReference,
    debitAmount: '5000',
    narration: 'Rent',
    customerEmail: 'ada@example.com',
  }
  await shop.call(contract.debitMandate, { body })
}
const outcome = async (shop: Client, paymentReference: string): Promise<string> =>
  (await shop.call(contract.getDebitStatus, { query: { paymentReference } })).transactionStatus

slow(
  'a year of a monthly Closed Fixed mandate: 12 debits, one failed and retried, within the cap, with an event at its end',
  async (t) => {
    const shop = await gateway(t)
    const events = await webhookEndpoint(t)
    await shop.call(contract.changeSettings, { body: { webhookUrls: { mandate: events.url } } })
    const { mandateCode, mandateReference } = await anActiveMandate(shop, {
      customerAccountNumber: '0123456002', // whose bank responds a minute later
      debitAmount: 5_000,
      mandateAmount: 60_000,
      mandateEndDate: daysAfter(shop.core.clock.now(), 365),
    })
    for (let month = 1; month <= 12; month++) {
      if (month === 6) {
        await debit(shop, mandateCode, 'rent-6-lost')
        await shop.db`delete from simulated_entry where rail = 'debit'` // the order is lost in transit
        await shop.advance(70)
        assert.equal(await outcome(shop, 'rent-6-lost'), 'FAILED')
      }
      await debit(shop, mandateCode, `rent-${month}`)
      assert.equal(await outcome(shop, `rent-${month}`), 'PENDING')
      await shop.advance(30 * DAY_SECONDS)
      assert.equal(await outcome(shop, `rent-${month}`), 'PAID')
    }
    const body = {
      mandateCode,
      paymentReference: 'rent-13',
      debitAmount: 5_000,
      narration: 'Rent',
      customerEmail: 'a@b',
    }
    assert.match(
      (await shop.rejected(400, contract.debitMandate, { body })).message,
      /at most 0\.00, the amount left on the mandate/,
    )
    await shop.advance(5 * DAY_SECONDS)
    assert.match((await shop.rejected(400, contract.debitMandate, { body })).message, /EXPIRED/)

    const { totalElements, content } = await shop.call(contract.searchTransactions, { query: { size: 100 } })
    assert.equal(totalElements, 13)
    assert.equal(content.filter(({ paymentStatus }) => paymentStatus === 'PAID').length, 12)
    const [{ payments, sum } = {}] = await shop.db<{ payments: bigint; sum: string }[]>`
    select count(*) as payments, sum(amount)::text as sum from payment`
    assert.deepEqual([payments, sum], [12n, '6000000'])
    assert.ok(isClean(await verifyLedger(shop.db)))

    const received = (await events.count(3)).map(({ event }) => event)
    assert.deepEqual(
      received.map(({ eventType, eventData }) => [
        eventType,
        eventData['mandateStatus'],
        eventData['externalMandateReference'],
      ]),
      ['PENDING_AUTHORIZATION', 'ACTIVE', 'EXPIRED'].map((status) => ['MANDATE_UPDATE', status, mandateReference]),
    )
    assert.match(String(received[0]?.eventData['endDate']), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.0$/)
  },
)

test('an Open mandate begins a new period at its end and sends its new dates; mandateAmount is for its whole life', async (t) => {
  const shop = await gateway(t)
  const start = shop.core.clock.now()
  const { mandateCode, mandateReference } = await anActiveMandate(shop, {
    autoRenew: true,
    mandateAmount: 15_000,
    mandateEndDate: daysAfter(start, 10),
  })
  for (let period = 1; period <= 3; period++) {
    await debit(shop, mandateCode, `rent-${period}`)
    await shop.advance(10 * DAY_SECONDS)
  }
  const body = { mandateCode, paymentReference: 'more', debitAmount: 20, narration: 'Rent', customerEmail: 'a@b' }
  assert.match(
    (await shop.rejected(400, contract.debitMandate, { body })).message,
    /at most 0\.00, the amount left on the mandate/,
  )
  await shop.advance(20 * DAY_SECONDS)
  const [mandate] = await shop.call(contract.getMandates, { query: { mandateReferences: mandateReference } })
  assert.equal(mandate?.mandateStatus, 'ACTIVE')
  const { content } = await shop.call(contract.listEvents, { query: { eventType: 'MANDATE_UPDATE', size: 100 } })
  const ends = content.map(({ body }) => JSON.parse(body).eventData.endDate).reverse()
  assert.deepEqual(
    ends,
    [10, 10, 20, 30, 40, 50, 60].map((days) => `${daysAfter(start, days)}.0`),
  )
})

test('a debit of an earlier period that fails frees its amount once, also in the present one', async (t) => {
  const shop = await gateway(t)
  const { mandateCode } = await anActiveMandate(shop, {
    autoRenew: true,
    customerAccountNumber: '0123456002',
    mandateAmount: 10_000,
    mandateEndDate: daysAfter(shop.core.clock.now(), 1),
  })
  await shop.advance(DAY_SECONDS - 30)
  await debit(shop, mandateCode, 'late')
  await shop.db`delete from simulated_entry where rail = 'debit'`
  await shop.advance(35)
  await debit(shop, mandateCode, 'early')
  await shop.advance(120)
  assert.deepEqual([await outcome(shop, 'late'), await outcome(shop, 'early')], ['FAILED', 'PAID'])
  const body = { mandateCode, paymentReference: 'more', debitAmount: 5_000.01, narration: 'Rent', customerEmail: 'a@b' }
  assert.match(
    (await shop.rejected(400, contract.debitMandate, { body })).message,
    /at most 5000\.00, the amount left on the mandate/,
  )
})

slow('a mandate that renews itself every hour does not slow down a year', async (t) => {
  const shop = await gateway(t)
  const body = aMandate(shop, { autoRenew: true })
  const end = new Date(shop.core.clock.now().getTime() + 3_600_000)
  const { mandateCode } = await shop.call(contract.createMandate, {
    body: { ...body, mandateEndDate: daysAfter(end, 0) },
  })
  await shop.call(contract.authorizeMandate, { params: { mandateCode } })
  await shop.advance(365 * DAY_SECONDS)
  await debit(shop, mandateCode, 'a year later')
  assert.equal(await outcome(shop, 'a year later'), 'PAID')
})
