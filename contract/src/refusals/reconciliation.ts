import { refusals } from '../refusal.ts'

/** Errors of statements, closed days and decisions about reconciliation exceptions. */
export const reconciliationRefusals = refusals({
  notDecided: {
    code: 'NOT_DECIDED',
    status: 422,
    text: '{why}',
    cause:
      'The entry does not fit the exception, the exception is already resolved, or the user confirms their own proposal. The message says which.',
  },
  unknownAccount: {
    code: 'STATEMENT_ACCOUNT_NOT_FOUND',
    status: 404,
    text: 'No account at {partner} is registered. Register it with kobo statement account.',
    cause: 'Statements are reconciled only for registered accounts.',
  },
  notImported: {
    code: 'STATEMENT_NOT_IMPORTED',
    status: 422,
    text: '{why}',
    cause:
      'A line cannot be read, the balances do not add up, the file belongs to another account, or a closed day has a new line. No line of the file was imported.',
  },
  notClosed: {
    code: 'DAY_NOT_CLOSED',
    status: 422,
    text: '{why}',
    cause:
      'The day is not over, its statement is missing, an exception is open, or bank and ledger differ. The message says which.',
  },
})
