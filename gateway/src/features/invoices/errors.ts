import { refusal } from '../../kernel/errors.ts'

export const invoiceErrors = {
  duplicateReference: refusal(422, () => 'Duplicate invoice reference'),
  notFound: refusal(404, () => 'Could not find specified invoice'),
  expiryPast: refusal(400, () => 'expiryDate must be in the future'),
  expiryTooFar: refusal(400, (months: number) => `expiryDate must be at most ${months} months ahead`),
  transferNotEnabled: refusal(422, () => 'Payment method ACCOUNT_TRANSFER is needed to attach a reserved account'),
  notCancellable: refusal(422, (status: string) => `An invoice that is ${status} cannot be cancelled`),
  partlyPaid: refusal(422, () => 'An invoice that is partly paid cannot be cancelled'),
}
