import type { browseTransactions } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { minus } from '../../ui/money.ts'
import { AMOUNTS, CUSTOMER, DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { customerUrl } from '../parts/list/reference.ts'
import { humanize } from '../parts/list/value.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import { TransactionTimeline } from './transactions/timeline.tsx'
import { statusOf } from './transactions/timeline-data.ts'

const List = listScreen<typeof browseTransactions>({
  name: 'transactions',
  title: 'Transactions',
  singular: 'Transaction',
  list: routes.browseTransactions,
  empty: 'They appear here when a customer starts to pay.',
  columns: [
    { title: 'Reference', value: ({ paymentReference }) => paymentReference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Status', value: statusOf, kind: 'status' },
    {
      title: 'Customer',
      value: ({ customerName, customerEmail }) => customerName ?? customerEmail,
      link: ({ customerEmail }) => customerUrl(customerEmail),
    },
    {
      title: 'Payment method',
      value: ({ paymentMethod }) => (paymentMethod === null ? null : humanize(paymentMethod)),
      isWide: true,
    },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Amount paid', value: ({ amountPaid }) => amountPaid, kind: 'naira' },
    { title: 'Amount refunded', value: ({ amountRefunded }) => amountRefunded, kind: 'naira' },
    { title: 'Fee', value: ({ fee }) => fee, kind: 'naira' },
    { title: 'Transaction reference', value: ({ transactionReference }) => transactionReference },
    {
      title: 'Customer email',
      value: ({ customerEmail }) => customerEmail,
      link: ({ customerEmail }) => customerUrl(customerEmail),
    },
    { title: 'Description', value: ({ description }) => description },
    { title: 'Completed', value: ({ completedOn }) => completedOn, kind: 'moment' },
    { title: 'Settlement date', value: ({ settlesOn }) => settlesOn, kind: 'moment' },
  ],
  filters: [
    status(
      [
        'PENDING',
        'OVERPAID',
        'PARTIALLY_PAID',
        'PAID',
        'REFUNDED',
        'PARTIALLY_REFUNDED',
        'EXPIRED',
        'FAILED',
        'CANCELLED',
      ],
      { PAID: 'Paid or refunded' },
    ),
    {
      kind: 'choice',
      name: 'method',
      title: 'Payment method',
      values: ['ACCOUNT_TRANSFER', 'CARD', 'DIRECT_DEBIT', 'CASH'],
    },
    CUSTOMER,
    ...AMOUNTS,
    ...DAYS,
    { kind: 'text', name: 'reservedAccountReference', title: 'Reserved account', isRare: true },
  ],
  selection: {
    title: 'Refund selected',
    permission: 'refund.make',
    isSelectable: ({ amountPaid, amountRefunded }) => amountPaid > amountRefunded,
    amount: ({ amountPaid, amountRefunded }) => minus(amountPaid, amountRefunded),
    address: (chosen) =>
      `/dashboard/new-refunds?${new URLSearchParams(chosen.map(({ transactionReference }) => ['reference', transactionReference]))}`,
  },
  address: ({ transactionReference }) => `/dashboard/transactions/${encodeURIComponent(transactionReference)}`,
})

/** The list, or the timeline of one transaction: /dashboard/transactions/REFERENCE. */
export default function Transactions(props: ScreenProps): JSX.Element {
  return props.id === undefined ? <List {...props} /> : <TransactionTimeline {...props} reference={props.id} />
}
