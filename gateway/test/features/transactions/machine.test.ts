import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentStatus } from '@kobo/contract'
import { type TransactionTrigger, transactionMachine } from '../../../src/features/transactions/machine.ts'
import { next } from '../../../src/kernel/machine.ts'

/** The target of each trigger from each state; a dash is a move that does not exist. */
const TRANSACTION_MOVES = `
                payInFull payLess        payMore  decline expire         cancel
PENDING         PAID      PARTIALLY_PAID OVERPAID FAILED  EXPIRED        CANCELLED
FAILED          PAID      PARTIALLY_PAID OVERPAID FAILED  EXPIRED        CANCELLED
PARTIALLY_PAID  PAID      PARTIALLY_PAID OVERPAID -       PARTIALLY_PAID -
PAID            -         -              -        -       -              -
OVERPAID        -         -              -        -       -              -
EXPIRED         -         -              -        -       -              -
CANCELLED       -         -              -        -       -              -
`
const [triggers = [], ...rows] = TRANSACTION_MOVES.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/))

for (const [state = '', ...targets] of rows) {
  triggers.forEach((trigger, column) => {
    const target = targets[column] === '-' ? undefined : targets[column]
    test(`a ${state} transaction ${target === undefined ? 'has no' : `becomes ${target} by`} ${trigger}`, () =>
      assert.equal(next(transactionMachine, state as PaymentStatus, trigger as TransactionTrigger), target))
  })
}

test('the table above covers every state and every trigger of a transaction', () => {
  assert.deepEqual(rows.map(([state]) => state).sort(), Object.keys(transactionMachine).sort())
  assert.deepEqual(
    [...triggers].sort(),
    [...new Set(Object.values(transactionMachine).flatMap((moves) => Object.keys(moves)))].sort(),
  )
})
