import type { approveChange, browseChanges, rejectChange } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import { DAYS, status } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'
import { wordsOf } from '../list/value.tsx'

const APPROVE: Address<typeof approveChange> = { method: 'POST', path: '/dashboard/api/operator/changes/:id/approve' }
const REJECT: Address<typeof rejectChange> = { method: 'POST', path: '/dashboard/api/operator/changes/:id/reject' }

export default listScreen<typeof browseChanges>({
  name: 'changes',
  title: 'Changes to approve',
  one: 'Change',
  heading: ({ about }) => about,
  list: { method: 'GET', path: '/dashboard/api/operator/changes' },
  empty:
    'Permissions, terms, settlement accounts, prices and money in suspense change only when a second operator agrees.',
  columns: [
    { title: 'What', value: ({ about }) => about },
    {
      title: 'Merchant',
      value: ({ merchantName }) => merchantName,
      link: ({ merchantCode }) => `/dashboard/merchants/${encodeURIComponent(merchantCode ?? '')}`,
    },
    { title: 'Status', value: (change) => change.status, kind: 'status' },
    { title: 'Asked by', value: ({ askedBy }) => askedBy, isWide: true },
    { title: 'When', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
  ],
  facts: [
    { title: 'Kind', value: ({ kind }) => wordsOf(kind) },
    { title: 'Reason', value: ({ reason }) => reason },
    { title: 'Decided by', value: ({ decidedBy }) => decidedBy },
    { title: 'Decided', value: ({ decidedOn }) => decidedOn, kind: 'moment' },
    { title: 'Because', value: ({ decidedBecause }) => decidedBecause },
    { title: 'Can be approved until', value: ({ expiresOn }) => expiresOn, kind: 'moment' },
  ],
  filters: [
    status(['WAITING', 'APPLIED', 'REJECTED', 'EXPIRED']),
    { kind: 'text', name: 'merchant', title: 'Merchant', isRare: true },
    ...DAYS,
  ],
  acts: [
    {
      title: 'Approve',
      text: 'It is carried out at once, and the audit names you and who asked for it.',
      permission: 'operator.manage',
      isFor: (change) => change.status === 'WAITING' && !change.isOwn,
      asks: [],
      told: 'Approved and carried out.',
      act: ({ id }) => call(APPROVE, { params: { id } }),
    },
    {
      title: 'Reject',
      permission: 'operator.manage',
      isFor: (change) => change.status === 'WAITING' && !change.isOwn,
      isDanger: true,
      asks: [{ name: 'reason', label: 'Why', hint: 'Whoever asked for it reads it.' }],
      told: 'Rejected. Nothing has changed.',
      act: ({ id }, { reason = '' }) => call(REJECT, { params: { id }, body: { reason } }),
    },
    {
      title: 'Withdraw',
      text: 'You asked for it, so that another operator approves it. Until then you can withdraw it.',
      permission: 'operator.manage',
      isFor: (change) => change.status === 'WAITING' && change.isOwn,
      asks: [{ name: 'reason', label: 'Why' }],
      told: 'Withdrawn. Nothing has changed.',
      act: ({ id }, { reason = '' }) => call(REJECT, { params: { id }, body: { reason } }),
    },
  ],
})
