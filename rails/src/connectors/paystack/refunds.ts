import type { AnswerTo } from '@kobo/gateway/rails/protocol/index.ts'
import {
  at,
  type Json,
  notSent,
  type Operations,
  type PartnerLine,
  textAt,
  UNKNOWN,
  wireText,
} from '../../kit/index.ts'
import { REFERENCE_LENGTH_MAX } from './charges.ts'

type Outcome = Exclude<AnswerTo<'card/find-refund'>, { readonly kind: 'not found' }>

/** What a refund's status says; one that is on its way has not ended. */
function outcomeOf(refund: Json): Outcome {
  const status = textAt(refund, 'status')
  if (status === 'processed') return { kind: 'refunded' }
  return status === 'failed' ? { kind: 'refused', reason: 'Paystack could not send it back' } : UNKNOWN
}

/**
 * Refunds. Paystack knows them by no reference of ours, so that stands in their note: before one is asked for, those of the
 * charge are looked through for it.
 */
export function refundOperations(ask: PartnerLine['ask']): Operations {
  const wire = (reference: string): string => wireText(reference, REFERENCE_LENGTH_MAX)

  /** The refund of a charge that bears a note; null where none does, undefined where nobody says. */
  async function find(chargeReference: string, note: string): Promise<Json | null | undefined> {
    const said = await ask({ path: `/refund?transaction=${wire(chargeReference)}`, method: 'GET' })
    const refunds = said.kind === 'answered' && said.body['status'] === true ? at(said.body, 'data') : undefined
    if (!Array.isArray(refunds)) return undefined
    return (refunds as readonly Json[]).find((refund) => textAt(refund, 'merchant_note') === note) ?? null
  }

  return {
    'card/refund': async ({ reference, chargeReference, amount }) => {
      const note = wire(reference)
      const present = await find(chargeReference, note)
      if (present === undefined) return notSent('The refunds of the charge cannot be looked through')
      if (present !== null) return outcomeOf(present)
      const body = { transaction: wire(chargeReference), amount: String(amount), merchant_note: note }
      const said = await ask({ path: '/refund', body })
      if (said.kind === 'not reached') return notSent('Paystack cannot be reached')
      if (said.kind === 'no answer') return UNKNOWN
      const data = at(said.body, 'data')
      if (said.body['status'] === true && textAt(data, 'merchant_note') === note) return outcomeOf(data as Json)
      return said.status === 400
        ? { kind: 'refused', reason: textAt(said.body, 'message') || 'Paystack refused the refund' }
        : UNKNOWN
    },
    'card/find-refund': async ({ reference, chargeReference }) => {
      // A gateway from before does not say whose refund it is.
      const found = chargeReference === undefined ? undefined : await find(chargeReference, wire(reference))
      return found === undefined || found === null ? UNKNOWN : outcomeOf(found)
    },
  }
}
