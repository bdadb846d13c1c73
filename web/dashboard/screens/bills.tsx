import type { browseBills } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { AMOUNTS, DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'

export default listScreen<typeof browseBills>({
  name: 'bills',
  title: 'Bills',
  singular: 'Bill',
  list: routes.browseBills,
  empty: 'Airtime, electricity and other bills that you pay through the API appear here.',
  columns: [
    { title: 'Reference', value: ({ reference }) => reference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Status', value: (bill) => bill.status, kind: 'status' },
    { title: 'Biller', value: ({ biller }) => biller, isWide: true },
    { title: 'Product', value: ({ product }) => product, isWide: true },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Customer ID', value: ({ customerId }) => customerId },
    { title: 'Transaction reference', value: ({ transactionReference }) => transactionReference },
    { title: 'Commission', value: ({ commission }) => commission, kind: 'naira' },
    { title: 'Completed', value: ({ completedOn }) => completedOn, kind: 'moment' },
  ],
  filters: [status(['SUCCESS', 'PENDING', 'FAILED']), ...AMOUNTS, ...DAYS],
})
