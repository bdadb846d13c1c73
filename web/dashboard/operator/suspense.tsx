import type { askForReturn, browseReturns } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import { DAYS } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'
import type { Act, ItemOf } from '../list/spec.ts'
import { wordsOf } from '../list/value.tsx'

const ASK: Address<typeof askForReturn> = { method: 'POST', path: '/dashboard/api/operator/returns/:id/changes' }
const REASON = { name: 'reason', label: 'How you know', hint: 'Whoever approves it reads it, and it is kept.' } as const
const FOR_TWO = {
  permission: 'operator.manage',
  told: 'Asked for. It is done once another operator has approved it, under “Changes to approve”.',
} as const

type Return = ItemOf<typeof browseReturns>

const ACTS: readonly Act<Return>[] = [
  {
    ...FOR_TWO,
    title: 'Send to an account',
    text: 'To the account from which it came, once you know it from the partner. Another operator approves it.',
    asks: [
      { name: 'bankCode', label: 'Bank', kind: 'bank' },
      { name: 'accountNumber', label: 'Account number', kind: 'number' },
      { name: 'accountName', label: 'Name of the account', isOptional: true },
      REASON,
    ],
    act: ({ id }, { bankCode = '', accountNumber = '', accountName = '', reason = '' }) =>
      call(ASK, {
        params: { id },
        body: { way: 'ACCOUNT', bankCode, accountNumber, reason, ...(accountName === '' ? {} : { accountName }) },
      }),
  },
  {
    ...FOR_TWO,
    title: 'Have the partner send it',
    text: 'For a partner that sends credits back by itself. Another operator approves it.',
    asks: [REASON],
    act: ({ id }, { reason = '' }) => call(ASK, { params: { id }, body: { way: 'PARTNER', reason } }),
  },
  {
    ...FOR_TWO,
    title: 'It is back already',
    text: 'By other means: it is booked from suspense, and nothing is sent. Another operator approves it.',
    asks: [REASON],
    act: ({ id }, { reason = '' }) => call(ASK, { params: { id }, body: { way: 'IS_BACK', reason } }),
  },
]

export default listScreen<typeof browseReturns>({
  name: 'suspense',
  title: 'Suspense',
  one: 'Credit in suspense',
  list: { method: 'GET', path: '/dashboard/api/operator/returns' },
  empty: 'Money that arrived, was not taken, and that nobody knows where to send stands here until it is back.',
  columns: [
    { title: 'Reference', value: ({ reference }) => reference, kind: 'code' },
    { title: 'Arrived', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
    { title: 'Payer', value: ({ payerName }) => payerName },
    { title: 'Not taken because', value: ({ reason }) => wordsOf(reason), isWide: true },
    { title: 'Partner', value: ({ partner }) => partner, isWide: true },
  ],
  facts: [
    { title: 'Merchant', value: ({ merchantCode }) => merchantCode ?? 'nobody’s' },
    { title: 'On account', value: ({ accountNumber }) => accountNumber },
    { title: 'At bank', value: ({ bankCode }) => bankCode },
    { title: 'The bank’s reference', value: ({ railReference }) => railReference },
    { title: 'From account', value: ({ payerAccountNumber }) => payerAccountNumber },
    { title: 'From bank', value: ({ payerBankCode }) => payerBankCode },
    { title: 'The last attempt', value: ({ failure }) => failure },
  ],
  filters: DAYS,
  acts: ACTS,
})
