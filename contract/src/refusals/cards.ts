import { refusals } from '../refusal.ts'
import { accessRefusals } from './access.ts'
import { transactionRefusals } from './transactions.ts'

export const cardRefusals = refusals({
  invalidNumber: {
    code: 'INVALID_CARD_NUMBER',
    status: 400,
    text: 'Invalid card number',
    cause: 'The card number has fewer than 13 or more than 19 digits, or its check digit is wrong.',
  },
  expiredCard: {
    code: 'CARD_EXPIRED',
    status: 400,
    text: 'Card has expired',
    cause: 'The card’s last month is over.',
  },
  paymentExists: {
    code: 'PAYMENT_EXISTS',
    status: 422,
    text: 'Payment already exists',
    cause: 'The transaction has been paid; no card is charged for it again.',
  },
  partlyPaid: {
    code: 'TRANSACTION_PARTLY_PAID',
    status: 422,
    text: 'A partly paid transaction is completed by transfer',
    cause:
      'A server charges a transaction whole, and a part of this one has arrived by transfer. On the page its payer can pay the rest by card.',
  },
  notEnabled: {
    ...transactionRefusals.methodNotEnabled,
    text: 'Payment method CARD is not enabled for this transaction',
  },
  tooManyCharges: {
    code: 'TOO_MANY_CHARGES',
    status: 400,
    text: 'A transaction can be charged {charges} times at most',
    cause: 'The transaction was charged too often.',
  },
  tooManyDeclines: {
    code: 'TOO_MANY_DECLINES',
    status: 400,
    text: 'This card was declined too often, please try again later',
    cause: 'The card was declined too often within a short time.',
  },
  paused: {
    code: 'CARDS_PAUSED',
    status: 400,
    text: 'This card cannot be charged now, please try again later or pay another way',
    cause:
      'Too many cards were declined from the same address, of the same issuer or for the same merchant, or the card itself, which is how it looks when stolen cards are tried out.',
  },
  declined: {
    code: 'CARD_DECLINED',
    status: 422,
    text: '{reason}',
    cause: 'The issuer declines. The message is the issuer’s reason; another card, or the same later, may do.',
    example: 'Insufficient funds',
  },
  noCardPayment: {
    code: 'NO_CARD_PAYMENT',
    status: 422,
    text: 'No Card Payment found for this transaction',
    cause: 'No card was charged for the transaction yet.',
  },
  unknownTokenId: {
    code: 'UNKNOWN_TOKEN_ID',
    status: 422,
    text: 'tokenId is not that of a card payment of this transaction',
    cause: 'No charge of the transaction has this tokenId.',
  },
  wrongOtp: {
    code: 'WRONG_OTP',
    status: 422,
    text: 'Wrong OTP, {triesLeft}',
    cause: 'The OTP is not the one that the issuer sent. It can be tried again.',
    example: 'Wrong OTP, 4 more tries',
  },
  anotherOtp: {
    code: 'AUTHORIZED_WITH_ANOTHER_OTP',
    status: 422,
    text: 'Wrong OTP: the payment was authorized with another one',
    cause: 'The card payment has been authorized, and not with this OTP.',
  },
  notForOtp: {
    code: 'OTP_NOT_NEEDED',
    status: 422,
    text: 'This card payment needs no OTP',
    cause: 'The issuer asked for 3-D Secure, not for an OTP.',
  },
  superseded: {
    code: 'CHARGE_SUPERSEDED',
    status: 422,
    text: 'Another charge has taken the place of this card payment',
    cause: 'The transaction was charged again before this charge was authorised.',
  },
  anotherCard: {
    code: 'ANOTHER_CARD',
    status: 422,
    text: 'Another card was charged',
    cause: 'The card is not the one that was charged last.',
  },
  anotherApiKey: accessRefusals.anotherApiKey,
})

const { expired, cancelled } = transactionRefusals
const { paymentExists, partlyPaid, notEnabled } = cardRefusals

/** How a transaction refuses to be paid by card. */
export const notChargeable = [paymentExists, expired, cancelled, partlyPaid, notEnabled] as const
