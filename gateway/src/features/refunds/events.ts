import type { OutgoingEvent } from '../../core/messages/outbox/index.ts'
import { slashed } from '../../kernel/dates.ts'
import { toNaira } from '../../kernel/money.ts'
import type { RefundRow } from './repository.ts'

export function refundEvent(refund: RefundRow & { readonly status: 'COMPLETED' | 'FAILED' }): OutgoingEvent {
  const { merchantId, refundReference, transactionReference } = refund
  const refs = [refundReference, refund.reference, transactionReference]
  const eventData = {
    merchantReason: refund.refundReason,
    transactionReference,
    completedOn: slashed(refund.completedAt ?? refund.createdAt),
    customerNote: refund.customerNote,
    createdOn: slashed(refund.createdAt),
    refundReference,
    refundAmount: toNaira(refund.amount),
  }
  return refund.status === 'COMPLETED'
    ? { merchantId, eventType: 'SUCCESSFUL_REFUND', refs, eventData: { ...eventData, refundStatus: 'COMPLETED' } }
    : { merchantId, eventType: 'FAILED_REFUND', refs, eventData: { ...eventData, refundStatus: 'FAILED' } }
}
