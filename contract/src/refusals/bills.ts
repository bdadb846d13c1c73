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
    cause: 'The biller does not know this customer. The message is the biller’s reason.',
    example: 'Customer not found',
  },
  amountRequired: {
    code: 'AMOUNT_REQUIRED',
    status: 400,
    text: 'amount is required',
    cause: 'The product has no fixed price, so the request must state the amount.',
  },
  notThePrice: {
    code: 'NOT_THE_PRICE',
    status: 400,
    text: 'amount must be {naira}, the price of the product',
    cause: 'The product has a fixed price.',
  },
  amountTooSmall: transactionRefusals.amountTooSmall,
  amountTooLarge: {
    code: 'AMOUNT_TOO_LARGE',
    status: 400,
    text: 'amount must be at most {naira}',
    cause: 'The amount is above the biller’s maximum.',
  },
  validationRequired: {
    code: 'VALIDATION_REQUIRED',
    status: 400,
    text: 'validationReference is required: validate the customer first',
    cause: 'The biller requires the customer to be validated first.',
  },
  notValidated: {
    code: 'NOT_VALIDATED',
    status: 400,
    text: 'validationReference is unknown or expired for this product and customer: validate the customer again',
    cause: 'The validation is more than 30 minutes old, or belongs to another product or customer.',
  },
  duplicateReference: {
    code: 'DUPLICATE_BILL_REFERENCE',
    status: 422,
    text: 'Duplicate reference',
    cause: 'The reference was already used for another bill payment.',
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
    text: 'The biller cannot be reached: try again later',
    cause: 'The biller does not respond. Nothing was paid.',
    retryAfterSeconds: 30,
  },
})
