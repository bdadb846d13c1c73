import type { browseAllDisputes } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { humanize } from '../parts/list/value.tsx'
import { NEEDS_APPROVAL, REASON } from './approval.ts'
import { Evidence } from './evidence.tsx'

export default listScreen<typeof browseAllDisputes>({
  name: 'all-disputes',
  title: 'Disputes',
  singular: 'Dispute',
  list: routes.browseAllDisputes,
  empty:
    'No disputes. Most partners report them automatically; if one sends you an email instead, open the dispute here.',
  columns: [
    { title: 'Reference', value: ({ disputeReference }) => disputeReference, kind: 'code' },
    {
      title: 'Merchant',
      value: ({ merchantName }) => merchantName,
      link: ({ merchantCode }) => `/dashboard/merchants/${encodeURIComponent(merchantCode ?? '')}`,
      isWide: true,
    },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (dispute) => dispute.status, kind: 'status' },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Transaction', value: ({ transactionReference }) => transactionReference, kind: 'code' },
    { title: 'Type', value: ({ type }) => humanize(type) },
    { title: 'Reason', value: ({ reason }) => reason },
    { title: 'Partner', value: ({ partner }) => partner },
    { title: 'Partner reference', value: ({ partnerReference }) => partnerReference, kind: 'code' },
    {
      title: 'Owed by the merchant',
      value: ({ amountOwed }) => (amountOwed === 0 ? null : amountOwed),
      kind: 'naira',
    },
    { title: 'Respond by', value: ({ evidenceDueOn }) => evidenceDueOn, kind: 'moment' },
    { title: 'Closed', value: ({ completedOn }) => completedOn, kind: 'moment' },
    { title: 'Note on the outcome', value: ({ comment }) => comment },
  ],
  filters: [
    status(['OPEN', 'EVIDENCE_SUBMITTED', 'EXPIRED', 'ACCEPTED', 'WON', 'LOST']),
    { kind: 'text', name: 'merchant', title: 'Merchant', isRare: true },
    ...DAYS,
  ],
  createActions: [
    {
      ...NEEDS_APPROVAL,
      title: 'Open dispute',
      text: 'Use this if the partner reports disputes by email. Once another operator approves it, the amount is held.',
      fields: [
        { name: 'code', label: 'Merchant code' },
        { name: 'transactionReference', label: 'Transaction reference' },
        {
          name: 'disputeType',
          label: 'Type',
          kind: 'choice',
          choices: [
            ['CHARGEBACK', 'Card chargeback'],
            ['RECALL', 'Transfer recall'],
            ['REVERSAL', 'Partner reversal'],
          ],
        },
        {
          name: 'amount',
          label: 'Amount in naira',
          hint: 'Leave empty for the full remaining amount.',
          kind: 'amount',
          isOptional: true,
        },
        { name: 'partner', label: 'Partner' },
        { name: 'partnerReference', label: 'Partner reference' },
        { ...REASON, label: 'Why it is disputed' },
      ],
      run: (_, { code = '', amount = '', disputeType = '', ...rest }) =>
        call(routes.requestDispute, {
          params: { code },
          body: {
            transactionReference: rest['transactionReference'] ?? '',
            partner: rest['partner'] ?? '',
            partnerReference: rest['partnerReference'] ?? '',
            reason: rest['reason'] ?? '',
            disputeType: disputeType as 'CHARGEBACK' | 'RECALL' | 'REVERSAL',
            ...(amount === '' ? {} : { amount }),
          },
        }),
    },
  ],
  actions: (['WON', 'LOST'] as const).map((outcome) => ({
    ...NEEDS_APPROVAL,
    title: outcome === 'WON' ? 'Mark as won' : 'Mark as lost',
    text:
      outcome === 'WON'
        ? 'The held amount is released to the merchant. Another operator has to approve it.'
        : 'The held amount goes to the partner. Another operator has to approve it.',
    isDanger: outcome === 'LOST',
    isAvailable: ({ completedOn }: { readonly completedOn: string | null }) => completedOn === null,
    fields: [{ ...REASON, label: 'How you know' }],
    run: ({ disputeReference }: { readonly disputeReference: string }, { reason = '' }) =>
      call(routes.requestDisputeEnd, { params: { disputeReference }, body: { outcome, reason } }),
  })),
  Below: Evidence,
})
