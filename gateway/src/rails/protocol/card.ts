import Type from 'typebox'
import {
  ByReference,
  KoboNumber,
  NOT_FOUND,
  NOT_SENT,
  operation,
  orNull,
  Placed,
  Reference,
  response,
  Text,
  UNKNOWN,
} from './fields.ts'

const CHARGE_OUTCOMES = [
  response('approved', { reusable: Type.Boolean() }),
  response('otp required', { message: Text }),
  response('3ds required', {
    acsUrl: Type.String({ pattern: '^(https?:/)?/', maxLength: 2_048 }),
    method: Type.Union([Type.Literal('GET'), Type.Literal('POST')]),
  }),
  response('declined', { reason: Text }),
  UNKNOWN,
] as const
const REFUND_OUTCOMES = [response('refunded', {}), response('refused', { reason: Text }), UNKNOWN] as const

const Digits = (from: number, to: number) => Type.String({ pattern: `^\\d{${from},${to}}$` })
const Card = Type.Object({
  number: Digits(13, 19),
  expiryMonth: Digits(2, 2),
  expiryYear: Digits(4, 4),
  cvv: orNull(Digits(3, 4)),
  pin: orNull(Digits(4, 12)),
})

export const cardOperations = {
  'card/charge': operation({
    capability: 'cards',
    summary: 'Charges a card',
    request: Type.Object({
      reference: Reference,
      ...Placed,
      amount: KoboNumber,
      currencyCode: Type.String({ maxLength: 3 }),
      card: Card,
      initiator: Type.Union([Type.Literal('HOLDER'), Type.Literal('MERCHANT')]),
      merchantName: Text,
      returnUrl: Type.String({ maxLength: 2_048 }),
    }),
    response: Type.Union([...CHARGE_OUTCOMES, NOT_SENT]),
    foundBy: 'card/find',
  }),
  'card/authorize-otp': operation({
    capability: 'cards',
    summary: 'Submits the OTP of the card holder',
    request: Type.Object({ reference: Reference, ...Placed, otp: Type.String({ minLength: 1, maxLength: 32 }) }),
    response: Type.Union([...CHARGE_OUTCOMES, response('wrong otp', {})]),
  }),
  'card/find': operation({
    capability: 'cards',
    summary: 'Returns the outcome of a charge',
    request: ByReference,
    response: Type.Union([...CHARGE_OUTCOMES, NOT_FOUND]),
  }),
  'card/refund': operation({
    capability: 'card-refunds',
    summary: 'Refunds an approved charge, in full or in part',
    request: Type.Object({ reference: Reference, ...Placed, chargeReference: Reference, amount: KoboNumber }),
    response: Type.Union([...REFUND_OUTCOMES, NOT_SENT]),
    foundBy: 'card/find-refund',
  }),
  'card/find-refund': operation({
    capability: 'card-refunds',
    summary: 'Returns the outcome of a refund',
    request: Type.Object({ reference: Reference, ...Placed, chargeReference: Type.Optional(Reference) }),
    response: Type.Union([...REFUND_OUTCOMES, NOT_FOUND]),
  }),
}
