import type { browseSettlements } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { useReply } from '../api/use-reply.ts'
import { AMOUNTS, DAYS, status } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { Rows } from '../parts/list/rows.tsx'
import { humanize } from '../parts/list/value.tsx'

const SHOWN_MAX = 100

function SettledTransactions({ reference }: { readonly reference: string }): JSX.Element {
  const { body, problem } = useReply(routes.findSettledTransactions, { query: { reference, size: SHOWN_MAX } })
  return (
    <Rows
      title="Transactions"
      rows={body?.content}
      problem={problem}
      empty="No transactions."
      columns={[
        {
          title: 'Reference',
          value: ({ paymentReference }) => paymentReference,
          link: ({ transactionReference }) => `/dashboard/transactions/${encodeURIComponent(transactionReference)}`,
        },
        {
          title: 'Payment method',
          value: ({ paymentMethod }) => (paymentMethod === null ? null : humanize(paymentMethod)),
          isWide: true,
        },
        { title: 'Status', value: ({ paymentStatus }) => paymentStatus, kind: 'status' },
        { title: 'Amount paid', value: ({ amountPaid }) => Number(amountPaid), kind: 'naira' },
      ]}
      more={body?.last === false ? `Showing the latest ${SHOWN_MAX}. Export the transactions to see all.` : undefined}
    />
  )
}

export default listScreen<typeof browseSettlements>({
  name: 'settlements',
  title: 'Settlements',
  singular: 'Settlement',
  list: routes.browseSettlements,
  empty: 'By default, bank transfers settle the same evening and card payments on the next working day.',
  columns: [
    { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Status', value: (settlement) => settlement.status, kind: 'status' },
    { title: 'Gross', value: ({ gross }) => gross, kind: 'naira', isWide: true },
    { title: 'Fee', value: ({ fee }) => fee, kind: 'naira', isWide: true },
    { title: 'Net', value: ({ net }) => net, kind: 'naira' },
    {
      title: 'Destination',
      value: ({ destination }) => (destination === 'BANK' ? 'Bank account' : 'Wallet'),
      isWide: true,
    },
    { title: 'Bank reference', value: ({ bankReference }) => bankReference, isWide: true },
  ],
  facts: [
    { title: 'Reference', value: ({ settlementReference }) => settlementReference },
    { title: 'Transactions', value: ({ transactions }) => transactions },
    { title: 'Deducted to repay debt', value: ({ debtRepaid }) => debtRepaid, kind: 'naira' },
    { title: 'Held in reserve', value: ({ reserved }) => reserved, kind: 'naira' },
    { title: 'Account number', value: ({ destinationAccountNumber }) => destinationAccountNumber },
    { title: 'Account name', value: ({ destinationAccountName }) => destinationAccountName },
    { title: 'Bank', value: ({ destinationBankName }) => destinationBankName },
    { title: 'Completed', value: ({ completedOn }) => completedOn, kind: 'moment' },
  ],
  filters: [status(['PENDING', 'COMPLETED']), ...AMOUNTS, ...DAYS],
  Below: ({ item, me }) =>
    me.permissions.includes('payer.read') ? <SettledTransactions reference={item.settlementReference} /> : null,
})
