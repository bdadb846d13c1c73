import { refusal } from '../../kernel/errors.ts'

const RETRY_AFTER_SECONDS = '30'

export const billErrors = {
  unknownProduct: refusal(404, (code: string) => `Could not find product ${code}`),
  unknownCustomer: refusal(400, (reason: string) => reason),
  amountRequired: refusal(400, () => 'amount is required'),
  notThePrice: refusal(400, (price: number) => `amount must be ${price}, the price of the product`),
  amountTooSmall: refusal(400, (naira: number) => `amount must be at least ${naira}`),
  amountTooLarge: refusal(400, (naira: number) => `amount must be at most ${naira}`),
  validationRequired: refusal(400, () => 'validationReference is required: validate the customer first'),
  notValidated: refusal(
    400,
    () => 'validationReference is not known for this product and customer, or has expired: validate the customer again',
  ),
  duplicateReference: refusal(422, () => 'Duplicate reference'),
  notFound: refusal(404, () => 'Could not find specified bill payment'),
  unavailable: refusal(503, () => 'The biller cannot be reached, please try again later', {
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  }),
}
