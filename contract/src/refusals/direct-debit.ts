import { refusals } from '../refusal.ts'
import { bankRefusals } from './banks.ts'
import { transactionRefusals } from './transactions.ts'

/** Direct debit lists no 422, so what a rule refuses is 400. */
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
    cause: 'The mandate reference was used before.',
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
    text: 'mandateStartDate lies in the past',
    cause: 'A mandate starts today at the earliest.',
  },
  endNotAfterStart: {
    code: 'MANDATE_END_BEFORE_START',
    status: 400,
    text: 'mandateEndDate must be after mandateStartDate',
    cause: 'The mandate would end before it starts.',
  },
  endInThePast: {
    code: 'MANDATE_END_PAST',
    status: 400,
    text: 'mandateEndDate lies in the past',
    cause: 'The mandate would be over already.',
  },
  amountTooSmall: {
    ...transactionRefusals.amountTooSmall,
    text: '{field} must be at least {naira}',
  },
  debitAboveMandate: {
    code: 'DEBIT_ABOVE_MANDATE',
    status: 400,
    text: 'debitAmount must not be above mandateAmount',
    cause: 'One debit would take more than the mandate allows in all.',
  },
  tooManyReferences: {
    code: 'TOO_MANY_REFERENCES',
    status: 400,
    text: 'mandateReferences must be at most {count}',
    cause: 'Too many mandates are asked for at once.',
  },
  datesApart: {
    code: 'DATES_TOO_FAR_APART',
    status: 400,
    text: 'startDate and endDate must be at most {days} days apart',
    cause: 'The listing spans too many days.',
  },
  datesReversed: {
    code: 'DATES_REVERSED',
    status: 400,
    text: 'endDate must not be before startDate',
    cause: 'The listing would end before it starts.',
  },
  notActive: {
    code: 'MANDATE_NOT_ACTIVE',
    status: 400,
    text: 'A mandate that is {mandateStatus} cannot be debited',
    cause: 'The customer has not authorised the mandate yet, or it is over.',
  },
  cancellationRequested: {
    code: 'CANCELLATION_REQUESTED',
    status: 400,
    text: 'Cancellation of this mandate has been requested',
    cause: 'The mandate is about to be cancelled.',
  },
  notStarted: {
    code: 'MANDATE_NOT_STARTED',
    status: 400,
    text: 'This mandate cannot be debited before {startDate}',
    cause: 'The mandate’s start lies ahead.',
  },
  ended: {
    code: 'MANDATE_ENDED',
    status: 400,
    text: 'This mandate has ended at {endDate}',
    cause: 'The mandate’s end has passed.',
  },
  notTheFixedAmount: {
    code: 'NOT_THE_FIXED_AMOUNT',
    status: 400,
    text: 'debitAmount must be {naira}, as the mandate says',
    cause: 'The mandate is a Fixed one, and names the amount of each debit.',
  },
  aboveWhatIsLeft: {
    code: 'ABOVE_MANDATE_LEFT',
    status: 400,
    text: 'debitAmount is above what is left of the mandate: {naira}',
    cause: 'With the debits before it, this one would take more than the mandate allows.',
  },
  notCancellable: {
    code: 'MANDATE_NOT_CANCELLABLE',
    status: 400,
    text: 'A mandate that is {mandateStatus} cannot be cancelled',
    cause: 'The mandate is over.',
  },
  notAuthorizable: {
    code: 'MANDATE_NOT_AUTHORIZABLE',
    status: 400,
    text: 'A mandate that is {mandateStatus} cannot be authorised',
    cause: 'The mandate does not wait for the customer’s leave.',
  },
})
