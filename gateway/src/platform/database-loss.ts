import pg from 'pg'

/** What a driver or a system says beside the words of an error. */
const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined

/** In one line: of several addresses that were tried, the driver says nothing but a code. */
const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : '') || codeOf(error) || 'it does not answer'

/** The database is not there, or takes no writes: what was asked of it was not carried out. */
export class DatabaseAway extends Error {
  /** As ECONNREFUSED, or PostgreSQL's own. */
  readonly code: string | undefined
  constructor(cause: unknown) {
    super(`The database is away: ${wordsOf(cause)}`, { cause })
    this.code = codeOf(cause)
  }
}

/** The database was lost while it committed: what was asked of it was carried out or not, and nobody knows. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super(`The database was lost while it committed: ${wordsOf(cause)}`, { cause })
  }
}

/** Whether a failure is that of a database which is not there, whatever became of what was asked of it. */
export const isDatabaseLoss = (error: unknown): error is DatabaseAway | OutcomeUnknown =>
  error instanceof DatabaseAway || error instanceof OutcomeUnknown

/** Whether PostgreSQL itself refused: then nothing of the transaction remains, unlike with a lost connection. */
export const isServerError = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR'

/**
 * Errors of a database that takes nothing for now: read_only_sql_transaction, of a standby, or a primary that is one no more;
 * and of connection_exception and admin_shutdown those of a server behind it, as a worker of Citus.
 */
const AWAY = /^(25006|0800[0-6]|57P0[123])$/
/**
 * Where Citus finds, before it commits, that it has lost a worker, and calls that an internal error. Those of the executor and
 * of copies by their own names; a transaction that a worker does not prepare; and what a worker answers without a code.
 */
const LOST_WORKER: ReadonlySet<unknown> = new Set([
  'AddSessionToWaitEventSet',
  'BuildWaitEventSet',
  'CheckRemoteTransactionsHealth',
  'EndRemoteCopy',
  'FetchRemoteIntermediateResult',
  'FinishConnectionListEstablishment',
  'FinishRemoteTransactionPrepare',
  'MarkRemoteTransactionFailed',
  'RebuildWaitEventSetFlags',
  'ReportCopyError',
  'ReportResultError',
  'ScheduleNextPlacementExecution',
  'SendCopyDataToPlacement',
  'WaitEventSetFromMultiConnectionStates',
  'WaitForAllConnections',
])
const INTERNAL = 'XX000'
/** internal_error, io_error */
const OF_LOST_WORKER: readonly string[] = [INTERNAL, '58030']

const isAway = ({ code = '', routine }: pg.DatabaseError): boolean =>
  AWAY.test(code) || (OF_LOST_WORKER.includes(code) && LOST_WORKER.has(routine))

/** The words of unique_violation: where rows are copied to a worker, Citus passes on its words, and not its code. */
const UNIQUE_VIOLATION = { code: '23505', words: 'duplicate key value violates unique constraint' }

/** What a server refused, with the code that it had where it was refused. */
function asRefused(error: pg.DatabaseError): pg.DatabaseError {
  const { code, routine, message } = error
  const isCopied = code === INTERNAL && routine === 'ReportCopyError'
  return isCopied && message.startsWith(UNIQUE_VIOLATION.words)
    ? Object.assign(error, { code: UNIQUE_VIOLATION.code })
    : error
}

/** What a failure of a connection means: itself where PostgreSQL refused what was asked, and goes on. */
export function lossOf(error: unknown, isPerhapsCommitted: boolean): unknown {
  if (isDatabaseLoss(error)) return error
  if (isServerError(error)) {
    const refused = asRefused(error)
    return isAway(refused) ? new DatabaseAway(refused) : refused
  }
  return isPerhapsCommitted ? new OutcomeUnknown(error) : new DatabaseAway(error)
}
