import type { browseReservedAccounts } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { call } from '../api/call.ts'
import { contractCode } from '../api/own-accounts.ts'
import { useReply } from '../api/use-reply.ts'
import { CUSTOMER, DAYS } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { customerUrl, newReference } from '../parts/list/reference.ts'
import { Rows } from '../parts/list/rows.tsx'

/** The reserved account's numbers, one per bank. */
function Numbers({ accountReference }: { readonly accountReference: string }): JSX.Element {
  const { body, problem } = useReply(routes.getReservedAccount, { params: { accountReference } })
  return (
    <Rows
      title="Account numbers"
      rows={body?.accounts}
      problem={problem}
      empty="No account numbers."
      columns={[
        { title: 'Bank', value: ({ bankName }) => bankName },
        { title: 'Account number', value: ({ accountNumber }) => accountNumber, kind: 'code' },
        { title: 'Account name', value: ({ accountName }) => accountName, isWide: true },
      ]}
    />
  )
}

export default listScreen<typeof browseReservedAccounts>({
  name: 'reserved-accounts',
  title: 'Reserved accounts',
  singular: 'Reserved account',
  list: routes.browseReservedAccounts,
  empty:
    'A reserved account gives a customer permanent account numbers. Every transfer into them is a payment by that customer.',
  columns: [
    { title: 'Reference', value: ({ accountReference }) => accountReference, kind: 'code' },
    { title: 'Name', value: ({ accountName }) => accountName },
    {
      title: 'Customer',
      value: ({ customerName }) => customerName,
      link: ({ customerEmail }) => customerUrl(customerEmail),
    },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    {
      title: 'Status',
      value: ({ deallocatedOn }) => (deallocatedOn === null ? 'ACTIVE' : 'DEALLOCATED'),
      kind: 'status',
      isWide: true,
    },
  ],
  facts: [
    {
      title: 'Customer email',
      value: ({ customerEmail }) => customerEmail,
      link: ({ customerEmail }) => customerUrl(customerEmail),
    },
    { title: 'Limit profile', value: ({ limitProfileCode }) => limitProfileCode },
    { title: 'Deallocated', value: ({ deallocatedOn }) => deallocatedOn, kind: 'moment' },
    {
      title: 'Payments',
      value: () => 'View payments',
      link: ({ accountReference }) =>
        `/dashboard/transactions?reservedAccountReference=${encodeURIComponent(accountReference)}`,
    },
  ],
  filters: [CUSTOMER, { kind: 'choice', name: 'method', title: 'Type', values: ['GENERAL', 'INVOICE'] }, ...DAYS],
  createActions: [
    {
      title: 'Reserve account',
      permission: 'collect.make',
      fields: [
        { name: 'accountName', label: 'Account name' },
        { name: 'customerName', label: 'Customer name' },
        { name: 'customerEmail', label: 'Customer email', kind: 'email' },
        { name: 'bvn', label: 'Customer BVN', kind: 'number', hint: '11 digits' },
      ],
      toast: 'Account reserved.',
      run: async (_none, { accountName = '', customerName = '', customerEmail = '', bvn = '' }) => {
        const contract = await contractCode()
        if (contract.kind !== 'done') return contract
        return call(routes.reserveAccount, {
          body: {
            accountName,
            customerName,
            customerEmail,
            bvn,
            accountReference: newReference('account'),
            contractCode: contract.body,
            currencyCode: 'NGN',
            getAllAvailableBanks: true,
          },
        })
      },
    },
  ],
  actions: [
    {
      title: 'Deallocate account',
      text: 'Its numbers stop accepting transfers. They are never assigned to anyone else.',
      permission: 'collect.make',
      isDanger: true,
      isAvailable: ({ deallocatedOn }) => deallocatedOn === null,
      fields: [],
      toast: 'Account deallocated.',
      run: ({ accountReference }) => call(routes.deallocateReservedAccount, { params: { accountReference } }),
    },
  ],
  Below: ({ item, me }) =>
    me.permissions.includes('payer.read') && item.deallocatedOn === null ? (
      <Numbers accountReference={item.accountReference} />
    ) : null,
})
