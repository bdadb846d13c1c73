import type { browseTransfers } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { AMOUNTS, DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'

export default listScreen<typeof browseTransfers>({
  name: 'transfers',
  title: 'Transfers',
  singular: 'Transfer',
  list: routes.browseTransfers,
  empty: 'Money that you send to bank accounts appears here.',
  columns: [
    { title: 'Reference', value: ({ reference }) => reference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Status', value: ({ status, rejectedBy }) => (rejectedBy === null ? status : 'REJECTED'), kind: 'status' },
    { title: 'Account name', value: ({ destinationAccountName }) => destinationAccountName },
    { title: 'Failure reason', value: ({ failureReason }) => failureReason, isWide: true },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Account number', value: ({ destinationAccountNumber }) => destinationAccountNumber },
    { title: 'Bank', value: ({ destinationBankName }) => destinationBankName },
    { title: 'Narration', value: ({ narration }) => narration },
    { title: 'Fee', value: ({ fee }) => fee, kind: 'naira' },
    { title: 'Transaction reference', value: ({ transactionReference }) => transactionReference },
    { title: 'Session ID', value: ({ sessionId }) => sessionId },
    { title: 'Rejected by', value: ({ rejectedBy }) => rejectedBy },
    { title: 'Completed', value: ({ completedOn }) => completedOn, kind: 'moment' },
  ],
  filters: [
    status(['PENDING_AUTHORIZATION', 'PENDING', 'SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED']),
    { kind: 'text', name: 'batchReference', title: 'Batch', isRare: true },
    ...AMOUNTS,
    ...DAYS,
  ],
  createLinks: [{ title: 'Create transfer', href: '/dashboard/new-transfer', permission: 'payout.make' }],
})
