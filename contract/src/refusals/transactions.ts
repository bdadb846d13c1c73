import { refusals } from '../refusal.ts'

const unknown = {
  code: 'UNKNOWN_TRANSACTION',
  status: 422,
  text: 'Could not find specified transaction',
  cause: 'The merchant has no transaction with this reference.',
} as const

export const transactionRefusals = refusals({
  duplicateReference: {
    code: 'DUPLICATE_PAYMENT_REFERENCE',
    status: 422,
    text: 'Duplicate payment reference',
    cause: 'The payment reference was already used.',
  },
  unknownContract: {
    code: 'UNKNOWN_CONTRACT',
    status: 422,
    text: 'Could not find specified contract',
    cause: 'The merchant has no contract with this code.',
  },
  unknownCurrency: {
    code: 'UNKNOWN_CURRENCY',
    status: 422,
    text: 'Unknown currency code supplied',
    cause: 'The currency is not NGN.',
  },
  unknownSubAccount: {
    code: 'UNKNOWN_SUB_ACCOUNT',
    status: 422,
    text: 'Could not find sub account {subAccountCode}',
    cause: 'The merchant has no sub account with this code.',
  },
  splitTwice: {
    code: 'SPLIT_GIVEN_TWICE',
    status: 400,
    text: '{field} must have either splitPercentage or splitAmount, not both',
    cause: 'A split has both a percentage and an amount.',
  },
  splitsAbovePayment: {
    code: 'SPLITS_ABOVE_PAYMENT',
    status: 422,
    text: 'Splits add up to more than the payment',
    cause: 'The splits exceed the amount of the payment.',
  },
  splitsAboveWhole: {
    code: 'SPLITS_ABOVE_WHOLE',
    status: 422,
    text: 'splitPercentage values must add up to at most 100 %',
    cause: 'The split percentages add up to more than 100 %.',
  },
  splitFeesAboveWhole: {
    code: 'SPLIT_FEES_ABOVE_WHOLE',
    status: 422,
    text: 'feePercentage values must add up to at most 100 %',
    cause: 'The sub accounts’ fee percentages add up to more than 100 %.',
  },
  methodNotEnabled: {
    code: 'METHOD_NOT_ENABLED',
    status: 422,
    text: 'Payment method {paymentMethod} is not enabled for this contract',
    cause: 'The contract or the transaction does not accept this payment method.',
  },
  noMethodForPayers: {
    code: 'NO_METHOD_FOR_PAYERS',
    status: 422,
    text: 'Customers cannot pay by {paymentMethod} alone: add another payment method, or leave paymentMethods out',
    cause: 'Only the merchant can start a direct debit, under a mandate, so no customer could pay this.',
    example: 'Customers cannot pay by DIRECT_DEBIT alone: add another payment method, or leave paymentMethods out',
  },
  amountTooSmall: {
    code: 'AMOUNT_TOO_SMALL',
    status: 400,
    text: 'amount must be at least {naira}',
    cause: 'The amount is below the minimum for this operation.',
  },
  unknown,
  notFound: { ...unknown, status: 404 },
  referenceRequired: {
    code: 'REFERENCE_REQUIRED',
    status: 400,
    text: 'transactionReference or paymentReference is required',
    cause: 'Neither reference was sent.',
  },
  alreadyPaid: {
    code: 'TRANSACTION_PAID',
    status: 422,
    text: 'Transaction has already been paid',
    cause: 'The transaction is already paid.',
  },
  expired: {
    code: 'TRANSACTION_EXPIRED',
    status: 422,
    text: 'Transaction has expired',
    cause: 'The transaction was not paid in time.',
  },
  cancelled: {
    code: 'TRANSACTION_CANCELLED',
    status: 422,
    text: 'Transaction has been cancelled',
    cause: 'The transaction was cancelled.',
  },
  notCancellable: {
    code: 'TRANSACTION_NOT_CANCELLABLE',
    status: 422,
    text: 'A transaction that is {paymentStatus} cannot be cancelled',
    cause: 'The transaction is paid, partly paid, or has ended.',
  },
})

const { unknownSubAccount, splitTwice, splitsAbovePayment, splitsAboveWhole, splitFeesAboveWhole } = transactionRefusals

/** Errors of income splits. */
export const splitTerms = [
  unknownSubAccount,
  splitTwice,
  splitsAbovePayment,
  splitsAboveWhole,
  splitFeesAboveWhole,
] as const

/** Errors of a new payment's terms. */
export const paymentTerms = [
  transactionRefusals.amountTooSmall,
  transactionRefusals.unknownContract,
  transactionRefusals.unknownCurrency,
  transactionRefusals.methodNotEnabled,
  transactionRefusals.noMethodForPayers,
  ...splitTerms,
] as const

/** Errors of a transaction that can no longer be paid. */
export const notOpen = [
  transactionRefusals.alreadyPaid,
  transactionRefusals.expired,
  transactionRefusals.cancelled,
] as const
