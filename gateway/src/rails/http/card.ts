import Type from 'typebox'
import type { CardRail, ChargeRequest } from '../card.ts'
import { type Ask, answer, plainReader, Text } from './adapter.ts'

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

export const httpCards = (ask: Ask): CardRail => ({
  charge: async (request) => (await ask('card/charge', inClear(request), charge)) ?? { kind: 'unknown' },
  authorizeOtp: async (request) =>
    (await ask('card/authorize-otp', { reference: request.reference, otp: request.otp.reveal() }, otp)) ?? {
      kind: 'unknown',
    },
  find: async (reference) => (await ask('card/find', { reference }, foundCharge)) ?? { kind: 'unknown' },
  refund: async (request) => (await ask('card/refund', request, refund)) ?? { kind: 'unknown' },
  findRefund: async (reference) => (await ask('card/find-refund', { reference }, foundRefund)) ?? { kind: 'unknown' },
})
