import { checkoutRefusals } from '@kobo/contract'
import { refusal, refusals } from '../../kernel/errors.ts'

export const checkoutErrors = {
  ...refusals(checkoutRefusals),
  /** The error `notFound`, worded for a payer who followed a link. */
  noPayment: refusal({
    ...checkoutRefusals.notFound,
    text: 'Payment not found. Check the link, or ask the merchant for a new one.',
  }),
}
