import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { DatabaseAway, lossOf, OutcomeUnknown } from '../../src/platform/database-loss.ts'
import { isTaken } from '../../src/platform/db.ts'

/** What a server says: a code, and the function of its own in which that came about. */
const said = (code: string, routine: string, severity = 'ERROR', words = 'it failed'): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError(words, 0, 'error'), { code, routine, severity })

/** Each as Citus 13 says it of a worker that was killed while a statement was carried out, prepared or sent. */
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

/** The request is at fault, or we are: nobody is asked to try again. */
const REFUSED = [
  ['23505', '_bt_check_unique'],
  ['23505', 'ReportResultError'], // on a worker
  ['XX000', 'cache_lookup_failed'],
  ['22012', 'int4div'],
  ['58030', 'mdread'],
] as const

test('of a server that has lost another nothing was carried out; what it refused stays refused', () => {
  for (const [code, routine] of LOST_WORKER)
    for (const isPerhapsCommitted of [true, false])
      assert.ok(lossOf(said(code, routine), isPerhapsCommitted) instanceof DatabaseAway, `${code} ${routine}`)
  for (const [code, routine] of REFUSED) {
    const error = said(code, routine)
    assert.equal(lossOf(error, true), error, `${code} ${routine}`)
  }
})

test('of a server that ends while it commits nobody knows; before that, nothing was carried out', () => {
  for (const error of [said('57P01', 'ProcessInterrupts', 'FATAL'), new Error('Connection terminated unexpectedly')]) {
    assert.ok(lossOf(error, true) instanceof OutcomeUnknown)
    assert.ok(lossOf(error, false) instanceof DatabaseAway)
  }
})

test('what a worker refuses of rows that are copied to it is there already, though Citus does not pass on the code', () => {
  const words = 'duplicate key value violates unique constraint "transaction_key_102008"'
  const error = lossOf(said('XX000', 'ReportCopyError', 'ERROR', words), true)
  assert.ok(isTaken(error))
})
