import { refusals } from '../refusal.ts'
import { transactionRefusals } from './transactions.ts'

export const billRefusals = refusals({
  unknownProduct: {
    code: 'UNKNOWN_PRODUCT',
    status: 404,
    text: 'Could not find product {productCode}',
    cause: 'No biller has a product with this code.',
  },
  unknownCustomer: {
    code: 'UNKNOWN_CUSTOMER',
    status: 400,
    text: '{reason}',
    cause: 'The biller does not know the customer. The message is the biller’s reason.',
    example: 'Customer not found',
  },
  amountRequired: {
    code: 'AMOUNT_REQUIRED',
    status: 400,
    text: 'amount is required',
    cause: 'The customer names the amount of this product.',
  },
  notThePrice: {
    code: 'NOT_THE_PRICE',
    status: 400,
    text: 'amount must be {naira}, the price of the product',
    cause: 'The product has a price of its own.',
  },
  amountTooSmall: transactionRefusals.amountTooSmall,
  amountTooLarge: {
    code: 'AMOUNT_TOO_LARGE',
    status: 400,
    text: 'amount must be at most {naira}',
    cause: 'The amount is above the most that the biller takes.',
  },
  validationRequired: {
    code: 'VALIDATION_REQUIRED',
    status: 400,
    text: 'validationReference is required: validate the customer first',
    cause: 'The biller wants the customer validated first.',
  },
  notValidated: {
    code: 'NOT_VALIDATED',
    status: 400,
    text: 'validationReference is not known for this product and customer, or has expired: validate the customer again',
    cause: 'The validation is older than 30 minutes, or of another product or customer.',
  },
  duplicateReference: {
    code: 'DUPLICATE_BILL_REFERENCE',
    status: 422,
    text: 'Duplicate reference',
    cause: 'The reference was used for another bill.',
  },
  notFound: {
    code: 'UNKNOWN_BILL',
    status: 404,
    text: 'Could not find specified bill payment',
    cause: 'The merchant has no bill payment with this reference.',
  },
  unavailable: {
    code: 'BILLER_UNAVAILABLE',
    status: 503,
    text: 'The biller cannot be reached, please try again later',
    cause: 'The biller does not answer. Nothing was paid.',
    retryAfterSeconds: 30,
  },
})
