import type { browseReturns } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { DAYS } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import type { Action, ItemOf } from '../parts/list/list-spec.ts'
import { humanize } from '../parts/list/value.tsx'
import { NEEDS_APPROVAL, REASON } from './approval.ts'

const HOW_YOU_KNOW = { ...REASON, label: 'How you know' }

type Return = ItemOf<typeof browseReturns>

const ACTS: readonly Action<Return>[] = [
  {
    ...NEEDS_APPROVAL,
    title: 'Send to an account',
    text: 'Use the sender’s account, as the partner gave it to you. Another operator has to approve it.',
    fields: [
      { name: 'bankCode', label: 'Bank', kind: 'bank' },
      { name: 'accountNumber', label: 'Account number', kind: 'number' },
      { name: 'accountName', label: 'Account name', isOptional: true },
      HOW_YOU_KNOW,
    ],
    run: ({ id }, { bankCode = '', accountNumber = '', accountName = '', reason = '' }) =>
      call(routes.requestReturn, {
        params: { id },
        body: { way: 'ACCOUNT', bankCode, accountNumber, reason, ...(accountName === '' ? {} : { accountName }) },
      }),
  },
  {
    ...NEEDS_APPROVAL,
    title: 'Return through the partner',
    text: 'Use this if the partner can return the credit. Another operator has to approve it.',
    fields: [HOW_YOU_KNOW],
    run: ({ id }, { reason = '' }) => call(routes.requestReturn, { params: { id }, body: { way: 'PARTNER', reason } }),
  },
  {
    ...NEEDS_APPROVAL,
    title: 'Record as returned',
    text: 'The money was returned outside Kobo. This only records it in the ledger. Another operator has to approve it.',
    fields: [HOW_YOU_KNOW],
    run: ({ id }, { reason = '' }) => call(routes.requestReturn, { params: { id }, body: { way: 'IS_BACK', reason } }),
  },
]

export default listScreen<typeof browseReturns>({
  name: 'suspense',
  title: 'Suspense',
  singular: 'Credit in suspense',
  list: routes.browseReturns,
  emptyTitle: 'No credits in suspense',
  empty: 'Money that was not accepted and has no known sender account is listed here until it is returned.',
  columns: [
    { title: 'Reference', value: ({ reference }) => reference, kind: 'code' },
    { title: 'Received', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
    { title: 'Payer', value: ({ payerName }) => payerName },
    { title: 'Reason for suspense', value: ({ reason }) => humanize(reason), isWide: true },
    { title: 'Partner', value: ({ partner }) => partner, isWide: true },
  ],
  facts: [
    { title: 'Merchant', value: ({ merchantName }) => merchantName ?? 'None' },
    { title: 'To account', value: ({ accountNumber }) => accountNumber },
    { title: 'To bank', value: ({ bankName }) => bankName },
    { title: 'Bank reference', value: ({ railReference }) => railReference },
    { title: 'From account', value: ({ payerAccountNumber }) => payerAccountNumber },
    { title: 'From bank', value: ({ payerBankName }) => payerBankName },
    { title: 'Last error', value: ({ failure }) => failure },
  ],
  filters: DAYS,
  actions: ACTS,
})
