import type {
  browseReservedAccounts,
  deallocateReservedAccount,
  getReservedAccount,
  InDashboard,
  reserveAccount,
} from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { call } from '../call.ts'
import { CUSTOMER, DAYS } from '../list/column.ts'
import { newReference } from '../list/reference.ts'
import { Rows } from '../list/rows.tsx'
import { listScreen } from '../list/screen.tsx'
import { contractCode } from '../own-accounts.ts'
import { useReply } from '../use-reply.ts'

const RESERVE: Address<InDashboard<typeof reserveAccount>> = {
  method: 'POST',
  path: '/dashboard/api/v2/bank-transfer/reserved-accounts',
}
const DEALLOCATE: Address<InDashboard<typeof deallocateReservedAccount>> = {
  method: 'DELETE',
  path: '/dashboard/api/v1/bank-transfer/reserved-accounts/reference/:accountReference',
}
const ONE: Address<InDashboard<typeof getReservedAccount>> = {
  method: 'GET',
  path: '/dashboard/api/v2/bank-transfer/reserved-accounts/:accountReference',
}

/** The account's numbers at the banks. */
function Numbers({ accountReference }: { readonly accountReference: string }): JSX.Element {
  const { body, problem } = useReply(ONE, { params: { accountReference } })
  return (
    <Rows
      title="Numbers to pay into"
      rows={body?.accounts}
      problem={problem}
      empty="None."
      columns={[
        { title: 'Bank', value: ({ bankName }) => bankName },
        { title: 'Number', value: ({ accountNumber }) => accountNumber },
        { title: 'Name', value: ({ accountName }) => accountName, isWide: true },
      ]}
    />
  )
}

export default listScreen<typeof browseReservedAccounts>({
  name: 'reserved-accounts',
  title: 'Reserved accounts',
  one: 'Reserved account',
  list: { method: 'GET', path: '/dashboard/api/lists/reserved-accounts' },
  empty: 'A customer keeps the numbers of a reserved account; whatever is paid into them is a payment of theirs.',
  columns: [
    { title: 'Reference', value: ({ accountReference }) => accountReference, kind: 'code' },
    { title: 'Name', value: ({ accountName }) => accountName },
    { title: 'Customer', value: ({ customerName }) => customerName, isWide: true },
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
    {
      title: 'Status',
      value: ({ deallocatedOn }) => (deallocatedOn === null ? 'ACTIVE' : 'DEALLOCATED'),
      kind: 'status',
      isWide: true,
    },
  ],
  facts: [
    { title: 'Customer’s address', value: ({ customerEmail }) => customerEmail },
    { title: 'Limit profile', value: ({ limitProfileCode }) => limitProfileCode },
    { title: 'Deallocated', value: ({ deallocatedOn }) => deallocatedOn, kind: 'moment' },
    {
      title: 'Its payments',
      value: () => 'Show them',
      link: ({ accountReference }) =>
        `/dashboard/transactions?reservedAccountReference=${encodeURIComponent(accountReference)}`,
    },
  ],
  filters: [CUSTOMER, { kind: 'choice', name: 'method', title: 'Type', words: ['GENERAL', 'INVOICE'] }, ...DAYS],
  makes: [
    {
      title: 'Reserve an account',
      permission: 'collect.make',
      asks: [
        { name: 'accountName', label: 'Name of the account' },
        { name: 'customerName', label: 'Customer’s name' },
        { name: 'customerEmail', label: 'Customer’s e-mail address', kind: 'email' },
        { name: 'bvn', label: 'Customer’s BVN', kind: 'number', hint: '11 digits' },
      ],
      act: async (_none, { accountName = '', customerName = '', customerEmail = '', bvn = '' }) => {
        const contract = await contractCode()
        if (contract.kind !== 'done') return contract
        return call(RESERVE, {
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
  acts: [
    {
      title: 'Deallocate',
      text: 'Its numbers refuse money from then on, and are given to nobody else.',
      permission: 'collect.make',
      isDanger: true,
      isFor: ({ deallocatedOn }) => deallocatedOn === null,
      asks: [],
      act: ({ accountReference }) => call(DEALLOCATE, { params: { accountReference } }),
    },
  ],
  Below: ({ item, me }) =>
    me.permissions.includes('payer.read') && item.deallocatedOn === null ? (
      <Numbers accountReference={item.accountReference} />
    ) : null,
})
