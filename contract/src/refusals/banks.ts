import { refusals } from '../refusal.ts'

/** How whatever names a bank account is refused. */
export const bankRefusals = refusals({
  unknownBank: {
    code: 'UNKNOWN_BANK',
    status: 422,
    text: 'Could not find bank {bankCode}',
    cause: 'There is no bank with this code, or none that can do what is asked.',
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
    text: 'The account name cannot be asked for at the moment, please try again',
    cause: 'The bank does not say whose account it is. Nothing was done; the same may succeed later.',
  },
})
