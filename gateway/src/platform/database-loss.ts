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

const READ_ONLY = '25006' // read_only_sql_transaction: a standby, or a primary that is one no more

/** What a failure of a connection means: itself where PostgreSQL refused what was asked, and goes on. */
export function lossOf(error: unknown, isPerhapsCommitted: boolean): unknown {
  if (isDatabaseLoss(error)) return error
  if (isServerError(error)) return error.code === READ_ONLY ? new DatabaseAway(error) : error
  return isPerhapsCommitted ? new OutcomeUnknown(error) : new DatabaseAway(error)
}
