import { refusals } from '../refusal.ts'

export const recurringRefusals = refusals({
  invalidToken: {
    code: 'INVALID_CARD_TOKEN',
    status: 404,
    text: 'Invalid card token',
    cause: 'The merchant has no card token with this value.',
  },
  expiredToken: {
    code: 'CARD_TOKEN_EXPIRED',
    status: 422,
    text: 'Card token has expired',
    cause: 'The card behind the token has expired.',
  },
  anotherEmail: {
    code: 'ANOTHER_EMAIL',
    status: 422,
    text: 'customerEmail must be the email address of the payment that created this token',
    cause: 'A token works only with the email address of the payment that created it.',
  },
})
