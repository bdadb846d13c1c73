import type { browseRefunds } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { AMOUNTS, DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { humanize } from '../parts/list/value.tsx'
import { CustomerOfPayment } from './transactions/customer-of-payment.tsx'

export default listScreen<typeof browseRefunds>({
  name: 'refunds',
  title: 'Refunds',
  singular: 'Refund',
  list: routes.browseRefunds,
  empty: 'To refund payments, open one under Transactions, select several there, or upload a file.',
  columns: [
    { title: 'Reference', value: ({ refundReference }) => refundReference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
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
    { title: 'Type', value: ({ type }) => humanize(type) },
    { title: 'Refund method', value: ({ method }) => humanize(method) },
    { title: 'Account name', value: ({ payerAccountName }) => payerAccountName },
    { title: 'Account number', value: ({ payerAccountNumber }) => payerAccountNumber },
    { title: 'Status details', value: ({ comment }) => comment },
    { title: 'Completed', value: ({ completedOn }) => completedOn, kind: 'moment' },
  ],
  filters: [status(['PENDING', 'COMPLETED', 'FAILED']), ...AMOUNTS, ...DAYS],
  Below: CustomerOfPayment,
  createLinks: [{ title: 'Refund from a file', href: '/dashboard/new-refunds', permission: 'refund.make' }],
})
