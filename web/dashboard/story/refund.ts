import type { InDashboard, initiateRefund } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import { newReference } from '../list/reference.ts'
import type { Act } from '../list/spec.ts'
import type { Told } from './told.ts'

const REFUND: Address<InDashboard<typeof initiateRefund>> = {
  method: 'POST',
  path: '/dashboard/api/v1/refunds/initiate-refund',
}
const LIVE = /^(PENDING|COMPLETED)$/

/** What has not been given back yet. */
const leftOf = ({ transaction, refunds }: Told): number =>
  refunds.filter(({ status }) => LIVE.test(status)).reduce((left, { amount }) => left - amount, transaction.amountPaid)

/** Gives a payment back. */
export const GIVE_BACK: Act<Told> = {
  title: 'Refund',
  text: 'Paid from the wallet, by the way the money came. The customer gets it back even where the order was paid in parts.',
  permission: 'refund.make',
  isFor: (story) => leftOf(story) > 0,
  asks: [
    { name: 'refundAmount', label: 'Amount in naira', kind: 'amount' },
    { name: 'refundReason', label: 'Why', hint: 'At most 64 characters' },
    { name: 'customerNote', label: 'Note for the customer', hint: 'At most 16 characters' },
  ],
  act: ({ transaction }, { refundAmount = '', refundReason = '', customerNote = '' }) =>
    call(REFUND, {
      body: {
        transactionReference: transaction.transactionReference,
        refundAmount,
        refundReason,
        customerNote,
        refundReference: newReference('refund'),
      },
    }),
}
