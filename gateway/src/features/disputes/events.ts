import type { DisputeStatus, EventType } from '@kobo/contract'
import type { Notice } from '../../core/messages/notices.ts'
import type { OutgoingEvent } from '../../core/messages/outbox/index.ts'
import { displayMoment, slashed } from '../../kernel/dates.ts'
import { formatNaira, toNaira } from '../../kernel/money.ts'
import type { DisputeRow } from './repository.ts'

/** The event type of each status. */
export const EVENT_OF = {
  OPEN: 'DISPUTE_OPENED',
  EVIDENCE_SUBMITTED: 'DISPUTE_UPDATE',
  EXPIRED: 'DISPUTE_UPDATE',
  WON: 'DISPUTE_WON',
  ACCEPTED: 'DISPUTE_LOST',
  LOST: 'DISPUTE_LOST',
} as const satisfies Readonly<Record<DisputeStatus, EventType>>

/** Returns the event that reports the current status of a dispute. */
export const disputeEvent = (dispute: DisputeRow): OutgoingEvent => ({
  merchantId: dispute.merchantId,
  eventType: EVENT_OF[dispute.status],
  refs: [dispute.reference, dispute.transactionReference],
  eventData: {
    disputeReference: dispute.reference,
    disputeType: dispute.kind,
    disputeStatus: dispute.status,
    transactionReference: dispute.transactionReference,
    disputeAmount: toNaira(dispute.amount),
    disputeReason: dispute.reason,
    evidenceDueOn: slashed(dispute.evidenceDueAt),
    createdOn: slashed(dispute.openedAt),
    completedOn: dispute.endedAt === null ? null : slashed(dispute.endedAt),
  },
})

/** Returns the email about a new dispute, which the merchant has only a few days to challenge. */
export const openedNotice = ({ merchantId, ...dispute }: DisputeRow): Notice => ({
  merchantId,
  subject: `${formatNaira(dispute.amount)} of a payment is disputed`,
  text: [
    `${formatNaira(dispute.amount)} of ${dispute.transactionReference} is disputed: ${dispute.reason}.`,
    `The amount is held until the dispute is decided. Challenge it before ${displayMoment(dispute.evidenceDueAt)}, or accept it.`,
    `Dispute: ${dispute.reference}`,
  ].join('\n'),
  page: `/dashboard/disputes/${dispute.id}`,
  topic: 'DISPUTES',
})
