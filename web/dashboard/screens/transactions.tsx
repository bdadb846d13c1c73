import type { browseTransactions } from '@kobo/contract'
import type { JSX } from 'preact'
import { AMOUNTS, CUSTOMER, DAYS, status } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'
import { wordsOf } from '../list/value.tsx'
import type { ScreenProps } from '../screen.ts'
import { Story } from '../story/story.tsx'

const List = listScreen<typeof browseTransactions>({
  name: 'transactions',
  title: 'Transactions',
  one: 'Transaction',
  list: { method: 'GET', path: '/dashboard/api/lists/transactions' },
  empty: 'As soon as a customer is asked for money, it stands here.',
  columns: [
    { title: 'Reference', value: ({ paymentReference }) => paymentReference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (transaction) => transaction.status, kind: 'status' },
    { title: 'Customer', value: ({ customerName, customerEmail }) => customerName ?? customerEmail, isWide: true },
    {
      title: 'Paid by',
      value: ({ paymentMethod }) => (paymentMethod === null ? null : wordsOf(paymentMethod)),
      isWide: true,
    },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Paid', value: ({ amountPaid }) => amountPaid, kind: 'naira' },
    { title: 'Fee', value: ({ fee }) => fee, kind: 'naira' },
    { title: 'Our reference', value: ({ transactionReference }) => transactionReference },
    { title: 'E-mail address', value: ({ customerEmail }) => customerEmail },
    { title: 'For', value: ({ description }) => description },
    { title: 'Completed', value: ({ completedOn }) => completedOn, kind: 'moment' },
    { title: 'Settles', value: ({ settlesOn }) => settlesOn, kind: 'moment' },
  ],
  filters: [
    status(['PENDING', 'OVERPAID', 'PARTIALLY_PAID', 'PAID', 'EXPIRED', 'FAILED', 'CANCELLED']),
    { kind: 'choice', name: 'method', title: 'Paid by', words: ['ACCOUNT_TRANSFER', 'CARD', 'DIRECT_DEBIT', 'CASH'] },
    CUSTOMER,
    ...AMOUNTS,
    ...DAYS,
    { kind: 'text', name: 'reservedAccountReference', title: 'Reserved account', isRare: true },
  ],
  address: ({ transactionReference }) => `/dashboard/transactions/${encodeURIComponent(transactionReference)}`,
})

/** The list, or the whole story of one: /dashboard/transactions/REFERENCE. */
export default function Transactions(props: ScreenProps): JSX.Element {
  return props.id === undefined ? <List {...props} /> : <Story {...props} reference={props.id} />
}
