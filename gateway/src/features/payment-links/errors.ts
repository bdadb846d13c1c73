import { paymentLinkRefusals } from '@kobo/contract'
import { refusal, refusals } from '../../kernel/errors.ts'

export const paymentLinkErrors = {
  ...refusals(paymentLinkRefusals),
  /** The same as `notFound` for a person who followed a link. */
  noLink: refusal({
    ...paymentLinkRefusals.notFound,
    text: 'There is nothing to pay at this address. Check the link, or ask whoever sent it for a new one.',
  }),
}
