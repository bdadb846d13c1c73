import { refusals } from '../refusal.ts'

export const invoiceRefusals = refusals({
  duplicateReference: {
    code: 'DUPLICATE_INVOICE_REFERENCE',
    status: 422,
    text: 'Duplicate invoice reference',
    cause: 'An invoice or a payment has this reference already.',
  },
  notFound: {
    code: 'UNKNOWN_INVOICE',
    status: 404,
    text: 'Could not find specified invoice',
    cause: 'The merchant has no invoice with this reference.',
  },
  expiryPast: {
    code: 'INVOICE_EXPIRY_PAST',
    status: 400,
    text: 'expiryDate must be in the future',
    cause: 'The invoice would have expired already.',
  },
  expiryTooFar: {
    code: 'INVOICE_EXPIRY_TOO_FAR',
    status: 400,
    text: 'expiryDate must be at most {months} months ahead',
    cause: 'The invoice would be open for too long.',
  },
  transferNotEnabled: {
    code: 'TRANSFER_NEEDED',
    status: 422,
    text: 'Payment method ACCOUNT_TRANSFER is needed to attach a reserved account',
    cause: 'An invoice on a reserved account is paid by transfer.',
  },
  notMailable: {
    code: 'INVOICE_NOT_MAILABLE',
    status: 422,
    text: 'An invoice that is {invoiceStatus} is not mailed',
    cause: 'The invoice has been paid, has expired or was cancelled: nobody is to pay it.',
    example: 'An invoice that is PAID is not mailed',
  },
  notCancellable: {
    code: 'INVOICE_NOT_CANCELLABLE',
    status: 422,
    text: 'An invoice that is {invoiceStatus} cannot be cancelled',
    cause: 'The invoice is paid, expired or cancelled.',
  },
  partlyPaid: {
    code: 'INVOICE_PARTLY_PAID',
    status: 422,
    text: 'An invoice that is partly paid cannot be cancelled',
    cause: 'A part of the invoice has been paid.',
  },
})
