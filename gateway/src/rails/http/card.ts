import type { ChargeRequest } from '../card.ts'
import type { PartnerRails } from '../not-sent.ts'
import { cardOperations as operations } from '../protocol/index.ts'
import type { Adapter } from './adapter.ts'
import { plainReader } from './reader.ts'

const charge = plainReader(operations['card/charge'])
const otp = plainReader(operations['card/authorize-otp'])
const foundCharge = plainReader(operations['card/find'])
const refund = plainReader(operations['card/refund'])
const foundRefund = plainReader(operations['card/find-refund'])

/** Returns a charge with the card's secrets in clear text, only for the request to the adapter. */
const inClear = ({ card, ...request }: ChargeRequest): object => ({
  ...request,
  card: {
    ...card,
    number: card.number.reveal(),
    cvv: card.cvv?.reveal() ?? null,
    pin: card.pin?.reveal() ?? null,
  },
})

export const httpCards = ({ send, find }: Adapter): PartnerRails['card'] => ({
  charge: (request) => send('card/charge', inClear(request), charge),
  authorizeOtp: (request) =>
    find('card/authorize-otp', { reference: request.reference, otp: request.otp.reveal() }, otp),
  find: (reference) => find('card/find', { reference }, foundCharge),
  refund: (request) => send('card/refund', request, refund),
  findRefund: (reference, chargeReference) => find('card/find-refund', { reference, chargeReference }, foundRefund),
})
