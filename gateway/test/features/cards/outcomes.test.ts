import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Conclusion } from '../../../src/core/orders/index.ts'
import { isCardNumber, masked } from '../../../src/features/cards/card.ts'
import { schemeOf } from '../../../src/features/cards/issuers.ts'
import { type AttemptStatus, cardAttemptMachine } from '../../../src/features/cards/machine.ts'
import { conclusionOf, consequence, type Outcome } from '../../../src/features/cards/outcome.ts'
import type { AttemptRow } from '../../../src/features/cards/repository.ts'
import { hidden } from '../../../src/kernel/hidden.ts'
import { kobo } from '../../../src/kernel/money.ts'

const AT = new Date('2026-03-01T09:30:00Z')
const STATUSES = Object.keys(cardAttemptMachine) as AttemptStatus[]

const anAttempt = (changes: Partial<AttemptRow> = {}): AttemptRow => ({
  merchantId: 1n,
  transactionId: 2n,
  number: 1,
  reference: '0'.repeat(32),
  orderId: 3n,
  status: 'CHARGING',
  amount: kobo(500_000n),
  channel: 'API_NOTIFICATION',
  fingerprint: 'f',
  card: masked({ number: hidden('4111111111111111'), expiryMonth: '12', expiryYear: '2099', cvv: null, pin: null }),
  cardToken: null,
  otpTries: 0,
  otpHash: null,
  acsUrl: null,
  acsMethod: null,
  reason: null,
  heldNumber: 'held',
  consent: 'merchant',
  openedAt: AT,
  settledAt: null,
  ...changes,
})

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  approved: { kind: 'approved', reusable: true },
  declined: { kind: 'declined', reason: 'Insufficient funds' },
  'not found': { kind: 'not found' },
  unknown: { kind: 'unknown' },
  'wrong otp': { kind: 'wrong otp' },
  'otp required': { kind: 'otp required', message: 'm' },
  '3ds required': { kind: '3ds required', acsUrl: '/acs', method: 'GET' },
}

