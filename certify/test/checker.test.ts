import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findViolations } from '../checker/check.ts'
import type { History, Operation, ReadBalance, ReadPayment, ReadTransfer } from '../checker/history.ts'

const CHECKER = fileURLToPath(new URL('../checker', import.meta.url))
const START = 1_000_000

/** A call between two moments. */
const at = (invokedAt: number, endedAt: number, outcome: Operation['outcome'] = 'ok') => ({
  client: 'client-1',
  invokedAt,
  endedAt,
  outcome,
})

const readPayment = (changes: Partial<ReadPayment> = {}): ReadPayment => ({
  kind: 'readPayment',
  reference: 'order-1',
  status: 'PAID',
  amountPaid: 500,
  transactionReference: 'KOBO|1',
  ...at(50, 51),
  ...changes,
})
const readTransfer = (changes: Partial<ReadTransfer> = {}): ReadTransfer => ({
  kind: 'readTransfer',
  reference: 'rent-1',
  status: 'SUCCESS',
  amount: 300,
  fee: 10,
  ...at(52, 53),
  ...changes,
})
const readBalance = (available: number, changes: Partial<ReadBalance> = {}): ReadBalance => ({
  kind: 'readBalance',
  reference: 'wallet',
  available,
  ledger: available,
  ...at(30, 31),
  ...changes,
})

/** A payment and a transfer, with nothing wrong. */
const RIGHT: History = {
  startBalance: START,
  operations: [
    { kind: 'init', reference: 'order-1', transactionReference: 'KOBO|1', ...at(0, 1) },
    { kind: 'pay', reference: 'order-1', amount: 500, ...at(2, 3) },
    readPayment(at(4, 5)),
    { kind: 'transfer', reference: 'rent-1', amount: 300, ...at(10, 11) },
    readTransfer(at(12, 13)),
    readBalance(START - 310),
  ],
  finalReads: [readPayment(), readTransfer()],
  finalBalance: START - 310,
  events: [
    { eventType: 'SUCCESSFUL_TRANSACTION', reference: 'order-1', amount: 500, isSigned: true },
    { eventType: 'SUCCESSFUL_DISBURSEMENT', reference: 'rent-1', amount: 300, isSigned: true },
  ],
  bankEffects: [{ reference: 'rent-1', amount: 300 }],
}

const and = (...operations: readonly Operation[]): Partial<History> => ({
  operations: [...RIGHT.operations, ...operations],
})
const without = (kind: Operation['kind']): Partial<History> => ({
  operations: RIGHT.operations.filter((one) => one.kind !== kind),
})

test('finds nothing in a history without faults', () => assert.deepEqual(findViolations(RIGHT), []))

test('finds nothing if outcomes were unknown and either happened or did not', () => {
  const happened = [
    { kind: 'transfer', reference: 'rent-2', amount: 100, ...at(14, 20, 'unknown') },
    { kind: 'transfer', reference: 'rent-3', amount: 100, ...at(14, 20, 'unknown') },
    // It is uncertain whether the first transfer has left the wallet by then.
    readBalance(START - 310, at(32, 33)),
    readBalance(START - 420, at(34, 35)),
  ] as const
  const history: History = {
    ...RIGHT,
    ...and(...happened),
    finalReads: [
      ...RIGHT.finalReads,
      readTransfer({ reference: 'rent-2', amount: 100 }),
      { kind: 'readTransfer', reference: 'rent-3', ...at(54, 55) },
    ],
    finalBalance: START - 420,
    events: [
      ...RIGHT.events,
      { eventType: 'SUCCESSFUL_DISBURSEMENT', reference: 'rent-2', amount: 100, isSigned: true },
    ],
    bankEffects: [...RIGHT.bankEffects, { reference: 'rent-2', amount: 100 }],
  }
  assert.deepEqual(findViolations(history), [])
})

test('finds nothing if a bank lies, and reconciliation lists it', () => {
  const paidAgain = { reference: 'rent-1', amount: 300, stated: 300, lie: 'forgetful' }
  const history: History = { ...RIGHT, bankEffects: [...RIGHT.bankEffects, paidAgain], exceptions: ['rent-1'] }
  assert.deepEqual(findViolations(history), [])
})

/** A transfer that takes its amount from the wallet and then fails, and a balance that is read at the given time. */
const withFailure = (...times: readonly [invokedAt: number, endedAt: number]): Partial<History> => ({
  ...and(
    { kind: 'transfer', reference: 'rent-2', amount: 100, ...at(14, 15) },
    readTransfer({ reference: 'rent-2', amount: 100, status: 'FAILED', ...at(22, 23) }),
    readBalance(START - 420, at(...times)),
  ),
  finalReads: [...RIGHT.finalReads, readTransfer({ reference: 'rent-2', amount: 100, status: 'FAILED' })],
  events: [...RIGHT.events, { eventType: 'FAILED_DISBURSEMENT', reference: 'rent-2', amount: 100, isSigned: true }],
})

test('finds nothing if a transfer takes its amount until it fails', () =>
  assert.deepEqual(findViolations({ ...RIGHT, ...withFailure(18, 19) }), []))

