import { refusals } from '../refusal.ts'
import { transactionRefusals } from './transactions.ts'
import { walletRefusals } from './wallets.ts'

export const refundRefusals = refusals({
  unknownTransaction: { ...transactionRefusals.notFound, responseCode: 'R1' },
  notRefundable: {
    code: 'NOT_REFUNDABLE',
    status: 400,
    responseCode: 'R2',
    text: 'Transaction cannot be refunded: {reason}',
    cause: 'Nothing was paid, or this payment method cannot be refunded.',
    example: 'Transaction cannot be refunded: it has not been paid',
  },
  aboveAmount: {
    code: 'REFUND_ABOVE_PAYMENT',
    status: 400,
    responseCode: 'R3',
    text: 'refundAmount must be at most {naira}, the amount that can still be refunded',
    cause: 'Together with earlier refunds, this one would return more than was paid.',
  },
  amountTooSmall: {
    ...transactionRefusals.amountTooSmall,
    responseCode: 'R4',
    text: 'refundAmount must be at least {naira}',
  },
  insufficientBalance: {
    ...walletRefusals.insufficientBalance,
    responseCode: 'R5',
    text: 'Insufficient wallet balance for the refund and its fee',
  },
  invalidAccount: {
    code: 'INVALID_CUSTOMER_ACCOUNT',
    status: 400,
    responseCode: 'R6',
    text: 'Customer account is not valid: {reason}',
    cause: 'The destination account of the refund cannot be used.',
    example: 'Customer account is not valid: the bank does not know it',
  },
  notFound: {
    code: 'UNKNOWN_REFUND',
    status: 404,
    responseCode: 'R7',
    text: 'Could not find specified refund',
    cause: 'The merchant has no refund with this reference.',
  },
  textTooLong: {
    code: 'TEXT_TOO_LONG',
    status: 400,
    responseCode: 'R8',
    text: '{field} must be at most {length} characters',
    cause: 'The refund reason or customer note is too long.',
  },
  duplicateReference: {
    code: 'DUPLICATE_REFUND_REFERENCE',
    status: 400,
    responseCode: 'R9',
    text: 'Duplicate refund reference',
    cause: 'The refund reference was already used.',
  },
  fullyRefunded: {
    code: 'FULLY_REFUNDED',
    status: 400,
    responseCode: 'R12',
    text: 'Transaction has already been fully refunded',
    cause: 'The full amount paid has been refunded.',
  },
})
