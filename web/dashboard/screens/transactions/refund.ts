import * as routes from '../../../routes.ts'
import { call } from '../../api/call.ts'
import type { Action } from '../../parts/list/list-spec.ts'
import { newReference } from '../../parts/list/reference.ts'
import type { TimelineData } from './timeline-data.ts'

const COUNTED = /^(PENDING|COMPLETED)$/

/** The amount that can still be refunded. */
const refundable = ({ transaction, refunds }: TimelineData): number =>
  refunds
    .filter(({ status }) => COUNTED.test(status))
    .reduce((left, { amount }) => left - amount, transaction.amountPaid)

/** Refunds a payment in full or in part. */
export const REFUND_ACTION: Action<TimelineData> = {
  title: 'Refund',
  text: 'The refund is paid from your wallet to the customer’s original payment method.',
  permission: 'refund.make',
  isAvailable: (data) => refundable(data) > 0,
  fields: [
    { name: 'refundAmount', label: 'Amount in naira', kind: 'amount' },
    { name: 'refundReason', label: 'Reason', hint: 'At most 64 characters' },
    { name: 'customerNote', label: 'Note for the customer', hint: 'At most 16 characters' },
  ],
  toast: 'Refund requested.',
  run: ({ transaction }, { refundAmount = '', refundReason = '', customerNote = '' }) =>
    call(routes.initiateRefund, {
      body: {
        transactionReference: transaction.transactionReference,
        refundAmount,
        refundReason,
        customerNote,
        refundReference: newReference('refund'),
      },
    }),
}
