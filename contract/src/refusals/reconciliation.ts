import { refusals } from '../refusal.ts'

/** Errors of decisions about reconciliation exceptions. */
export const reconciliationRefusals = refusals({
  notDecided: {
    code: 'NOT_DECIDED',
    status: 422,
    text: '{why}',
    cause:
      'The entry does not fit the exception, the exception is already resolved, or the user confirms their own proposal. The message says which.',
  },
})
