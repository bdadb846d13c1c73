import { refusals } from '../refusal.ts'

/** Errors of mails to customers, which leave from the operator's domain. */
export const mailRefusals = refusals({
  webAddress: {
    code: 'MAIL_WITH_WEB_ADDRESS',
    status: 422,
    text: '{field} contains {address}: remove it, because emails link only to the payment page',
    cause: 'A text of the payment link or invoice would appear in the email as a link to another site.',
    example: 'description contains www.example.com: remove it, because emails link only to the payment page',
  },
  tooMany: {
    code: 'TOO_MANY_MAILS',
    status: 429,
    text: 'At most {count} emails a day can be sent to {whom}: try again later',
    cause:
      'The merchant, or all merchants to one address, sent too many emails today. The Retry-After header gives the seconds to wait.',
    example: 'At most 10 emails a day can be sent to this address: try again later',
  },
})
