import { refusals } from '../refusal.ts'
import { bankRefusals } from './banks.ts'
import { transactionRefusals } from './transactions.ts'

/** Direct debit lists no 422 in Monnify's API, so business errors are 400. */
export const directDebitRefusals = refusals({
  unknownMandate: {
    code: 'UNKNOWN_MANDATE',
    status: 404,
    text: 'Could not find specified mandate',
    cause: 'The merchant has no mandate with this code.',
  },
  unknownDebit: {
    code: 'UNKNOWN_DEBIT',
    status: 404,
    text: 'Could not find specified debit',
    cause: 'The merchant has no debit with this payment reference.',
  },
  duplicateMandate: {
    code: 'DUPLICATE_MANDATE_REFERENCE',
    status: 400,
    text: 'Duplicate mandate reference',
    cause: 'The mandate reference was already used.',
  },
  duplicatePayment: { ...transactionRefusals.duplicateReference, status: 400 },
  unknownContract: { ...transactionRefusals.unknownContract, status: 400 },
  notEnabled: {
    ...transactionRefusals.methodNotEnabled,
    status: 400,
    text: 'Payment method DIRECT_DEBIT is not enabled for this contract',
  },
  unknownBank: { ...bankRefusals.unknownBank, status: 400 },
  startInThePast: {
    code: 'MANDATE_START_PAST',
    status: 400,
    text: 'mandateStartDate must not be in the past',
    cause: 'The earliest start of a mandate is today.',
  },
  endNotAfterStart: {
    code: 'MANDATE_END_BEFORE_START',
    status: 400,
    text: 'mandateEndDate must be after mandateStartDate',
    cause: 'The mandate’s end date is not after its start date.',
  },
  endInThePast: {
    code: 'MANDATE_END_PAST',
    status: 400,
    text: 'mandateEndDate must be in the future',
    cause: 'The mandate would already have ended.',
  },
  amountTooSmall: {
    ...transactionRefusals.amountTooSmall,
    text: '{field} must be at least {naira}',
  },
  debitAboveMandate: {
    code: 'DEBIT_ABOVE_MANDATE',
    status: 400,
    text: 'debitAmount must not be above mandateAmount',
    cause: 'One debit would exceed the mandate’s total amount.',
  },
  tooManyReferences: {
    code: 'TOO_MANY_REFERENCES',
    status: 400,
    text: 'mandateReferences must list at most {count} references',
    cause: 'The request lists too many mandates.',
  },
  datesApart: {
    code: 'DATES_TOO_FAR_APART',
    status: 400,
    text: 'startDate and endDate must be at most {days} days apart',
    cause: 'The date range is too long.',
  },
  datesReversed: {
    code: 'DATES_REVERSED',
    status: 400,
    text: 'endDate must not be before startDate',
    cause: 'The date range ends before it starts.',
  },
  notActive: {
    code: 'MANDATE_NOT_ACTIVE',
    status: 400,
    text: 'A mandate that is {mandateStatus} cannot be debited',
    cause: 'The customer has not authorized the mandate yet, or the mandate has ended.',
  },
  cancellationRequested: {
    code: 'CANCELLATION_REQUESTED',
    status: 400,
    text: 'Cancellation of this mandate has been requested',
    cause: 'The mandate is being cancelled.',
  },
  notStarted: {
    code: 'MANDATE_NOT_STARTED',
    status: 400,
    text: 'This mandate cannot be debited before {startDate}',
    cause: 'The mandate has not started yet.',
  },
  ended: {
    code: 'MANDATE_ENDED',
    status: 400,
    text: 'This mandate ended at {endDate}',
    cause: 'The mandate’s end date has passed.',
  },
  notTheFixedAmount: {
    code: 'NOT_THE_FIXED_AMOUNT',
    status: 400,
    text: 'debitAmount must be {naira}, the fixed amount of the mandate',
    cause: 'A Fixed mandate sets the amount of every debit.',
  },
  aboveWhatIsLeft: {
    code: 'ABOVE_MANDATE_LEFT',
    status: 400,
    text: 'debitAmount must be at most {naira}, the amount left on the mandate',
    cause: 'Together with earlier debits, this one would exceed the mandate’s total amount.',
  },
  notCancellable: {
    code: 'MANDATE_NOT_CANCELLABLE',
    status: 400,
    text: 'A mandate that is {mandateStatus} cannot be cancelled',
    cause: 'The mandate has already ended.',
  },
  notAuthorizable: {
    code: 'MANDATE_NOT_AUTHORIZABLE',
    status: 400,
    text: 'A mandate that is {mandateStatus} cannot be authorized',
    cause: 'The mandate is not waiting for the customer’s authorization.',
  },
})
