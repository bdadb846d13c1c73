import { type Refusal, type RefusalStatus, refusal } from '../../kernel/errors.ts'

const NOT_FOUND = 'Cannot find reserved account'

export const reservedAccountErrors = {
  referenceTaken: refusal(422, () => 'You can not reserve two accounts with the same reference'),
  notFound: refusal(404, () => NOT_FOUND),
  /** For endpoints whose list of statuses has no 404. */
  unknown: refusal(400, () => NOT_FOUND),
  /** For invoices that name an account. */
  noSuchAccount: refusal(422, () => NOT_FOUND),
  notForInvoices: refusal(422, () => 'Invoices can only be attached to a reserved account of the type INVOICE'),
  hasOpenInvoice: refusal(422, () => 'The reserved account has an open invoice'),
  identityRequired: refusal(400, () => 'bvn is required where nin is not given'),
  identityMissing: refusal(400, () => 'bvn or nin is required'),
  invalidBvn: refusal(400, () => 'Invalid BVN provided'),
  sourcesRequired: refusal(400, () => 'allowedPaymentSources is required where restrictPaymentSource is true'),
  /** Where the endpoint has no 422 for what is otherwise refused with it. */
  splitRefused: refusal(400, (reason: string) => reason),
  unknownBank: (status: RefusalStatus, bankCode: string): Refusal =>
    refusal(status, () => `Could not find bank ${bankCode}`)(),
}
