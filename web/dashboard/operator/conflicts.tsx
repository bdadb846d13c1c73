import type { browseConflicts } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { DAYS } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import type { Action, ItemOf } from '../parts/list/list-spec.ts'
import { NEEDS_APPROVAL, REASON } from './approval.ts'

type Conflict = ItemOf<typeof browseConflicts>

const verdict = (which: 'TAKE' | 'DISMISS', title: string, text: string): Action<Conflict> => ({
  ...NEEDS_APPROVAL,
  title,
  text: `${text} Another operator has to approve it.`,
  isAvailable: (conflict) => conflict.status === 'OPEN',
  isDanger: which === 'DISMISS',
  fields: [{ ...REASON, label: 'How you know' }],
  run: ({ id }, { reason = '' }) => call(routes.requestConflict, { params: { id }, body: { verdict: which, reason } }),
})

export default listScreen<typeof browseConflicts>({
  name: 'conflicts',
  title: 'Conflicting credits',
  singular: 'Conflicting credit',
  list: routes.browseConflicts,
  empty: 'If two different credits have the same bank reference, the second waits here until an operator decides.',
  columns: [
    { title: 'Bank reference', value: ({ railReference }) => railReference, kind: 'code' },
    { title: 'Received', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (conflict) => conflict.status, kind: 'status' },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
    { title: 'Merchant', value: ({ merchantName }) => merchantName, isWide: true },
  ],
  facts: [
    { title: 'Other credits with this reference', value: ({ before }) => before.join('; ') },
    { title: 'Partner', value: ({ partner }) => partner },
    { title: 'To account', value: ({ accountNumber }) => accountNumber },
    { title: 'To bank', value: ({ bankName }) => bankName },
    { title: 'Payer', value: ({ payerName }) => payerName },
    { title: 'From account', value: ({ payerAccountNumber }) => payerAccountNumber },
    { title: 'From bank', value: ({ payerBankName }) => payerBankName },
    { title: 'Narration', value: ({ narration }) => narration },
  ],
  filters: DAYS,
  actions: [
    verdict('TAKE', 'Accept as separate payment', 'The credit is booked now, under its own reference.'),
    verdict('DISMISS', 'Dismiss as invalid', 'Nothing is booked, even if the partner reports it again.'),
  ],
})
