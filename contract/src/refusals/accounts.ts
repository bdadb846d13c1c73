import { refusals } from '../refusal.ts'

/** How whatever needs an account number is refused where no bank gives one. */
export const accountRefusals = refusals({
  noSource: {
    code: 'NO_ACCOUNT_NUMBERS',
    status: 503,
    text: 'No bank is connected that gives account numbers',
    cause: 'The operator has no agreement with a bank under which accounts are opened there. Nothing was done.',
  },
  usedUp: {
    code: 'ACCOUNT_NUMBERS_USED_UP',
    status: 503,
    text: 'All account numbers of the bank are in use',
    cause: 'Every number that the bank has assigned is held or rests. Nothing was done.',
  },
  pending: {
    code: 'ACCOUNT_PENDING',
    status: 503,
    text: 'The bank has not confirmed the account yet, please try again',
    cause:
      'The bank that issues the number has not answered. It is asked again: who repeats the request gets the number that it was asked for, and no second one.',
    retryAfterSeconds: 5,
  },
  refused: {
    code: 'ACCOUNT_REFUSED',
    status: 503,
    text: 'The bank opens no account: {reason}',
    cause: 'The bank that issues the number has refused to. Nothing was done; another bank may be named.',
    example: 'The bank opens no account: The customer is not known',
  },
})

/** The same as a list, for routes. */
export const noAccount = Object.values(accountRefusals)
