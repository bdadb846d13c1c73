import type { browseChanges } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { humanize } from '../parts/list/value.tsx'

export default listScreen<typeof browseChanges>({
  name: 'changes',
  title: 'Changes to approve',
  singular: 'Change',
  heading: ({ about }) => about,
  list: routes.browseChanges,
  empty:
    'Changes to permissions, terms, settlement accounts, prices and suspense need a second operator. They appear here.',
  columns: [
    { title: 'Change', value: ({ about }) => about },
    {
      title: 'Merchant',
      value: ({ merchantName }) => merchantName,
      link: ({ merchantCode }) => `/dashboard/merchants/${encodeURIComponent(merchantCode ?? '')}`,
    },
    { title: 'Status', value: (change) => change.status, kind: 'status' },
    { title: 'Requested by', value: ({ askedBy }) => askedBy, isWide: true },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
  ],
  facts: [
    { title: 'Kind', value: ({ kind }) => humanize(kind) },
    { title: 'Reason', value: ({ reason }) => reason },
    { title: 'Decided by', value: ({ decidedBy }) => decidedBy },
    { title: 'Decided on', value: ({ decidedOn }) => decidedOn, kind: 'moment' },
    { title: 'Reason for the decision', value: ({ decidedBecause }) => decidedBecause },
    { title: 'Expires', value: ({ expiresOn }) => expiresOn, kind: 'moment' },
  ],
  filters: [
    status(['WAITING', 'APPLIED', 'REJECTED', 'EXPIRED']),
    { kind: 'text', name: 'merchant', title: 'Merchant', isRare: true },
    ...DAYS,
  ],
  actions: [
    {
      title: 'Approve',
      text: ({ about }) =>
        `${about}. The change takes effect at once. The audit log names you and the operator who requested it.`,
      permission: 'operator.manage',
      isAvailable: (change) => change.status === 'WAITING' && !change.isOwn,
      fields: [],
      toast: 'Change approved.',
      run: ({ id }) => call(routes.approveChange, { params: { id } }),
    },
    {
      title: 'Reject',
      permission: 'operator.manage',
      isAvailable: (change) => change.status === 'WAITING' && !change.isOwn,
      isDanger: true,
      fields: [{ name: 'reason', label: 'Reason', hint: 'The operator who requested it sees this.' }],
      toast: 'Change rejected.',
      run: ({ id }, { reason = '' }) => call(routes.rejectChange, { params: { id }, body: { reason } }),
    },
    {
      title: 'Withdraw',
      text: 'You requested this change, so another operator has to approve it. Until then you can withdraw it.',
      permission: 'operator.manage',
      isAvailable: (change) => change.status === 'WAITING' && change.isOwn,
      isDanger: true,
      fields: [{ name: 'reason', label: 'Reason' }],
      toast: 'Request withdrawn.',
      run: ({ id }, { reason = '' }) => call(routes.rejectChange, { params: { id }, body: { reason } }),
    },
  ],
})
