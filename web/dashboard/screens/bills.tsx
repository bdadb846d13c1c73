import type { browseBills } from '@kobo/contract'
import { AMOUNTS, DAYS, status } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'

export default listScreen<typeof browseBills>({
  name: 'bills',
  title: 'Bills',
  one: 'Bill',
  list: { method: 'GET', path: '/dashboard/api/lists/bills' },
  empty: 'Airtime, electricity and other bills that your server pays stand here.',
  columns: [
    { title: 'Reference', value: ({ reference }) => reference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (bill) => bill.status, kind: 'status' },
    { title: 'Biller', value: ({ biller }) => biller, isWide: true },
    { title: 'Product', value: ({ product }) => product, isWide: true },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Customer', value: ({ customerId }) => customerId },
    { title: 'Our reference', value: ({ transactionReference }) => transactionReference },
    { title: 'Commission', value: ({ commission }) => commission, kind: 'naira' },
    { title: 'Ended', value: ({ completedOn }) => completedOn, kind: 'moment' },
  ],
  filters: [status(['SUCCESS', 'PENDING', 'FAILED']), ...AMOUNTS, ...DAYS],
})
