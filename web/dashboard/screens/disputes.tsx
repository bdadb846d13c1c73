import type { browseDisputes } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { AMOUNTS, DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { humanize } from '../parts/list/value.tsx'
import { Evidence } from './disputes/evidence.tsx'

export default listScreen<typeof browseDisputes>({
  name: 'disputes',
  title: 'Disputes',
  singular: 'Dispute',
  list: routes.browseDisputes,
  empty: 'When a customer’s bank disputes a payment, it appears here with your deadline to respond.',
  columns: [
    { title: 'Reference', value: ({ disputeReference }) => disputeReference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (dispute) => dispute.status, kind: 'status' },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
    { title: 'Respond by', value: ({ evidenceDueOn }) => evidenceDueOn, kind: 'moment' },
  ],
  facts: [
    {
      title: 'Transaction',
      value: ({ transactionReference }) => transactionReference,
      link: ({ transactionReference }) => `/dashboard/transactions/${encodeURIComponent(transactionReference)}`,
    },
    { title: 'Type', value: ({ type }) => humanize(type) },
    { title: 'Reason', value: ({ reason }) => reason },
    {
      title: 'You still owe',
      value: ({ amountOwed }) => (amountOwed === 0 ? null : amountOwed),
      kind: 'naira',
    },
    { title: 'Closed', value: ({ completedOn }) => completedOn, kind: 'moment' },
    { title: 'Note on the outcome', value: ({ comment }) => comment },
  ],
  filters: [status(['OPEN', 'EVIDENCE_SUBMITTED', 'EXPIRED', 'ACCEPTED', 'WON', 'LOST']), ...AMOUNTS, ...DAYS],
  actions: [
    {
      title: 'Accept and refund customer',
      text: 'The held money goes back to the customer at once. You can no longer challenge the dispute.',
      permission: 'refund.make',
      isDanger: true,
      isAvailable: (dispute) => dispute.status === 'OPEN' || dispute.status === 'EXPIRED',
      fields: [],
      toast: 'Dispute accepted.',
      run: ({ disputeReference }) => call(routes.acceptDispute, { params: { disputeReference } }),
    },
  ],
  Below: Evidence,
})
