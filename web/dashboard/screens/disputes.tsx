import type { acceptDispute, browseDisputes, InDashboard } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import { Evidence } from '../disputes/evidence.tsx'
import { AMOUNTS, DAYS, status } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'
import { wordsOf } from '../list/value.tsx'

const ACCEPT: Address<InDashboard<typeof acceptDispute>> = {
  method: 'POST',
  path: '/dashboard/api/v1/disputes/:disputeReference/accept',
}

export default listScreen<typeof browseDisputes>({
  name: 'disputes',
  title: 'Disputes',
  one: 'Dispute',
  list: { method: 'GET', path: '/dashboard/api/lists/disputes' },
  empty:
    'Nobody wants a payment back. Where a payer’s bank does, it stands here, with the days you have to contest it.',
  columns: [
    { title: 'Reference', value: ({ disputeReference }) => disputeReference, kind: 'code' },
    { title: 'Opened', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (dispute) => dispute.status, kind: 'status' },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
    { title: 'Answer before', value: ({ evidenceDueOn }) => evidenceDueOn, kind: 'moment', isWide: true },
  ],
  facts: [
    {
      title: 'Transaction',
      value: ({ transactionReference }) => transactionReference,
      link: ({ transactionReference }) => `/dashboard/transactions/${encodeURIComponent(transactionReference)}`,
    },
    { title: 'What it is', value: ({ type }) => wordsOf(type) },
    { title: 'Why', value: ({ reason }) => reason },
    {
      title: 'Still owed of it',
      value: ({ amountOwed }) => (amountOwed === 0 ? null : amountOwed),
      kind: 'naira',
    },
    { title: 'Ended', value: ({ completedOn }) => completedOn, kind: 'moment' },
    { title: 'What came of it', value: ({ comment }) => comment },
  ],
  filters: [status(['OPEN', 'EVIDENCE_SUBMITTED', 'EXPIRED', 'ACCEPTED', 'WON', 'LOST']), ...AMOUNTS, ...DAYS],
  acts: [
    {
      title: 'Accept',
      text: 'What is held goes back to the payer at once, and cannot be contested any more.',
      permission: 'refund.make',
      isDanger: true,
      isFor: (dispute) => dispute.status === 'OPEN' || dispute.status === 'EXPIRED',
      asks: [],
      told: 'Accepted. What was held has gone back.',
      act: ({ disputeReference }) => call(ACCEPT, { params: { disputeReference } }),
    },
  ],
  Below: Evidence,
})
