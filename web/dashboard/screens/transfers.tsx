import type { browseTransfers } from '@kobo/contract'
import { AMOUNTS, DAYS, status } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'

export default listScreen<typeof browseTransfers>({
  name: 'transfers',
  title: 'Transfers',
  one: 'Transfer',
  list: { method: 'GET', path: '/dashboard/api/lists/transfers' },
  empty: 'Money that you send to bank accounts stands here.',
  columns: [
    { title: 'Reference', value: ({ reference }) => reference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (transfer) => transfer.status, kind: 'status' },
    { title: 'To', value: ({ destinationAccountName }) => destinationAccountName, isWide: true },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Account', value: ({ destinationAccountNumber }) => destinationAccountNumber },
    { title: 'Bank', value: ({ destinationBankName }) => destinationBankName },
    { title: 'For', value: ({ narration }) => narration },
    { title: 'Fee', value: ({ fee }) => fee, kind: 'naira' },
    { title: 'Our reference', value: ({ transactionReference }) => transactionReference },
    { title: 'Session id', value: ({ sessionId }) => sessionId },
    { title: 'Why it failed', value: ({ failureReason }) => failureReason },
    { title: 'Ended', value: ({ completedOn }) => completedOn, kind: 'moment' },
  ],
  filters: [
    status(['PENDING_AUTHORIZATION', 'PENDING', 'SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED']),
    { kind: 'text', name: 'batchReference', title: 'Batch', isRare: true },
    ...AMOUNTS,
    ...DAYS,
  ],
  makesOn: [{ title: 'New transfer', href: '/dashboard/new-transfer', permission: 'payout.make' }],
})
