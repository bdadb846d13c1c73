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
    cause: 'The payment reference was used before.',
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
    cause: 'A split names both a percentage and an amount.',
  },
  splitsAbovePayment: {
    code: 'SPLITS_ABOVE_PAYMENT',
    status: 422,
    text: 'Splits add up to more than the payment',
    cause: 'Together the splits take more than is paid.',
  },
  splitsAboveWhole: {
    code: 'SPLITS_ABOVE_WHOLE',
    status: 422,
    text: 'Splits add up to more than 100 %',
    cause: 'The percentages of the splits add up to more than 100.',
  },
  splitFeesAboveWhole: {
    code: 'SPLIT_FEES_ABOVE_WHOLE',
    status: 422,
    text: 'Parts of the fee add up to more than 100 %',
    cause: 'The sub accounts’ parts of the fee add up to more than 100 %.',
  },
  methodNotEnabled: {
    code: 'METHOD_NOT_ENABLED',
    status: 422,
    text: 'Payment method {paymentMethod} is not enabled for this contract',
    cause: 'The contract or the transaction does not take this payment method.',
  },
  nothingForPayers: {
    code: 'NO_METHOD_FOR_PAYERS',
    status: 422,
    text: 'A payer cannot pay by {paymentMethod} alone: name another payment method too, or none',
    cause: 'A direct debit is taken under a mandate and not started by a payer, so that nobody could pay this.',
    example: 'A payer cannot pay by DIRECT_DEBIT alone: name another payment method too, or none',
  },
  amountTooSmall: {
    code: 'AMOUNT_TOO_SMALL',
    status: 400,
    text: 'amount must be at least {naira}',
    cause: 'The amount is below the least that can be moved in this way.',
  },
  unknown,
  notFound: { ...unknown, status: 404 },
  referenceRequired: {
    code: 'REFERENCE_REQUIRED',
    status: 400,
    text: 'transactionReference or paymentReference is required',
    cause: 'Neither reference is given.',
  },
  alreadyPaid: {
    code: 'TRANSACTION_PAID',
    status: 422,
    text: 'Transaction has already been paid',
    cause: 'The transaction has been paid.',
  },
  expired: {
    code: 'TRANSACTION_EXPIRED',
    status: 422,
    text: 'Transaction has expired',
    cause: 'The time to pay the transaction is over.',
  },
  cancelled: {
    code: 'TRANSACTION_CANCELLED',
    status: 422,
    text: 'Transaction has been cancelled',
    cause: 'The transaction has been cancelled.',
  },
  notCancellable: {
    code: 'TRANSACTION_NOT_CANCELLABLE',
    status: 422,
    text: 'A transaction that is {paymentStatus} cannot be cancelled',
    cause: 'Something has been paid, or the transaction is over.',
  },
})

const { unknownSubAccount, splitTwice, splitsAbovePayment, splitsAboveWhole, splitFeesAboveWhole } = transactionRefusals

/** How a split of income is refused. */
export const splitTerms = [
  unknownSubAccount,
  splitTwice,
  splitsAbovePayment,
  splitsAboveWhole,
  splitFeesAboveWhole,
] as const

/** How the terms of a new payment are refused. */
export const paymentTerms = [
  transactionRefusals.amountTooSmall,
  transactionRefusals.unknownContract,
  transactionRefusals.unknownCurrency,
  transactionRefusals.methodNotEnabled,
  transactionRefusals.nothingForPayers,
  ...splitTerms,
] as const

/** How a transaction refuses to be paid. */
export const notOpen = [
  transactionRefusals.alreadyPaid,
  transactionRefusals.expired,
  transactionRefusals.cancelled,
] as const
