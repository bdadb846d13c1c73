import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { DatabaseUnavailable, lossOf, OutcomeUnknown } from '../../../src/platform/postgres/connection-loss.ts'
import { isUniqueViolation } from '../../../src/platform/postgres/db.ts'

/** A server error: its code, and the server function that raised it. */
const failure = (code: string, routine: string, severity = 'ERROR', words = 'it failed'): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError(words, 0, 'error'), { code, routine, severity })

/** Errors of Citus 13 about a worker that was killed while a query was executed, prepared or sent. */
const LOST_WORKER = [
  ['08006', 'ReportConnectionError'],
  ['08006', 'CheckConnectionTimeout'],
  ['57P01', 'ReportResultError'],
  ['57P03', 'ReportResultError'],
  ['XX000', 'ReportResultError'],
  ['XX000', 'MarkRemoteTransactionFailed'],
  ['XX000', 'CheckRemoteTransactionsHealth'],
  ['XX000', 'ReportCopyError'],
  ['58030', 'ReportCopyError'],
  ['XX000', 'ScheduleNextPlacementExecution'],
  ['XX000', 'WaitForAllConnections'],
  ['XX000', 'FetchRemoteIntermediateResult'],
] as const

/** The request or Kobo is at fault: a retry would not help. */
const REFUSED = [
  ['23505', '_bt_check_unique'],
  ['23505', 'ReportResultError'], // on a worker
  ['XX000', 'cache_lookup_failed'],
  ['22012', 'int4div'],
] as const

test('a server that lost another has run nothing; a rejected query stays rejected', () => {
  for (const [code, routine] of LOST_WORKER)
    for (const isPerhapsCommitted of [true, false])
      assert.ok(lossOf(failure(code, routine), isPerhapsCommitted) instanceof DatabaseUnavailable, `${code} ${routine}`)
  for (const [code, routine] of REFUSED) {
    const error = failure(code, routine)
    assert.equal(lossOf(error, true), error, `${code} ${routine}`)
  }
})

test('a server without disk, memory or connections, or with a failing disk, has run nothing', () => {
  for (const code of ['53000', '53100', '53200', '53300', '53400', '58000', '58030', '58P01'])
    for (const isPerhapsCommitted of [true, false])
      assert.ok(lossOf(failure(code, 'mdextend'), isPerhapsCommitted) instanceof DatabaseUnavailable, code)
})

test('the outcome is unknown if the server dies during commit; before that, nothing has run', () => {
  for (const error of [
    failure('57P01', 'ProcessInterrupts', 'FATAL'),
    new Error('Connection terminated unexpectedly'),
  ]) {
    assert.ok(lossOf(error, true) instanceof OutcomeUnknown)
    assert.ok(lossOf(error, false) instanceof DatabaseUnavailable)
  }
})

test('a worker’s unique violation on copied rows means that they exist, though Citus hides the code', () => {
  const words = 'duplicate key value violates unique constraint "transaction_key_102008"'
  const error = lossOf(failure('XX000', 'ReportCopyError', 'ERROR', words), true)
  assert.ok(isUniqueViolation(error))
})
