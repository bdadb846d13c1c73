import type { AnswerTo, AskedBy } from '@kobo/gateway/rails/protocol/index.ts'
import {
  type Json,
  notSent,
  type Operations,
  type PartnerLine,
  type Said,
  textAt,
  UNKNOWN,
  wireText,
} from '../../kit/index.ts'

export const REFERENCE_LENGTH_MAX = 100
const BAD_REQUEST = 400
const UNAUTHORIZED = 401

type Charge = AskedBy<'card/charge'>
type Outcome = Exclude<AnswerTo<'card/find'>, { readonly kind: 'not found' }>

/** What Paystack's status of a charge says. Whatever it calls otherwise, nobody knows. */
function outcomeOf(data: Json): Outcome {
  const reason = textAt(data, 'gateway_response') || textAt(data, 'message') || 'The issuer declined'
  switch (textAt(data, 'status')) {
    case 'success':
      // Its cards on file are tokens of its own, which nobody here keeps.
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

/** The charge in an answer, where it is the one that was asked for. */
function chargeIn(said: Said, reference: string): Json | undefined {
  if (said.kind !== 'answered' || said.status !== 200 || said.body['status'] !== true) return undefined
  const data = said.body['data']
  return textAt(data, 'reference') === reference ? (data as Json) : undefined
}

export function chargeOperations(ask: PartnerLine['ask'], email: string): Operations {
  const wireOf = ({ reference }: { readonly reference: string }): string => wireText(reference, REFERENCE_LENGTH_MAX)

  /** What became of a charge; undefined where there is none by that name, which is no promise. */
  async function find(reference: string): Promise<Outcome | undefined> {
    const said = await ask({ path: `/charge/${reference}`, method: 'GET' })
    const data = chargeIn(said, reference)
    if (data !== undefined) return outcomeOf(data)
    return said.kind === 'answered' && said.status === BAD_REQUEST ? undefined : UNKNOWN
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
      if (charge.currencyCode !== 'NGN') return notSent('Only naira are charged')
      if (charge.initiator === 'MERCHANT' || charge.card.cvv === null)
        return notSent('Paystack charges cards on file by its own tokens only')
      const reference = wireOf(charge)
      const said = await ask({ path: '/charge', body: bodyOf(charge, reference) })
      if (said.kind === 'not reached') return notSent('Paystack cannot be reached')
      if (said.kind === 'no answer') return UNKNOWN
      if (said.status === UNAUTHORIZED) return notSent('Paystack refuses our key')
      const data = chargeIn(said, reference)
      if (data !== undefined) return outcomeOf(data)
      if (said.status !== BAD_REQUEST) return UNKNOWN
      // It has the reference already, or does not want the charge: which, it says when it is asked.
      const found = await find(reference)
      if (found !== undefined) return found
      return { kind: 'declined', reason: textAt(said.body, 'message') || 'Paystack refused the charge' }
    },
    'card/authorize-otp': async ({ otp, ...order }) => {
      const reference = wireOf(order)
      const said = await ask({ path: '/charge/submit_otp', body: { otp, reference } })
      const data = chargeIn(said, reference)
      const outcome = data === undefined ? UNKNOWN : outcomeOf(data)
      return outcome.kind === 'otp required' ? { kind: 'wrong otp' } : outcome
    },
    'card/find': async (order) => (await find(wireOf(order))) ?? UNKNOWN,
  }
}
