import * as routes from '../../../routes.ts'
import { naira } from '../../../ui/money.ts'
import { call } from '../../api/call.ts'
import type { Action } from '../../parts/list/list-spec.ts'
import { newReference } from '../../parts/list/reference.ts'
import type { TimelineData } from './timeline-data.ts'

/** Refunds a payment: all of it, unless the user enters less. */
export const REFUND_ACTION: Action<TimelineData> = {
  title: 'Refund',
  text: ({ transaction: { paymentReference, customerName, customerEmail }, refundable: { fee } }) =>
    `Refund ${paymentReference} of ${customerName ?? customerEmail}. The refund is paid from your wallet to the customer’s original payment method.${fee > 0 ? ` The fee is ${naira(fee)} for the full amount.` : ''}`,
  permission: 'refund.make',
  isAvailable: ({ refundable }) => refundable.amount > 0,
  fields: ({ refundable: { amount } }) => [
    {
      name: 'refundAmount',
      label: 'Amount in naira',
      kind: 'amount',
      value: naira(amount).replace('₦', ''),
      hint: `${naira(amount)} can be refunded. Enter less for a partial refund.`,
    },
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
