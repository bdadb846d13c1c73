import { Refusal, refusal } from '../../kernel/errors.ts'

export const cardErrors = {
  invalidNumber: refusal(400, () => 'Invalid card number'),
  expiredCard: refusal(400, () => 'Card has expired'),
  paymentExists: refusal(422, () => 'Payment already exists'),
  partlyPaid: refusal(422, () => 'A partly paid transaction is completed by transfer'),
  notEnabled: refusal(422, () => 'Payment method CARD is not enabled for this transaction'),
  tooManyCharges: refusal(400, (max: number) => `A transaction can be charged ${max} times at most`),
  tooManyDeclines: refusal(400, () => 'This card was declined too often, please try again later'),
  declined: refusal(422, (reason: string) => reason),
  noCardPayment: refusal(422, () => 'No Card Payment found for this transaction'),
  unknownTokenId: refusal(422, () => 'tokenId is not that of a card payment of this transaction'),
  wrongOtp: refusal(422, (left: number) => `Wrong OTP, ${left} more ${left === 1 ? 'try' : 'tries'}`),
  notForOtp: refusal(422, () => 'This card payment needs no OTP'),
  superseded: refusal(422, () => 'Another charge has taken the place of this card payment'),
  anotherCard: refusal(422, () => 'Another card was charged'),
  anotherApiKey: refusal(400, () => 'apiKey is not that of the caller'),
}

/** What is 422 elsewhere is 400 where a card is charged: the interface lists no 422 there. */
export const onCharge = (refused: Refusal): Refusal => new Refusal(400, refused.message, refused.code, refused.headers)
