import { refusals } from '../refusal.ts'
import { accessRefusals } from './access.ts'
import { transactionRefusals } from './transactions.ts'
import { walletRefusals } from './wallets.ts'

export const paycodeRefusals = refusals({
  notFound: {
    code: 'UNKNOWN_PAYCODE',
    status: 404,
    text: 'Could not find specified paycode',
    cause: 'The merchant has no paycode with this reference.',
  },
  duplicateReference: {
    code: 'DUPLICATE_PAYCODE_REFERENCE',
    status: 400,
    text: 'Duplicate paycode reference',
    cause: 'The paycode reference was already used.',
  },
  notTheCaller: { ...accessRefusals.anotherApiKey, text: 'clientId must be the API key of the caller' },
  amountTooSmall: transactionRefusals.amountTooSmall,
  expiryInThePast: {
    code: 'PAYCODE_EXPIRY_PAST',
    status: 400,
    text: 'expiryDate must be in the future',
    cause: 'The paycode would already have expired.',
  },
  expiryTooFar: {
    code: 'PAYCODE_EXPIRY_TOO_FAR',
    status: 400,
    text: 'expiryDate must be at most {days} days ahead',
    cause: 'The expiry date is too far ahead.',
  },
  insufficientBalance: {
    ...walletRefusals.insufficientBalance,
    text: 'Insufficient wallet balance for the amount and its fee',
  },
  notCancellable: {
    code: 'PAYCODE_NOT_CANCELLABLE',
    status: 400,
    text: 'A paycode that is {transactionStatus} cannot be cancelled',
    cause: 'The paycode is already paid out, expired or cancelled.',
  },
  notRedeemable: {
    code: 'PAYCODE_NOT_REDEEMABLE',
    status: 400,
    text: 'A paycode that is {transactionStatus} cannot be paid out',
    cause: 'The paycode is already paid out, expired or cancelled.',
  },
})
