import type { findPayments } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { humanize } from '../parts/list/value.tsx'

export default listScreen<typeof findPayments>({
  name: 'all-payments',
  title: 'Payments',
  singular: 'Payment',
  list: routes.findPayments,
  emptyTitle: 'Find a payment',
  empty: 'Enter a full reference: the merchant’s, ours, or the bank’s session ID. Every search is in the audit log.',
  columns: [
    { title: 'Reference', value: ({ transactionReference }) => transactionReference, kind: 'code' },
    {
      title: 'Merchant',
      value: ({ merchantName }) => merchantName,
      link: ({ merchantCode }) => `/dashboard/merchants/${encodeURIComponent(merchantCode ?? '')}`,
    },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: ({ status }) => status, kind: 'status' },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Type', value: ({ kind }) => humanize(kind) },
    { title: 'Merchant reference', value: ({ merchantReference }) => merchantReference, kind: 'code' },
    { title: 'Customer', value: ({ customerName }) => customerName },
    { title: 'Customer email', value: ({ customerEmail }) => customerEmail },
  ],
  address: ({ merchantCode, kind, transactionReference, merchantReference }) => {
    const reference = kind === 'PAYMENT' ? transactionReference : merchantReference
    return `/dashboard/all-payments/${encodeURIComponent(`${merchantCode} ${reference}`)}`
  },
  find: (key) => {
    const [, code = '', reference = ''] = /^(\S*) (.*)$/.exec(key) ?? []
    return { query: { reference }, matches: ({ merchantCode }) => merchantCode === code }
  },
  filters: [{ kind: 'text', name: 'reference', title: 'Reference', isLong: true }],
})
