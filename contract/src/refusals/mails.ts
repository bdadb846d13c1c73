import { refusals } from '../refusal.ts'

/** Errors of mails to customers, which leave from the operator's domain. */
export const mailRefusals = refusals({
  webAddress: {
    code: 'MAIL_WITH_WEB_ADDRESS',
    status: 422,
    text: '{field} contains {address}: e-mails contain no web address but the payment page',
    cause: 'A text of the payment link or invoice would appear in the e-mail as a link to another site.',
    example: 'description contains www.example.com: e-mails contain no web address but the payment page',
  },
  tooMany: {
    code: 'TOO_MANY_MAILS',
    status: 429,
    text: 'At most {count} e-mails a day can be sent to {whom}: try again later',
    cause:
      'The merchant, or all merchants to one address, sent too many e-mails today. The Retry-After header gives the seconds to wait.',
    example: 'At most 10 e-mails a day can be sent to this address: try again later',
  },
})
