import type { askForDispute, askForDisputeEnd, browseAllDisputes } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import { DAYS, status } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'
import { wordsOf } from '../list/value.tsx'
import { Evidence } from './evidence.tsx'

const OPEN: Address<typeof askForDispute> = {
  method: 'POST',
  path: '/dashboard/api/operator/merchants/:code/disputes',
}
const END: Address<typeof askForDisputeEnd> = {
  method: 'POST',
  path: '/dashboard/api/operator/disputes/:disputeReference/changes',
}
const REASON = { name: 'reason', label: 'How you know', hint: 'Whoever approves it reads it, and it is kept.' } as const
const FOR_TWO = {
  permission: 'operator.manage',
  told: 'Asked for. It is done once another operator has approved it, under “Changes to approve”.',
} as const

export default listScreen<typeof browseAllDisputes>({
  name: 'all-disputes',
  title: 'Disputes',
  one: 'Dispute',
  list: { method: 'GET', path: '/dashboard/api/operator/disputes' },
  empty: 'Nobody wants a payment back. Partners tell of it by themselves, or by mail: then it is opened here.',
  columns: [
    { title: 'Reference', value: ({ disputeReference }) => disputeReference, kind: 'code' },
    {
      title: 'Merchant',
      value: ({ merchantName }) => merchantName,
      link: ({ merchantCode }) => `/dashboard/merchants/${encodeURIComponent(merchantCode ?? '')}`,
      isWide: true,
    },
    { title: 'Opened', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (dispute) => dispute.status, kind: 'status' },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Transaction', value: ({ transactionReference }) => transactionReference, kind: 'code' },
    { title: 'What it is', value: ({ type }) => wordsOf(type) },
    { title: 'Why', value: ({ reason }) => reason },
    { title: 'Partner', value: ({ partner }) => partner },
    { title: 'The partner’s reference', value: ({ partnerReference }) => partnerReference, kind: 'code' },
    {
      title: 'The merchant still owes',
      value: ({ amountOwed }) => (amountOwed === 0 ? null : amountOwed),
      kind: 'naira',
    },
    { title: 'To be contested before', value: ({ evidenceDueOn }) => evidenceDueOn, kind: 'moment' },
    { title: 'Ended', value: ({ completedOn }) => completedOn, kind: 'moment' },
    { title: 'What came of it', value: ({ comment }) => comment },
  ],
  filters: [
    status(['OPEN', 'EVIDENCE_SUBMITTED', 'EXPIRED', 'ACCEPTED', 'WON', 'LOST']),
    { kind: 'text', name: 'merchant', title: 'Merchant', isRare: true },
    ...DAYS,
  ],
  makes: [
    {
      ...FOR_TWO,
      title: 'Open a dispute',
      text: 'For a partner that tells by mail. Another operator approves it; then that much is held.',
      asks: [
        { name: 'code', label: 'Code of the merchant' },
        { name: 'transactionReference', label: 'Transaction reference' },
        {
          name: 'disputeType',
          label: 'What it is',
          kind: 'choice',
          choices: [
            ['CHARGEBACK', 'Chargeback of a card'],
            ['RECALL', 'Recall of a transfer'],
            ['REVERSAL', 'Reversal by the partner'],
          ],
        },
        {
          name: 'amount',
          label: 'Amount in naira',
          hint: 'All that is left, where empty.',
          kind: 'amount',
          isOptional: true,
        },
        { name: 'partner', label: 'Partner' },
        { name: 'partnerReference', label: 'The partner’s reference' },
        { ...REASON, label: 'Why it is disputed' },
      ],
      act: (_, { code = '', amount = '', disputeType = '', ...rest }) =>
        call(OPEN, {
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
  acts: (['WON', 'LOST'] as const).map((outcome) => ({
    ...FOR_TWO,
    title: outcome === 'WON' ? 'It is won' : 'It is lost',
    text:
      outcome === 'WON'
        ? 'What was held becomes the merchant’s again. Another operator approves it.'
        : 'What was held goes to the partner. Another operator approves it.',
    isDanger: outcome === 'LOST',
    isFor: ({ completedOn }: { readonly completedOn: string | null }) => completedOn === null,
    asks: [REASON],
    act: ({ disputeReference }: { readonly disputeReference: string }, { reason = '' }) =>
      call(END, { params: { disputeReference }, body: { outcome, reason } }),
  })),
  Below: Evidence,
})
