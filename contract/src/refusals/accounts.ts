import { refusals } from '../refusal.ts'

/** Errors of routes that need a new account number. */
export const accountRefusals = refusals({
  noSource: {
    code: 'NO_ACCOUNT_NUMBERS',
    status: 503,
    text: 'No bank that issues account numbers is connected',
    cause: 'The operator has no bank that opens accounts. Nothing was done.',
  },
  usedUp: {
    code: 'ACCOUNT_NUMBERS_USED_UP',
    status: 503,
    text: 'The bank has no free account numbers',
    cause:
      'Every account number that the bank assigned is in use, or was closed too recently to be reused. Nothing was done.',
  },
  pending: {
    code: 'ACCOUNT_PENDING',
    status: 503,
    text: 'The bank has not confirmed the account yet: retry the request',
    cause:
      'The issuing bank has not responded yet. Kobo keeps querying it; a retry returns the same account number, never a second one.',
    retryAfterSeconds: 5,
  },
  refused: {
    code: 'ACCOUNT_REFUSED',
    status: 503,
    text: 'The bank did not open the account: {reason}',
    cause: 'The issuing bank rejected the account. Nothing was done; you can try another bank.',
    example: 'The bank did not open the account: The customer is not known',
  },
})

/** These errors as a list, for routes. */
export const noAccount = Object.values(accountRefusals)
