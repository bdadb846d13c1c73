import Type from 'typebox'
import type { CardRail, ChargeRequest } from '../card.ts'
import { type Adapter, answer, plainReader, Text } from './adapter.ts'

const CHARGE_OUTCOMES = [
  answer('approved', { reusable: Type.Boolean() }),
  answer('otp required', { message: Text }),
  answer('3ds required', {
    acsUrl: Type.String({ pattern: '^(https?:/)?/', maxLength: 2_048 }),
    method: Type.Union([Type.Literal('GET'), Type.Literal('POST')]),
  }),
  answer('declined', { reason: Text }),
  answer('unknown', {}),
] as const
const REFUND_OUTCOMES = [answer('refunded', {}), answer('refused', { reason: Text }), answer('unknown', {})] as const
const NOT_FOUND = answer('not found', {})

const charge = plainReader(Type.Union([...CHARGE_OUTCOMES]))
const otp = plainReader(Type.Union([...CHARGE_OUTCOMES, answer('wrong otp', {})]))
const foundCharge = plainReader(Type.Union([...CHARGE_OUTCOMES, NOT_FOUND]))
const refund = plainReader(Type.Union([...REFUND_OUTCOMES]))
const foundRefund = plainReader(Type.Union([...REFUND_OUTCOMES, NOT_FOUND]))

/** A card as the adapter must have it: in clear, on its way and nowhere else. */
const inClear = ({ card, ...request }: ChargeRequest): object => ({
  ...request,
  card: {
    ...card,
    number: card.number.reveal(),
    cvv: card.cvv?.reveal() ?? null,
    pin: card.pin?.reveal() ?? null,
  },
})

export const httpCards = ({ order }: Adapter): CardRail => ({
  charge: (request) => order('card/charge', inClear(request), charge),
  authorizeOtp: (request) =>
    order('card/authorize-otp', { reference: request.reference, otp: request.otp.reveal() }, otp),
  find: (reference) => order('card/find', { reference }, foundCharge),
  refund: (request) => order('card/refund', request, refund),
  findRefund: (reference) => order('card/find-refund', { reference }, foundRefund),
})
