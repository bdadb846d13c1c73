import type { browseSubAccounts } from '@kobo/contract'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { DAYS } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'

export default listScreen<typeof browseSubAccounts>({
  name: 'sub-accounts',
  title: 'Sub accounts',
  singular: 'Sub account',
  list: routes.browseSubAccounts,
  empty: 'A sub account receives a share of your payments, for example for a seller, a branch or a partner.',
  columns: [
    { title: 'Name', value: ({ accountName }) => accountName },
    { title: 'Account number', value: ({ accountNumber }) => accountNumber },
    { title: 'Bank', value: ({ bankName }) => bankName, isWide: true },
    { title: 'Share', value: ({ defaultSplitPercentage }) => `${defaultSplitPercentage}%` },
    {
      title: 'Status',
      value: ({ deletedOn }) => (deletedOn === null ? 'ACTIVE' : 'DELETED'),
      kind: 'status',
      isWide: true,
    },
  ],
  facts: [
    { title: 'Code', value: ({ subAccountCode }) => subAccountCode },
    { title: 'Email address', value: ({ email }) => email },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Deleted', value: ({ deletedOn }) => deletedOn, kind: 'moment' },
  ],
  filters: DAYS,
  createActions: [
    {
      title: 'Create sub account',
      text: 'We take the account name from the bank.',
      permission: 'terms.manage',
      fields: [
        { name: 'bankCode', label: 'Bank', kind: 'bank' },
        { name: 'accountNumber', label: 'Account number', kind: 'number' },
        { name: 'email', label: 'Email address for reports', kind: 'email' },
        { name: 'defaultSplitPercentage', label: 'Share of each payment, in percent', kind: 'decimal' },
      ],
      toast: 'Sub account created.',
      run: (_none, { bankCode = '', accountNumber = '', email = '', defaultSplitPercentage = '' }) =>
        call(routes.createSubAccounts, {
          body: {
            currencyCode: 'NGN',
            bankCode,
            accountNumber,
            email,
            defaultSplitPercentage: Number(defaultSplitPercentage),
          },
        }),
    },
  ],
  actions: [
    {
      title: 'Delete sub account',
      text: 'It receives no share of new payments. It still receives its share of existing ones.',
      permission: 'terms.manage',
      isDanger: true,
      isAvailable: ({ deletedOn }) => deletedOn === null,
      fields: [],
      toast: 'Sub account deleted.',
      run: ({ subAccountCode }) => call(routes.deleteSubAccount, { params: { subAccountCode } }),
    },
  ],
})
