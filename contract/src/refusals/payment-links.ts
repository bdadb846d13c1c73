import { refusals } from '../refusal.ts'

export const paymentLinkRefusals = refusals({
  notFound: {
    code: 'UNKNOWN_PAYMENT_LINK',
    status: 404,
    text: 'Could not find specified payment link',
    cause: 'The merchant has no payment link with this reference.',
  },
  duplicateReference: {
    code: 'DUPLICATE_LINK_REFERENCE',
    status: 422,
    text: 'Duplicate payment link reference',
    cause: 'The merchant already has a payment link with this reference.',
  },
  expiryPast: {
    code: 'LINK_EXPIRY_PAST',
    status: 400,
    text: 'expiryDate must be in the future',
    cause: 'The link would already have expired.',
  },
  over: {
    code: 'PAYMENT_LINK_OVER',
    status: 422,
    text: 'This payment link is {status} and takes no payments',
    cause: 'The link was disabled, has expired, or was for one payment and has been paid.',
    example: 'This payment link is DISABLED and takes no payments',
  },
})