const BROKEN: readonly (readonly [what: string, changes: Partial<History>, promise: string])[] = [
  [
    'a bank that paid twice without being found',
    { bankEffects: [...RIGHT.bankEffects, { reference: 'rent-1', amount: 300, lie: 'forgetful' }], exceptions: [] },
    'A bank that lies is found',
  ],
  [
    'a line that is missing on the statement without being found',
    { bankEffects: [{ reference: 'rent-1', amount: 300, stated: 0 }], exceptions: [] },
    'A bank that lies is found',
  ],
  ['an exception about a matching line', { exceptions: ['rent-1'] }, 'A bank that lies is found'],
  [
    'a payment that is gone',
    { finalReads: [{ kind: 'readPayment', reference: 'order-1', ...at(50, 51) }, readTransfer()] },
    'Nothing that was acknowledged is lost',
  ],
  [
    'a payment under another of our references',
    { finalReads: [readPayment({ transactionReference: 'KOBO|2' }), readTransfer()] },
    'Nothing that was acknowledged is lost',
  ],
  [
    'money that was paid and is not there',
    { finalReads: [readPayment({ status: 'PENDING', amountPaid: 0 }), readTransfer()] },
    'Nothing that was acknowledged is lost',
  ],
  [
    'a transfer that is gone',
    { finalReads: [readPayment(), { kind: 'readTransfer', reference: 'rent-1', ...at(52, 53) }] },
    'Nothing that was acknowledged is lost',
  ],
  [
    'a credit that counts twice',
    { finalReads: [readPayment({ status: 'OVERPAID', amountPaid: 1_000 }), readTransfer()] },
    'Nothing happens twice',
  ],
  ['a payment that no one made', without('pay'), 'Nothing happens twice'],
  [
    'a transfer that the bank paid twice',
    { bankEffects: [...RIGHT.bankEffects, ...RIGHT.bankEffects] },
    'Nothing happens twice',
  ],
  ['a transfer that no one requested', without('transfer'), 'Nothing is invented'],
  [
    'an order at the bank that we do not have',
    { bankEffects: [...RIGHT.bankEffects, { reference: 'order 7', amount: 300 }] },
    'Nothing is invented',
  ],
  ['a transfer that never left', { bankEffects: [] }, 'What left at the bank is what the API says'],
  [
    'another amount at the bank',
    { bankEffects: [{ reference: 'rent-1', amount: 200 }] },
    'What left at the bank is what the API says',
  ],
  [
    'a failed transfer that left',
    { finalReads: [readPayment(), readTransfer({ status: 'FAILED' })] },
    'What left at the bank is what the API says',
  ],
  [
    'a transfer that never ends',
    { finalReads: [readPayment(), readTransfer({ status: 'PENDING' })] },
    'Every transfer ends',
  ],
  [
    'a read that does not find an acknowledged payment',
    and({ kind: 'readPayment', reference: 'order-1', ...at(6, 7) }),
    'A reference is found as soon as it was acknowledged',
  ],
  [
    'a status that goes back',
    and(readPayment({ status: 'PENDING', amountPaid: 0, ...at(6, 7) })),
    'Reads never go back in time',
  ],
  [
    'a status that goes back for another client',
    and({ ...readTransfer({ status: 'PENDING', ...at(20, 21) }), client: 'client-2' }),
    'Reads never go back in time',
  ],
  [
    'a transfer that ends twice',
    and(readTransfer({ status: 'FAILED', ...at(20, 21) })),
    'One reference is one thing, and ends once',
  ],
  [
    'a reference that names two payments',
    and(readPayment({ transactionReference: 'KOBO|2', ...at(20, 21) })),
    'One reference is one thing, and ends once',
  ],
  ['a balance below zero', and(readBalance(-1)), 'No wallet is ever below zero'],
  [
    'a balance before a transfer that was acknowledged',
    and(readBalance(START, at(20, 21))),
    'Every balance that was read is one that the transfers allow',
  ],
  [
    'a balance lower than any that was sent',
    and(readBalance(START - 311, at(20, 21))),
    'Every balance that was read is one that the transfers allow',
  ],
  [
    'a balance that lacks the amount of a transfer that had failed',
    withFailure(24, 25),
    'Every balance that was read is one that the transfers allow',
  ],
  ['a wrong balance at the end', { finalBalance: START }, 'The last balance is what the transfers leave'],
  ['an event that never arrives', { events: RIGHT.events.slice(1) }, 'Each event arrives'],
  [
    'an event with another amount',
    {
      events: [
        ...RIGHT.events,
        { eventType: 'SUCCESSFUL_TRANSACTION', reference: 'order-1', amount: 1, isSigned: true },
      ],
    },
    'Each event is true',
  ],
  [
    'an event with a wrong signature',
    { events: RIGHT.events.map((event) => ({ ...event, isSigned: false })) },
    'Each event is signed',
  ],
]

for (const [what, changes, promise] of BROKEN)
  test(`objects to ${what}`, () => {
    const violations = findViolations({ ...RIGHT, ...changes })
    assert.ok(
      violations.some((violation) => violation.promise === promise),
      `expected "${promise}" in ${JSON.stringify(violations)}`,
    )
  })

test('imports nothing but its own files', () => {
  for (const file of globSync('*.ts', { cwd: CHECKER }))
    for (const [, source] of readFileSync(`${CHECKER}/${file}`, 'utf8').matchAll(/from '([^']+)'/g))
      assert.match(source ?? '', /^\.\/[a-z]+\.ts$/, `${file} imports ${source}`)
})
