import type { browseBatches } from '@kobo/contract'
import { AMOUNTS, DAYS, status } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'

export default listScreen<typeof browseBatches>({
  name: 'batches',
  title: 'Batches',
  one: 'Batch',
  list: { method: 'GET', path: '/dashboard/api/lists/batches' },
  empty: 'With a batch you send money to many bank accounts at once, from a file.',
  columns: [
    { title: 'Reference', value: ({ batchReference }) => batchReference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (batch) => batch.status, kind: 'status' },
    { title: 'Title', value: ({ title }) => title, isWide: true },
    { title: 'Transfers', value: ({ transfers }) => transfers, isWide: true },
    { title: 'Amount', value: ({ totalAmount }) => totalAmount, kind: 'naira' },
  ],
  facts: [
    { title: 'Fee', value: ({ totalFee }) => totalFee, kind: 'naira' },
    { title: 'Still open', value: ({ openTransfers }) => openTransfers },
    {
      title: 'Its transfers',
      value: () => 'Show them',
      link: ({ batchReference }) => `/dashboard/transfers?batchReference=${encodeURIComponent(batchReference)}`,
    },
  ],
  filters: [
    status(['PENDING_AUTHORIZATION', 'AWAITING_PROCESSING', 'IN_PROGRESS', 'COMPLETED', 'EXPIRED', 'FAILED']),
    ...AMOUNTS,
    ...DAYS,
  ],
  makesOn: [{ title: 'New batch', href: '/dashboard/new-batch', permission: 'payout.make' }],
})
