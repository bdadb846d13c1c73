import { checkoutRefusals } from '@kobo/contract'
import { refusal, refusals } from '../../kernel/errors.ts'

export const checkoutErrors = {
  ...refusals(checkoutRefusals),
  /** The same as `notFound` for a person who followed a link. */
  noPayment: refusal({
    ...checkoutRefusals.notFound,
    text: 'There is no payment at this address. Check the link, or ask the merchant for a new one.',
  }),
}
