import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BatchStatus, TransferStatus } from '@kobo/contract'
import { outcomeOf } from '../../../src/features/disbursements/conclude.ts'
import {
  type BatchTrigger,
  batchMachine,
  type TransferTrigger,
  transferMachine,
} from '../../../src/features/disbursements/machine.ts'
import type { TransferRow } from '../../../src/features/disbursements/repository.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { next } from '../../../src/kernel/machine.ts'
import { kobo } from '../../../src/kernel/money.ts'
import type { FoundTransfer } from '../../../src/rails/transfer.ts'

/** The next status for each status and trigger; a dash is a move that does not exist. */
const TRANSFER_MOVES = `
                          authorize reject failToMail                mail                  expire  succeed fail   reverse
PENDING_AUTHORIZATION     PENDING   FAILED OTP_EMAIL_DISPATCH_FAILED -                     EXPIRED -       -      -
OTP_EMAIL_DISPATCH_FAILED -         -      -                         PENDING_AUTHORIZATION EXPIRED -       -      -
PENDING                   -         -      -                         -                     -       SUCCESS FAILED -
SUCCESS                   -         -      -                         -                     -       -       -      REVERSED
FAILED                    -         -      -                         -                     -       -       -      -
REVERSED                  -         -      -                         -                     -       -       -      -
EXPIRED                   -         -      -                         -                     -       -       -      -
`
const BATCH_MOVES = `
                      authorize           reject begin       complete  expire
PENDING_AUTHORIZATION AWAITING_PROCESSING FAILED -           -         EXPIRED
AWAITING_PROCESSING   -                   -      IN_PROGRESS COMPLETED -
IN_PROGRESS           -                   -      IN_PROGRESS COMPLETED -
COMPLETED             -                   -      -           -         -
EXPIRED               -                   -      -           -         EXPIRED
FAILED                -                   FAILED -           -         -
`

for (const [thing, text, machine, move] of [
  [
    'transfer',
    TRANSFER_MOVES,
    transferMachine,
    (state: string, trigger: string) => next(transferMachine, state as TransferStatus, trigger as TransferTrigger),
  ],
  [
    'batch',
    BATCH_MOVES,
    batchMachine,
    (state: string, trigger: string) => next(batchMachine, state as BatchStatus, trigger as BatchTrigger),
  ],
] as const) {
  const [triggers = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/))
  test(`the status changes of a ${thing} match the table`, () => {
    assert.deepEqual(rows.map(([state]) => state).sort(), Object.keys(machine).sort())
    const known = new Set(Object.values(machine).flatMap((moves) => Object.keys(moves)))
    assert.deepEqual([...triggers].sort(), [...known].sort())
    for (const [state = '', ...targets] of rows)
      for (const [column, trigger] of triggers.entries())
        assert.equal(move(state, trigger), targets[column] === '-' ? undefined : targets[column], `${state} ${trigger}`)
  })
}

const AT = new Date('2026-03-01T09:30:00Z')
const RESPONDED = { at: AT, partner: 'wema' }

const transfer = (status: TransferStatus): TransferRow => ({
  merchantId: 1n,
  id: 2n,
  transactionReference: 'KFDS1',
  reference: 'rent',
  batchId: null,
  isDuplicate: false,
  status,
  amount: kobo(500_000n),
  fee: kobo(1_000n),
  currencyCode: 'NGN',
  narration: 'Rent',
  sourceAccountNumber: '3000000003',
  destinationBankCode: '058',
  destinationAccountNumber: '0123456789',
  destinationAccountName: 'ADA OBI',
  flagged: false,
  twoFaEnabled: false,
  senderInfo: null,
  senderBvn: null,
  sessionId: status === 'PENDING' ? null : 's',
  failureReason: null,
  createdAt: AT,
  completedAt: status === 'PENDING' ? null : AT,
  authorizeBy: null,
})

const SUCCEEDED: FoundTransfer = { kind: 'succeeded', sessionId: 's' }
const LATER = secondsAfter(AT, 300)
const CONCLUDED = { kind: 'concluded' }
const UNKNOWN = { kind: 'unknown' }
const WATCH = { kind: 'watch', until: LATER }

/** For each of the rail's results: the next status, the order's conclusion, the journal's key and the event. */
for (const [before, found, status, conclusion, key, eventType] of [
  ['PENDING', SUCCEEDED, 'SUCCESS', CONCLUDED, 'sent', 'SUCCESSFUL_DISBURSEMENT'],
  ['PENDING', { ...SUCCEEDED, finalAt: LATER }, 'SUCCESS', WATCH, 'sent', 'SUCCESSFUL_DISBURSEMENT'],
  ['PENDING', { kind: 'failed', reason: 'no' }, 'FAILED', CONCLUDED, 'released', 'FAILED_DISBURSEMENT'],
  ['PENDING', { kind: 'unknown' }, 'PENDING', UNKNOWN, undefined, undefined],
  ['PENDING', { kind: 'not found' }, 'PENDING', { kind: 'send again', at: AT }, undefined, undefined],
  [
    'PENDING',
    { kind: 'reversed', sessionId: 's' },
    'SUCCESS',
    { kind: 'watch', until: AT },
    'sent',
    'SUCCESSFUL_DISBURSEMENT',
  ],
  ['SUCCESS', SUCCEEDED, 'SUCCESS', CONCLUDED, undefined, undefined],
  ['SUCCESS', { ...SUCCEEDED, finalAt: LATER }, 'SUCCESS', WATCH, undefined, undefined],
  ['SUCCESS', { ...SUCCEEDED, finalAt: AT }, 'SUCCESS', CONCLUDED, undefined, undefined],
  ['SUCCESS', { kind: 'reversed', sessionId: 's' }, 'REVERSED', CONCLUDED, 'reversed', 'REVERSED_DISBURSEMENT'],
  ['SUCCESS', { kind: 'failed', reason: 'no' }, 'REVERSED', CONCLUDED, 'reversed', 'REVERSED_DISBURSEMENT'],
  ['SUCCESS', { kind: 'unknown' }, 'SUCCESS', UNKNOWN, undefined, undefined],
  ['SUCCESS', { kind: 'not found' }, 'SUCCESS', UNKNOWN, undefined, undefined],
] as const)
  test(`a ${before} transfer with the rail result ${JSON.stringify(found)} becomes ${status}`, () => {
    const outcome = outcomeOf(transfer(before), found, RESPONDED)
    assert.equal(outcome.transfer.status, status)
    assert.deepEqual(outcome.conclusion, conclusion)
    assert.equal(outcome.journal?.key, key === undefined ? undefined : `transfer/KFDS1/${key}`)
    assert.equal(outcome.event?.eventType, eventType)
    const moved = outcome.journal?.moves.reduce((sum, { amount }) => sum + amount, 0n)
    assert.equal(moved, key === undefined ? undefined : 501_000n, 'amount and fee move together')
  })

for (const over of ['FAILED', 'REVERSED', 'EXPIRED', 'PENDING_AUTHORIZATION'] as const)
  test(`a transfer that is ${over} ignores all further rail results`, () => {
    const row = transfer(over)
    for (const found of [SUCCEEDED, { kind: 'failed', reason: 'no' }, { kind: 'unknown' }] as const)
      assert.deepEqual(outcomeOf(row, found, RESPONDED), { transfer: row, conclusion: CONCLUDED })
  })
