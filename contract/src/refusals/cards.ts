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
    cause: 'The card’s expiry month has passed.',
  },
  paymentExists: {
    code: 'PAYMENT_EXISTS',
    status: 422,
    text: 'Payment already exists',
    cause: 'The transaction is already paid and cannot be charged again.',
  },
  partlyPaid: {
    code: 'TRANSACTION_PARTLY_PAID',
    status: 422,
    text: 'A partly paid transaction can only be completed by transfer',
    cause:
      'The API charges the full amount, but part of it was already paid by transfer. On the hosted checkout the customer can pay the rest by card.',
  },
  notEnabled: {
    ...transactionRefusals.methodNotEnabled,
    text: 'Payment method CARD is not enabled for this transaction',
  },
  tooManyCharges: {
    code: 'TOO_MANY_CHARGES',
    status: 400,
    text: 'A transaction can be charged at most {charges} times',
    cause: 'The transaction has reached the limit of card charges.',
  },
  tooManyDeclines: {
    code: 'TOO_MANY_DECLINES',
    status: 400,
    text: 'This card was declined too often: try again later',
    cause: 'The card was declined too often in a short time.',
  },
  paused: {
    code: 'CARDS_PAUSED',
    status: 400,
    text: 'This card cannot be charged now: try again later or use another payment method',
    cause:
      'Too many declines for this card, its issuer, the customer’s IP address or the merchant. This protects against the testing of stolen cards.',
  },
  declined: {
    code: 'CARD_DECLINED',
    status: 422,
    text: '{reason}',
    cause:
      'The issuer declined the charge. The message is the issuer’s reason; another card, or the same card later, may work.',
    example: 'Insufficient funds',
  },
  noCardPayment: {
    code: 'NO_CARD_PAYMENT',
    status: 422,
    text: 'No Card Payment found for this transaction',
    cause: 'No card has been charged for this transaction.',
  },
  unknownTokenId: {
    code: 'UNKNOWN_TOKEN_ID',
    status: 422,
    text: 'tokenId does not belong to a card payment of this transaction',
    cause: 'No charge of this transaction has this tokenId.',
  },
  wrongOtp: {
    code: 'WRONG_OTP',
    status: 422,
    text: 'Wrong OTP, {triesLeft}',
    cause: 'The OTP is not the one the issuer sent. The customer can try again.',
    example: 'Wrong OTP, 4 attempts left',
  },
  anotherOtp: {
    code: 'AUTHORIZED_WITH_ANOTHER_OTP',
    status: 422,
    text: 'Wrong OTP: this payment was already authorized with another OTP',
    cause: 'The card payment was already authorized with a different OTP.',
  },
  notForOtp: {
    code: 'OTP_NOT_NEEDED',
    status: 422,
    text: 'This card payment does not need an OTP',
    cause: 'The issuer requires 3-D Secure, not an OTP.',
  },
  superseded: {
    code: 'CHARGE_SUPERSEDED',
    status: 422,
    text: 'This card payment was replaced by a newer charge',
    cause: 'The transaction was charged again before this charge was authorized.',
  },
  anotherCard: {
    code: 'ANOTHER_CARD',
    status: 422,
    text: 'card is not the card that was charged',
    cause: 'The card differs from the one in the latest charge.',
  },
  anotherApiKey: accessRefusals.anotherApiKey,
})

const { expired, cancelled } = transactionRefusals
const { paymentExists, partlyPaid, notEnabled } = cardRefusals

/** Errors of a transaction that cannot be paid by card. */
export const notChargeable = [paymentExists, expired, cancelled, partlyPaid, notEnabled] as const
