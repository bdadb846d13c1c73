import type { browseRefunds } from '@kobo/contract'
import { AMOUNTS, DAYS, status } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'
import { wordsOf } from '../list/value.tsx'

export default listScreen<typeof browseRefunds>({
  name: 'refunds',
  title: 'Refunds',
  one: 'Refund',
  list: { method: 'GET', path: '/dashboard/api/lists/refunds' },
  empty: 'A payment is given back from the page of its transaction.',
  columns: [
    { title: 'Reference', value: ({ refundReference }) => refundReference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (refund) => refund.status, kind: 'status' },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
    { title: 'Reason', value: ({ reason }) => reason, isWide: true },
  ],
  facts: [
    {
      title: 'Transaction',
      value: ({ transactionReference }) => transactionReference,
      link: ({ transactionReference }) => `/dashboard/transactions/${encodeURIComponent(transactionReference)}`,
    },
    { title: 'Fee', value: ({ fee }) => fee, kind: 'naira' },
    { title: 'Type', value: ({ type }) => wordsOf(type) },
    { title: 'Back by', value: ({ method }) => wordsOf(method) },
    { title: 'To', value: ({ payerAccountName }) => payerAccountName },
    { title: 'Account', value: ({ payerAccountNumber }) => payerAccountNumber },
    { title: 'What came of it', value: ({ comment }) => comment },
    { title: 'Completed', value: ({ completedOn }) => completedOn, kind: 'moment' },
  ],
  filters: [status(['PENDING', 'COMPLETED', 'FAILED']), ...AMOUNTS, ...DAYS],
})
