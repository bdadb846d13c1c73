import pg from 'pg'

/** The code of a driver or system error. */
const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined

/** Describes an error in one line. If several addresses failed, the driver's error has a code but no message. */
const describe = (error: unknown): string =>
  (error instanceof Error ? error.message : '') || codeOf(error) || 'it does not respond'

/** The database is unreachable or accepts no writes: nothing was done. */
export class DatabaseUnavailable extends Error {
  /** For example ECONNREFUSED, or PostgreSQL's own code. */
  readonly code: string | undefined
  constructor(cause: unknown) {
    super(`The database is unavailable: ${describe(cause)}`, { cause })
    this.code = codeOf(cause)
  }
}

/** The database was lost during a commit: the outcome is unknown. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super(`The database connection was lost during a commit: ${describe(cause)}`, { cause })
  }
}

/** Whether a failure means that the database was lost, with or without a known outcome. */
export const isDatabaseLoss = (error: unknown): error is DatabaseUnavailable | OutcomeUnknown =>
  error instanceof DatabaseUnavailable || error instanceof OutcomeUnknown

/**
 * Whether PostgreSQL itself rejected the query. Then the transaction was rolled back. After a lost connection, its
 * outcome is unknown.
 */
export const isServerError = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR'

/**
 * Codes of a database that accepts no writes now. It is a standby or a former primary (read_only_sql_transaction), it
 * lost another server that it needs (such as a Citus worker), or it is shutting down or starting.
 */
const UNAVAILABLE = /^(25006|0800[0-6]|57P0[123])$/
/**
 * The classes insufficient_resources and system_error: a full disk, no memory, too many connections, a failing disk.
 */
const EXHAUSTED = /^(53|58)/

/** Whether the database is running but has no room or resources for a write. */
export const isExhausted = (error: unknown): boolean => EXHAUSTED.test(codeOf(error) ?? '')
/**
 * The functions in which Citus notices, before a commit, that it lost a worker. It reports this as an internal error,
 * so only the function's name shows the reason.
 */
const LOST_WORKER_FUNCTIONS: ReadonlySet<unknown> = new Set([
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

const isUnavailable = ({ code = '', routine }: pg.DatabaseError): boolean =>
  UNAVAILABLE.test(code) || EXHAUSTED.test(code) || (code === INTERNAL && LOST_WORKER_FUNCTIONS.has(routine))

/**
 * The text of unique_violation. When Citus copies rows to a worker, it passes on the worker's text but not the code.
 */
const UNIQUE_VIOLATION = { code: '23505', words: 'duplicate key value violates unique constraint' }

/** Restores the code that a server's error originally had. */
function withOriginalCode(error: pg.DatabaseError): pg.DatabaseError {
  const { code, routine, message } = error
  const isCopied = code === INTERNAL && routine === 'ReportCopyError'
  return isCopied && message.startsWith(UNIQUE_VIOLATION.words)
    ? Object.assign(error, { code: UNIQUE_VIOLATION.code })
    : error
}

/**
 * Returns the error to throw for a failed query: PostgreSQL's own error if it only rejected the query, else a database
 * loss.
 */
export function lossOf(error: unknown, isPerhapsCommitted: boolean): unknown {
  if (isDatabaseLoss(error)) return error
  if (isServerError(error)) {
    const original = withOriginalCode(error)
    return isUnavailable(original) ? new DatabaseUnavailable(original) : original
  }
  return isPerhapsCommitted ? new OutcomeUnknown(error) : new DatabaseUnavailable(error)
}
