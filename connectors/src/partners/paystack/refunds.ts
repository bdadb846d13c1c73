import type { ResponseTo } from '@kobo/gateway/rails/protocol/index.ts'
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

type Outcome = Exclude<ResponseTo<'card/find-refund'>, { readonly kind: 'not found' }>

/** The outcome of a refund, from its status. A pending refund is unknown. */
function outcomeOf(refund: Json): Outcome {
  const status = textAt(refund, 'status')
  if (status === 'processed') return { kind: 'refunded' }
  return status === 'failed' ? { kind: 'refused', reason: 'Paystack could not return the money' } : UNKNOWN
}

/**
 * Refunds charges. Paystack does not store our reference, so we write it into the refund's note. Before we request a
 * refund, we search the charge's refunds for that note, so that no refund is made twice.
 */
export function refundOperations(callPartner: PartnerLine['callPartner']): Operations {
  const wire = (reference: string): string => wireText(reference, REFERENCE_LENGTH_MAX)

  /** Finds a charge's refund by its note; null if there is none, undefined if Paystack does not respond. */
  async function find(chargeReference: string, note: string): Promise<Json | null | undefined> {
    const response = await callPartner({ path: `/refund?transaction=${wire(chargeReference)}`, method: 'GET' })
    const refunds =
      response.kind === 'responded' && response.body['status'] === true ? at(response.body, 'data') : undefined
    if (!Array.isArray(refunds)) return undefined
    return (refunds as readonly Json[]).find((refund) => textAt(refund, 'merchant_note') === note) ?? null
  }

  return {
    'card/refund': async ({ reference, chargeReference, amount }) => {
      const note = wire(reference)
      const present = await find(chargeReference, note)
      if (present === undefined) return notSent('The earlier refunds of the charge could not be listed')
      if (present !== null) return outcomeOf(present)
      const body = { transaction: wire(chargeReference), amount: String(amount), merchant_note: note }
      const response = await callPartner({ path: '/refund', body })
      if (response.kind === 'not reached') return notSent('Paystack cannot be reached')
      if (response.kind === 'no response') return UNKNOWN
      const data = at(response.body, 'data')
      if (response.body['status'] === true && textAt(data, 'merchant_note') === note) return outcomeOf(data as Json)
      return response.status === 400
        ? { kind: 'refused', reason: textAt(response.body, 'message') || 'Paystack rejected the refund' }
        : UNKNOWN
    },
    'card/find-refund': async ({ reference, chargeReference }) => {
      // An older gateway does not send the charge's reference.
      const found = chargeReference === undefined ? undefined : await find(chargeReference, wire(reference))
      return found === undefined || found === null ? UNKNOWN : outcomeOf(found)
    },
  }
}
