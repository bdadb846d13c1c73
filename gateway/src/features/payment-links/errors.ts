import { paymentLinkRefusals } from '@kobo/contract'
import { refusal, refusals } from '../../kernel/errors.ts'

export const paymentLinkErrors = {
  ...refusals(paymentLinkRefusals),
  /** The error `notFound`, worded for a payer who followed a link. */
  noLink: refusal({
    ...paymentLinkRefusals.notFound,
    text: 'Payment link not found. Check the link, or ask the sender for a new one.',
  }),
}
