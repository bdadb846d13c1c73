import type { askForConflict, browseConflicts } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import { DAYS } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'
import type { Act, ItemOf } from '../list/spec.ts'

const ASK: Address<typeof askForConflict> = { method: 'POST', path: '/dashboard/api/operator/conflicts/:id/changes' }
type Conflict = ItemOf<typeof browseConflicts>

const verdict = (which: 'TAKE' | 'DISMISS', title: string, text: string): Act<Conflict> => ({
  title,
  text: `${text} Another operator approves it.`,
  permission: 'operator.manage',
  isFor: (conflict) => conflict.status === 'OPEN',
  isDanger: which === 'DISMISS',
  asks: [{ name: 'reason', label: 'How you know', hint: 'Whoever approves it reads it, and it is kept.' }],
  told: 'Asked for. It is done once another operator has approved it, under “Changes to approve”.',
  act: ({ id }, { reason = '' }) => call(ASK, { params: { id }, body: { verdict: which, reason } }),
})

export default listScreen<typeof browseConflicts>({
  name: 'conflicts',
  title: 'Conflicting credits',
  one: 'Conflicting credit',
  list: { method: 'GET', path: '/dashboard/api/operator/conflicts' },
  empty:
    'A credit that has the reference of other money is neither kept nor sent back before a person has looked at it.',
  columns: [
    { title: 'The bank’s reference', value: ({ railReference }) => railReference, kind: 'code' },
    { title: 'Told', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (conflict) => conflict.status, kind: 'status' },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
    { title: 'Merchant', value: ({ merchantCode }) => merchantCode, isWide: true },
  ],
  facts: [
    { title: 'Named before', value: ({ before }) => before.join('; ') },
    { title: 'Partner', value: ({ partner }) => partner },
    { title: 'On account', value: ({ accountNumber }) => accountNumber },
    { title: 'At bank', value: ({ bankCode }) => bankCode },
    { title: 'Payer', value: ({ payerName }) => payerName },
    { title: 'From account', value: ({ payerAccountNumber }) => payerAccountNumber },
    { title: 'From bank', value: ({ payerBankCode }) => payerBankCode },
    { title: 'Narration', value: ({ narration }) => narration },
  ],
  filters: DAYS,
  acts: [
    verdict('TAKE', 'It is money of its own', 'It is received as if it were told now, under a reference of its own.'),
    verdict('DISMISS', 'There is no such money', 'Nothing is received, however often it is told.'),
  ],
})
