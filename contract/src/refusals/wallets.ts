import { refusals } from '../refusal.ts'

export const walletRefusals = refusals({
  insufficientBalance: {
    code: 'INSUFFICIENT_BALANCE',
    status: 400,
    responseCode: 'D04',
    text: 'Insufficient wallet balance',
    cause: 'The wallet holds less than the amount and its fee.',
  },
  duplicateReference: {
    code: 'DUPLICATE_WALLET_REFERENCE',
    status: 422,
    text: 'Duplicate wallet reference',
    cause: 'The wallet reference was used before.',
  },
  notFound: {
    code: 'UNKNOWN_WALLET',
    status: 404,
    text: 'Could not find specified wallet',
    cause: 'The merchant has no such wallet.',
  },
  walletRequired: {
    code: 'WALLET_REQUIRED',
    status: 400,
    text: 'accountNumber or walletReference is required',
    cause: 'Neither the account number nor the reference of the wallet is given.',
  },
})
