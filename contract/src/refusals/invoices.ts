import { refusals } from '../refusal.ts'

export const invoiceRefusals = refusals({
  duplicateReference: {
    code: 'DUPLICATE_INVOICE_REFERENCE',
    status: 422,
    text: 'Duplicate invoice reference',
    cause: 'An invoice or a payment already uses this reference.',
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
    cause: 'The invoice would already have expired.',
  },
  expiryTooFar: {
    code: 'INVOICE_EXPIRY_TOO_FAR',
    status: 400,
    text: 'expiryDate must be at most {months} months ahead',
    cause: 'The expiry date is too far ahead.',
  },
  itemsDiffer: {
    code: 'INVOICE_ITEMS_DIFFER',
    status: 400,
    text: 'amount must be {total}, the sum of quantity × unitPrice of the items',
    cause: 'The items cost more or less than the amount of the invoice.',
    example: 'amount must be 5000.00, the sum of quantity × unitPrice of the items',
  },
  transferNotEnabled: {
    code: 'TRANSFER_NEEDED',
    status: 422,
    text: 'paymentMethods must include ACCOUNT_TRANSFER to attach a reserved account',
    cause: 'An invoice on a reserved account can only be paid by transfer.',
  },
  notMailable: {
    code: 'INVOICE_NOT_MAILABLE',
    status: 422,
    text: 'An invoice that is {invoiceStatus} cannot be emailed',
    cause: 'The invoice is paid, expired or cancelled, so it no longer needs a payment.',
    example: 'An invoice that is PAID cannot be emailed',
  },
  notCancellable: {
    code: 'INVOICE_NOT_CANCELLABLE',
    status: 422,
    text: 'An invoice that is {invoiceStatus} cannot be cancelled',
    cause: 'The invoice is already paid, expired or cancelled.',
  },
  partlyPaid: {
    code: 'INVOICE_PARTLY_PAID',
    status: 422,
    text: 'An invoice that is partly paid cannot be cancelled',
    cause: 'Part of the invoice has been paid.',
  },
})
