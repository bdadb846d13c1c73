import { refusals } from '../refusal.ts'

export const recurringRefusals = refusals({
  invalidToken: {
    code: 'INVALID_CARD_TOKEN',
    status: 404,
    text: 'Invalid card token',
    cause: 'The merchant has no card with this token.',
  },
  expiredToken: {
    code: 'CARD_TOKEN_EXPIRED',
    status: 422,
    text: 'Card token has expired',
    cause: 'The last month of the card behind the token is over.',
  },
  anotherEmail: {
    code: 'ANOTHER_EMAIL',
    status: 422,
    text: 'customerEmail is not that of the payment that gave this token',
    cause: 'A token is charged with the e-mail address of the payment that gave it.',
  },
})
