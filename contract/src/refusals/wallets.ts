import { refusals } from '../refusal.ts'

export const walletRefusals = refusals({
  insufficientBalance: {
    code: 'INSUFFICIENT_BALANCE',
    status: 400,
    responseCode: 'D04',
    text: 'Insufficient wallet balance',
    cause: 'The wallet holds less than the amount plus its fee.',
  },
  duplicateReference: {
    code: 'DUPLICATE_WALLET_REFERENCE',
    status: 422,
    text: 'Duplicate wallet reference',
    cause: 'The wallet reference was already used.',
  },
  notFound: {
    code: 'UNKNOWN_WALLET',
    status: 404,
    text: 'Could not find specified wallet',
    cause: 'The merchant has no wallet with this account number or reference.',
  },
  walletRequired: {
    code: 'WALLET_REQUIRED',
    status: 400,
    text: 'accountNumber or walletReference is required',
    cause: 'The request has neither the wallet’s account number nor its reference.',
  },
})
