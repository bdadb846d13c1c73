import type { browseSubAccounts, createSubAccounts, deleteSubAccount, InDashboard } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import { call } from '../call.ts'
import { DAYS } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'

const CREATE: Address<InDashboard<typeof createSubAccounts>> = {
  method: 'POST',
  path: '/dashboard/api/v1/sub-accounts',
}
const DELETE: Address<InDashboard<typeof deleteSubAccount>> = {
  method: 'DELETE',
  path: '/dashboard/api/v1/sub-accounts/:subAccountCode',
}

export default listScreen<typeof browseSubAccounts>({
  name: 'sub-accounts',
  title: 'Sub accounts',
  one: 'Sub account',
  list: { method: 'GET', path: '/dashboard/api/lists/sub-accounts' },
  empty: 'A part of a payment can go to somebody else’s bank account: a seller, a branch, a partner.',
  columns: [
    { title: 'Name', value: ({ accountName }) => accountName },
    { title: 'Account', value: ({ accountNumber }) => accountNumber },
    { title: 'Bank', value: ({ bankName }) => bankName, isWide: true },
    { title: 'Part', value: ({ defaultSplitPercentage }) => `${defaultSplitPercentage} %` },
    {
      title: 'Status',
      value: ({ deletedOn }) => (deletedOn === null ? 'ACTIVE' : 'DELETED'),
      kind: 'status',
      isWide: true,
    },
  ],
  facts: [
    { title: 'Code', value: ({ subAccountCode }) => subAccountCode },
    { title: 'E-mail address', value: ({ email }) => email },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Deleted', value: ({ deletedOn }) => deletedOn, kind: 'moment' },
  ],
  filters: DAYS,
  makes: [
    {
      title: 'New sub account',
      text: 'The name is what the bank answers.',
      permission: 'terms.manage',
      asks: [
        { name: 'bankCode', label: 'Bank', kind: 'bank' },
        { name: 'accountNumber', label: 'Account number', kind: 'number' },
        { name: 'email', label: 'E-mail address for reports', kind: 'email' },
        { name: 'percentage', label: 'Its part of a payment, in percent', kind: 'amount' },
      ],
      act: (_none, { bankCode = '', accountNumber = '', email = '', percentage = '' }) =>
        call(CREATE, {
          body: { currencyCode: 'NGN', bankCode, accountNumber, email, defaultSplitPercentage: Number(percentage) },
        }),
    },
  ],
  acts: [
    {
      title: 'Delete',
      text: 'It takes part in no new split. What it has a part in already is still paid to it.',
      permission: 'terms.manage',
      isDanger: true,
      isFor: ({ deletedOn }) => deletedOn === null,
      asks: [],
      act: ({ subAccountCode }) => call(DELETE, { params: { subAccountCode } }),
    },
  ],
})
