import { refusal } from '../../kernel/errors.ts'

export const recurringErrors = {
  invalidToken: refusal(404, () => 'Invalid card token'),
  expiredToken: refusal(422, () => 'Card token has expired'),
  anotherEmail: refusal(422, () => 'customerEmail is not that of the first charge of this card'),
}