/** The consequence of each outcome in each state: money, nothing, or the next state. */
const FOLLOWS: Readonly<Record<AttemptStatus, Readonly<Record<keyof typeof OUTCOMES, string>>>> = {
  CHARGING: follows('money', 'DECLINED', 'UNKNOWN', 'OTP_REQUIRED', 'OTP_REQUIRED', 'SECURE_3D_REQUIRED'),
  OTP_REQUIRED: follows('money', 'DECLINED', 'nothing', 'nothing', 'nothing', 'nothing'),
  AUTHORIZING: follows('money', 'DECLINED', 'UNKNOWN', 'OTP_REQUIRED', 'OTP_REQUIRED', 'nothing'),
  SECURE_3D_REQUIRED: follows('money', 'DECLINED', 'nothing', 'nothing', 'nothing', 'nothing'),
  UNKNOWN: follows('money', 'DECLINED', 'nothing', 'OTP_REQUIRED', 'OTP_REQUIRED', 'SECURE_3D_REQUIRED'),
  APPROVED: follows('nothing', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing'),
  DECLINED: follows('REVERSING', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing'),
  SUPERSEDED: follows('REVERSING', 'SUPERSEDED', 'nothing', 'nothing', 'nothing', 'nothing'),
  REVERSING: follows('nothing', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing'),
  REVERSED: follows('nothing', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing'),
  REVERSAL_REFUSED: follows('nothing', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing'),
}

function follows(approved: string, declined: string, unknown: string, wrong: string, otp: string, secure3d: string) {
  return {
    approved,
    declined,
    'not found': declined,
    unknown,
    'wrong otp': wrong,
    'otp required': otp,
    '3ds required': secure3d,
  }
}

for (const status of STATUSES)
  test(`every outcome has its consequence for an attempt that is ${status}`, () => {
    for (const [name, outcome] of Object.entries(OUTCOMES)) {
      const result = consequence(anAttempt({ status }), outcome, AT)
      assert.equal(result.kind === 'moved' ? result.attempt.status : result.kind, FOLLOWS[status][name], name)
    }
  })

test('a final attempt holds no number and is not queried; all others are, sooner or later', () => {
  for (const status of STATUSES)
    for (const outcome of Object.values(OUTCOMES)) {
      const result = consequence(anAttempt({ status }), outcome, AT)
      if (result.kind !== 'moved') continue
      const { attempt } = result
      const isOver = attempt.status === 'DECLINED' || attempt.status === 'SUPERSEDED' || attempt.status === 'REVERSING'
      assert.equal(conclusionOf(attempt, AT).kind === 'concluded', isOver, attempt.status)
      if (isOver) assert.deepEqual([attempt.heldNumber, attempt.settledAt], [null, AT])
    }
})

const SOON = new Date('2026-03-01T09:30:30Z')
const HOLDER_ENDS = new Date('2026-03-01T09:40:00Z')

/** By an attempt's status: its conclusion now, and the kind of conclusion once the card holder's time is over. */
const REQUESTED: Readonly<Record<AttemptStatus, readonly [Conclusion, Conclusion['kind']]>> = {
  CHARGING: [{ kind: 'unknown' }, 'unknown'],
  OTP_REQUIRED: [{ kind: 'ask', at: HOLDER_ENDS }, 'unknown'],
  AUTHORIZING: [{ kind: 'unknown' }, 'unknown'],
  SECURE_3D_REQUIRED: [{ kind: 'ask', at: SOON }, 'unknown'],
  UNKNOWN: [{ kind: 'unknown' }, 'unknown'],
  APPROVED: [{ kind: 'concluded' }, 'concluded'],
  DECLINED: [{ kind: 'concluded' }, 'concluded'],
  SUPERSEDED: [{ kind: 'concluded' }, 'concluded'],
  REVERSING: [{ kind: 'concluded' }, 'concluded'],
  REVERSED: [{ kind: 'concluded' }, 'concluded'],
  REVERSAL_REFUSED: [{ kind: 'concluded' }, 'concluded'],
}

for (const status of STATUSES)
  test(`the network is queried about an attempt that is ${status} when its outcome may have changed`, () => {
    const [first, later] = REQUESTED[status]
    assert.deepEqual(conclusionOf(anAttempt({ status }), AT), first)
    assert.equal(conclusionOf(anAttempt({ status }), HOLDER_ENDS).kind, later)
  })

test('a superseded charge is queried as long as its holder is at the issuer’s page', () => {
  const superseded = anAttempt({ status: 'SUPERSEDED', acsUrl: '/acs' })
  assert.deepEqual(conclusionOf(superseded, AT), { kind: 'ask', at: SOON })
  assert.deepEqual(conclusionOf({ ...superseded, settledAt: AT }, AT), { kind: 'concluded' })
})

test('the fifth wrong OTP ends an attempt, no earlier one does', () => {
  for (const [otpTries, status] of [
    [1, 'OTP_REQUIRED'],
    [4, 'OTP_REQUIRED'],
    [5, 'DECLINED'],
  ] as const) {
    const result = consequence(anAttempt({ status: 'AUTHORIZING', otpTries }), { kind: 'wrong otp' }, AT)
    assert.equal(result.kind === 'moved' && result.attempt.status, status)
  }
})

test('a stored card whose issuer requires a challenge is declined: there is no holder present', () => {
  for (const name of ['otp required', '3ds required']) {
    const result = consequence(anAttempt({ cardToken: 'KBO_1' }), OUTCOMES[name] as Outcome, AT)
    assert.equal(result.kind === 'moved' && result.attempt.status, 'DECLINED')
  }
})

for (const [text, isOne] of [
  ['4111111111111111', true],
  ['4111111111111110', false],
  ['5060995994247093', true],
  ['378282246310005', true],
  ['4222222222222', true],
  ['6011000990139424', true],
  ['411111111111', false],
  ['0000000000000', true],
  ['41111111111111111111', false],
  ['4111-1111-1111-1111', false],
  ['٤١١١١١١١١١١١١١١١', false],
  ['', false],
] as const)
  test(`${text} is ${isOne ? '' : 'not '}a card number`, () => assert.equal(isCardNumber(text), isOne))

test('a card’s network follows from its number', () => {
  for (const [number, name] of [
    ['4111111111111111', 'VISA'],
    ['5060995994247093', 'VERVE'],
    ['6500021111111111', 'VERVE'],
    ['5399838383838381', 'MASTERCARD'],
    ['2221000000000009', 'MASTERCARD'],
    ['2720990000000007', 'MASTERCARD'],
    ['2721000000000004', 'OTHER'],
    ['378282246310005', 'OTHER'],
  ] as const)
    assert.equal(schemeOf(number), name, number)
})

test('only a card’s first six and last four digits are shown, however long it is', () => {
  const shown = (number: string): string =>
    masked({ number: hidden(number), expiryMonth: '01', expiryYear: '2030', cvv: null, pin: null }).maskedPan
  assert.equal(shown('4222222222222'), '422222***2222')
  assert.equal(shown('4111111111111111'), '411111******1111')
  assert.equal(shown('4111111111111111110'), '411111*********1110')
})
