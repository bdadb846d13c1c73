import { refusal } from '../../kernel/errors.ts'

export const transactionErrors = {
  duplicateReference: refusal(422, () => 'Duplicate payment reference'),
  unknownContract: refusal(422, () => 'Could not find specified contract'),
  unknownCurrency: refusal(422, () => 'Unknown currency code supplied'),
  unknownSubAccount: refusal(422, (code: string) => `Could not find sub account ${code}`),
  splitTwice: refusal(400, (field: string) => `${field} must have either splitPercentage or splitAmount, not both`),
  splitsAbovePayment: refusal(422, () => 'Splits add up to more than the payment'),
  splitsAboveWhole: refusal(422, () => 'Splits add up to more than 100 %'),
  splitFeesAboveWhole: refusal(422, () => 'Parts of the fee add up to more than 100 %'),
  methodNotEnabled: refusal(422, (method: string) => `Payment method ${method} is not enabled for this contract`),
  amountTooSmall: refusal(400, (naira: number) => `amount must be at least ${naira}`),
  unknown: refusal(422, () => 'Could not find specified transaction'),
  notFound: refusal(404, () => 'Could not find specified transaction'),
  referenceRequired: refusal(400, () => 'transactionReference or paymentReference is required'),
  alreadyPaid: refusal(422, () => 'Transaction has already been paid'),
  expired: refusal(422, () => 'Transaction has expired'),
  cancelled: refusal(422, () => 'Transaction has been cancelled'),
  notCancellable: refusal(422, (status: string) => `A transaction that is ${status} cannot be cancelled`),
}
