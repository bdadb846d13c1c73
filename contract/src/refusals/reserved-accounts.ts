import { refusals } from '../refusal.ts'
import { bankRefusals } from './banks.ts'

const notFound = {
  code: 'UNKNOWN_RESERVED_ACCOUNT',
  status: 404,
  text: 'Cannot find reserved account',
  cause: 'The merchant has no reserved account with this reference, or it was deallocated.',
} as const

const identityRequired = {
  code: 'IDENTITY_REQUIRED',
  status: 400,
  text: 'bvn is required if nin is not given',
  cause: 'Neither a BVN nor a NIN is given.',
} as const

export const reservedAccountRefusals = refusals({
  referenceTaken: {
    code: 'DUPLICATE_ACCOUNT_REFERENCE',
    status: 422,
    text: 'You can not reserve two accounts with the same reference',
    cause: 'The account reference was already used.',
  },
  notFound,
  /** For routes that have no 404 in Monnify's API. */
  unknown: { ...notFound, status: 400 },
  /** For invoices that attach an account. */
  noSuchAccount: { ...notFound, status: 422 },
  notForInvoices: {
    code: 'NOT_AN_INVOICE_ACCOUNT',
    status: 422,
    text: 'accountReference must be a reserved account of type INVOICE',
    cause: 'The reserved account is of type GENERAL.',
  },
  hasOpenInvoice: {
    code: 'OPEN_INVOICE',
    status: 422,
    text: 'The reserved account already has an open invoice',
    cause: 'A reserved account can have one open invoice at a time.',
  },
  identityRequired,
  /** The same error for a change of the customer's details. */
  identityMissing: { ...identityRequired, text: 'bvn or nin is required' },
  invalidBvn: {
    code: 'INVALID_BVN',
    status: 400,
    text: 'Invalid BVN provided',
    cause: 'The BVN does not have 11 digits, or does not exist.',
  },
  sourcesRequired: {
    code: 'SOURCES_REQUIRED',
    status: 400,
    text: 'allowedPaymentSources is required if restrictPaymentSource is true',
    cause: 'Payment sources are restricted, but none is listed.',
  },
  unknownBank: bankRefusals.unknownBank,
})
