import type { browsePaycodes, cancelPaycode, InDashboard } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import { AMOUNTS, DAYS, status } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'

const CANCEL: Address<InDashboard<typeof cancelPaycode>> = {
  method: 'DELETE',
  path: '/dashboard/api/v1/paycode/:paycodeReference',
}

export default listScreen<typeof browsePaycodes>({
  name: 'paycodes',
  title: 'Paycodes',
  one: 'Paycode',
  list: { method: 'GET', path: '/dashboard/api/lists/paycodes' },
  empty: 'With a paycode somebody picks up cash at an agent. Your server makes them.',
  columns: [
    { title: 'Reference', value: ({ paycodeReference }) => paycodeReference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    { title: 'Status', value: (paycode) => paycode.status, kind: 'status' },
    { title: 'For', value: ({ beneficiaryName }) => beneficiaryName, isWide: true },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Our reference', value: ({ transactionReference }) => transactionReference },
    { title: 'Fee', value: ({ fee }) => fee, kind: 'naira' },
    { title: 'Expires', value: ({ expiresOn }) => expiresOn, kind: 'moment' },
    { title: 'Ended', value: ({ completedOn }) => completedOn, kind: 'moment' },
  ],
  filters: [status(['PENDING', 'SUCCESS', 'EXPIRED', 'CANCELLED']), ...AMOUNTS, ...DAYS],
  acts: [
    {
      title: 'Cancel the paycode',
      text: 'Amount and fee return to the wallet.',
      permission: 'payout.make',
      isDanger: true,
      isFor: (paycode) => paycode.status === 'PENDING',
      asks: [],
      act: ({ paycodeReference }) => call(CANCEL, { params: { paycodeReference } }),
    },
  ],
})
