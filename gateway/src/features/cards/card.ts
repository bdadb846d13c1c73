import type { Card as WireCard } from '@kobo/contract'
import type { Static } from 'typebox'
import { passesLuhn } from '../../kernel/card-numbers.ts'
import { endOfMonth } from '../../kernel/dates.ts'
import type { Refusal } from '../../kernel/errors.ts'
import { hidden } from '../../kernel/hidden.ts'
import type { Card } from '../../rails/card.ts'
import type { Payment } from '../transactions/index.ts'
import { cardErrors } from './errors.ts'
import { BIN_LENGTH, issuerOf, schemeOf } from './issuers.ts'

/** The card details of a payment. */
export type CardFacts = NonNullable<Payment['card']>

/** The part of a card that may be shown, whatever the outcome of the charge. */
export type MaskedCard = Omit<CardFacts, 'reusable' | 'cardToken' | 'supportsTokenization'>

const CENTURY = '20'
const LAST_LENGTH = 4

/** Reads a card from a request, and wraps its secrets so that they cannot be printed. */
export const readCard = ({ number, pin, expiryMonth, expiryYear, cvv }: Static<typeof WireCard>): Card => ({
  number: hidden(number),
  expiryMonth: expiryMonth.padStart(2, '0'),
  expiryYear: expiryYear.length === 2 ? CENTURY + expiryYear : expiryYear,
  cvv: hidden(cvv),
  pin: pin ? hidden(pin) : null,
})

/** Returns the error of a card that no network would accept. */
export function checkCard(card: Card, at: Date): Refusal | undefined {
  if (!isCardNumber(card.number.reveal())) return cardErrors.invalidNumber()
  return isExpired(card, at) ? cardErrors.expiredCard() : undefined
}

/** Whether a card has expired. It is valid until the end of its expiry month. */
export const isExpired = ({ expiryMonth, expiryYear }: Pick<Card, 'expiryMonth' | 'expiryYear'>, at: Date): boolean =>
  endOfMonth(Number(expiryYear), Number(expiryMonth)) <= at

const CARD_NUMBER = /^\d{13,19}$/

/** Whether a text has 13 to 19 digits that pass the Luhn check. */
export const isCardNumber = (text: string): boolean => CARD_NUMBER.test(text) && passesLuhn(text)

export function masked({ number, expiryMonth, expiryYear }: Card): MaskedCard {
  const digits = number.reveal()
  const bin = digits.slice(0, BIN_LENGTH)
  const last4 = digits.slice(-LAST_LENGTH)
  return {
    cardType: schemeOf(digits),
    last4,
    expMonth: expiryMonth,
    expYear: expiryYear,
    bin,
    ...issuerOf(bin),
    maskedPan: bin + '*'.repeat(digits.length - BIN_LENGTH - LAST_LENGTH) + last4,
  }
}
