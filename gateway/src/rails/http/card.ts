import { absentRails } from '../absent.ts'
import type { CardRail, ChargeRequest } from '../card.ts'
import { cardOperations as operations } from '../protocol/index.ts'
import type { Adapter } from './adapter.ts'
import { plainReader } from './reader.ts'

const charge = plainReader(operations['card/charge'])
const otp = plainReader(operations['card/authorize-otp'])
const foundCharge = plainReader(operations['card/find'])
const refund = plainReader(operations['card/refund'])
const foundRefund = plainReader(operations['card/find-refund'])

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

const absent = absentRails.card

export const httpCards = ({ order }: Adapter): CardRail => ({
  charge: (request) => order('card/charge', inClear(request), charge, () => absent.charge(request)),
  authorizeOtp: (request) =>
    order('card/authorize-otp', { reference: request.reference, otp: request.otp.reveal() }, otp, () =>
      absent.authorizeOtp(request),
    ),
  find: (reference) => order('card/find', { reference }, foundCharge, () => absent.find(reference)),
  refund: (request) => order('card/refund', request, refund, () => absent.refund(request)),
  findRefund: (reference) => order('card/find-refund', { reference }, foundRefund, () => absent.findRefund(reference)),
})
