import type { browseBatches, Reply } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { AMOUNTS, DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'

type Batch = Reply<typeof browseBatches>['items'][number]

/** The API calls a batch completed even if transfers failed; people must see that not everyone was paid. */
const statusOf = ({ status, transfers, failedTransfers }: Batch): string => {
  if (status !== 'COMPLETED' || failedTransfers === 0) return status
  return failedTransfers === transfers ? 'FAILED' : 'PARTLY_FAILED'
}

export default listScreen<typeof browseBatches>({
  name: 'batches',
  title: 'Batches',
  singular: 'Batch',
  list: routes.browseBatches,
  empty: 'Use a batch to pay many bank accounts at once from a file.',
  columns: [
    { title: 'Reference', value: ({ batchReference }) => batchReference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Status', value: statusOf, kind: 'status' },
    { title: 'Title', value: ({ title }) => title, isWide: true },
    { title: 'Transfers', value: ({ transfers }) => transfers, isWide: true },
    {
      title: 'Failed',
      value: ({ failedTransfers, failedAmount }) =>
        failedTransfers === 0 ? null : `${failedTransfers} (${naira(failedAmount)})`,
    },
    { title: 'Amount', value: ({ totalAmount }) => totalAmount, kind: 'naira' },
  ],
  facts: [
    { title: 'Fee', value: ({ totalFee }) => totalFee, kind: 'naira' },
    { title: 'Pending transfers', value: ({ openTransfers }) => openTransfers },
    {
      title: 'All transfers',
      value: () => 'View transfers',
      link: ({ batchReference }) => `/dashboard/transfers?batchReference=${encodeURIComponent(batchReference)}`,
    },
  ],
  filters: [
    status(['PENDING_AUTHORIZATION', 'AWAITING_PROCESSING', 'IN_PROGRESS', 'COMPLETED', 'EXPIRED', 'FAILED']),
    ...AMOUNTS,
    ...DAYS,
  ],
  createLinks: [{ title: 'Create batch', href: '/dashboard/new-batch', permission: 'payout.make' }],
})
