import type { browsePaycodes } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { AMOUNTS, DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'

export default listScreen<typeof browsePaycodes>({
  name: 'paycodes',
  title: 'Paycodes',
  singular: 'Paycode',
  list: routes.browsePaycodes,
  empty: 'A paycode lets someone collect cash from an agent. Create paycodes through the API.',
  columns: [
    { title: 'Reference', value: ({ paycodeReference }) => paycodeReference, kind: 'code' },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Status', value: (paycode) => paycode.status, kind: 'status' },
    { title: 'Beneficiary', value: ({ beneficiaryName }) => beneficiaryName, isWide: true },
    { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  ],
  facts: [
    { title: 'Transaction reference', value: ({ transactionReference }) => transactionReference },
    { title: 'Fee', value: ({ fee }) => fee, kind: 'naira' },
    { title: 'Expires', value: ({ expiresOn }) => expiresOn, kind: 'moment' },
    { title: 'Completed', value: ({ completedOn }) => completedOn, kind: 'moment' },
  ],
  filters: [status(['PENDING', 'SUCCESS', 'EXPIRED', 'CANCELLED']), ...AMOUNTS, ...DAYS],
  actions: [
    {
      title: 'Cancel paycode',
      dismiss: 'Go back',
      text: 'The amount and the fee return to your wallet.',
      permission: 'payout.make',
      isDanger: true,
      isAvailable: (paycode) => paycode.status === 'PENDING',
      fields: [],
      toast: 'Paycode cancelled.',
      run: ({ paycodeReference }) => call(routes.cancelPaycode, { params: { paycodeReference } }),
    },
  ],
})
