import type { RequestOf, ResponseTo } from '@kobo/gateway/rails/protocol/index.ts'
import {
  type Json,
  notSent,
  type Operations,
  type PartnerLine,
  type PartnerResponse,
  textAt,
  UNKNOWN,
  wireText,
} from '../../kit/index.ts'

export const REFERENCE_LENGTH_MAX = 100
const BAD_REQUEST = 400
const UNAUTHORIZED = 401

type Charge = RequestOf<'card/charge'>
type Outcome = Exclude<ResponseTo<'card/find'>, { readonly kind: 'not found' }>

/** Returns a charge's outcome by Paystack's status. It is unknown for statuses that we do not know. */
function outcomeOf(data: Json): Outcome {
  const reason = textAt(data, 'gateway_response') || textAt(data, 'message') || 'The issuer declined'
  switch (textAt(data, 'status')) {
    case 'success':
      // Paystack issues its own tokens for saved cards, which we do not store.
      return { kind: 'approved', reusable: false }
    case 'failed':
    case 'reversed':
      return { kind: 'declined', reason }
    case 'send_otp':
      return { kind: 'otp required', message: textAt(data, 'display_text') ?? 'Enter the code that your bank has sent' }
    case 'open_url': {
      const acsUrl = textAt(data, 'url') ?? ''
      return /^https?:\/\//.test(acsUrl) ? { kind: '3ds required', acsUrl, method: 'GET' } : UNKNOWN
    }
    default:
      return UNKNOWN
  }
}

/** Returns the charge in a response, if it is the requested one. */
function chargeIn(response: PartnerResponse, reference: string): Json | undefined {
  if (response.kind !== 'responded' || response.status !== 200 || response.body['status'] !== true) return undefined
  const data = response.body['data']
  return textAt(data, 'reference') === reference ? (data as Json) : undefined
}

export function chargeOperations(callPartner: PartnerLine['callPartner'], email: string): Operations {
  const wireOf = ({ reference }: { readonly reference: string }): string => wireText(reference, REFERENCE_LENGTH_MAX)

  /** A charge's outcome; undefined if there is none with that reference yet. */
  async function find(reference: string): Promise<Outcome | undefined> {
    const response = await callPartner({ path: `/charge/${reference}`, method: 'GET' })
    const data = chargeIn(response, reference)
    if (data !== undefined) return outcomeOf(data)
    return response.kind === 'responded' && response.status === BAD_REQUEST ? undefined : UNKNOWN
  }

  const bodyOf = ({ card, amount }: Charge, reference: string): object => ({
    email,
    amount: String(amount),
    reference,
    card: { number: card.number, cvv: card.cvv, expiry_month: card.expiryMonth, expiry_year: card.expiryYear },
    ...(card.pin === null ? {} : { pin: card.pin }),
  })

  return {
    'card/charge': async (charge) => {
      if (charge.currencyCode !== 'NGN') return notSent('Only naira can be charged')
      if (charge.initiator === 'MERCHANT' || charge.card.cvv === null)
        return notSent('Paystack can charge saved cards only with its own tokens')
      const reference = wireOf(charge)
      const response = await callPartner({ path: '/charge', body: bodyOf(charge, reference) })
      if (response.kind === 'not reached') return notSent('Paystack cannot be reached')
      if (response.kind === 'no response') return UNKNOWN
      if (response.status === UNAUTHORIZED) return notSent('Paystack rejected our secret key')
      const data = chargeIn(response, reference)
      if (data !== undefined) return outcomeOf(data)
      if (response.status !== BAD_REQUEST) return UNKNOWN
      // Either Paystack already knows the reference, or it rejected the charge. A query shows which.
      const found = await find(reference)
      if (found !== undefined) return found
      return { kind: 'declined', reason: textAt(response.body, 'message') || 'Paystack rejected the charge' }
    },
    'card/authorize-otp': async ({ otp, ...order }) => {
      const reference = wireOf(order)
      const response = await callPartner({ path: '/charge/submit_otp', body: { otp, reference } })
      const data = chargeIn(response, reference)
      const outcome = data === undefined ? UNKNOWN : outcomeOf(data)
      return outcome.kind === 'otp required' ? { kind: 'wrong otp' } : outcome
    },
    'card/find': async (order) => (await find(wireOf(order))) ?? UNKNOWN,
  }
}
