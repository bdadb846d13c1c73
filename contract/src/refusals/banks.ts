import { refusals } from '../refusal.ts'

/** Errors of routes that take a bank account. */
export const bankRefusals = refusals({
  unknownBank: {
    code: 'UNKNOWN_BANK',
    status: 422,
    text: 'Could not find bank {bankCode}',
    cause: 'No bank has this code, or the bank does not support this operation.',
  },
  unknownAccount: {
    code: 'UNKNOWN_ACCOUNT',
    status: 400,
    text: 'Could not find bank account',
    cause: 'The bank has no account with this number.',
  },
  unavailable: {
    code: 'BANK_UNAVAILABLE',
    status: 400,
    text: 'The account name could not be looked up: try again later',
    cause: 'The bank did not return the account holder’s name. Nothing was done; a retry may succeed.',
  },
})
