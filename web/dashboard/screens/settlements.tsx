import type { browseSettlements, findSettledTransactions, InDashboard } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { AMOUNTS, DAYS, status } from '../list/column.ts'
import { Rows } from '../list/rows.tsx'
import { listScreen } from '../list/screen.tsx'
import { wordsOf } from '../list/value.tsx'
import { useReply } from '../use-reply.ts'

const SETTLED: Address<InDashboard<typeof findSettledTransactions>> = {
  method: 'GET',
  path: '/dashboard/api/v1/transactions/find-by-settlement-reference',
}
const SHOWN_MAX = 100

/** From which payments a settlement comes. */
function Settled({ reference }: { readonly reference: string }): JSX.Element {
  const { body, problem } = useReply(SETTLED, { query: { reference, size: SHOWN_MAX } })
  return (
    <Rows
      title="Transactions"
      rows={body?.content}
      problem={problem}
      empty="None."
      columns={[
        {
          title: 'Reference',
          value: ({ paymentReference }) => paymentReference,
          link: (one) => `/dashboard/transactions/${encodeURIComponent(one.transactionReference)}`,
        },
        {
          title: 'Paid by',
          value: ({ paymentMethod }) => (paymentMethod === null ? null : wordsOf(paymentMethod)),
          isWide: true,
        },
        { title: 'Status', value: ({ paymentStatus }) => paymentStatus, kind: 'status' },
        { title: 'Paid', value: ({ amountPaid }) => Number(amountPaid), kind: 'naira' },
      ]}
      more={
        body?.last === false ? `The newest ${SHOWN_MAX} are shown. The export of the transactions has all.` : undefined
      }
    />
  )
}

export default listScreen<typeof browseSettlements>({
  name: 'settlements',
  title: 'Settlements',
  one: 'Settlement',
  list: { method: 'GET', path: '/dashboard/api/lists/settlements' },
  empty: 'What is collected by transfer is settled in the evening, cards on the next working day.',
  columns: [
    { title: 'Settled', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Status', value: (settlement) => settlement.status, kind: 'status' },
    { title: 'Collected', value: ({ gross }) => gross, kind: 'naira', isWide: true },
    { title: 'Fee', value: ({ fee }) => fee, kind: 'naira', isWide: true },
    { title: 'Net', value: ({ net }) => net, kind: 'naira' },
    { title: 'To', value: ({ destination }) => (destination === 'BANK' ? 'Bank account' : 'Wallet'), isWide: true },
    { title: 'Bank’s reference', value: ({ bankReference }) => bankReference, isWide: true },
  ],
  facts: [
    { title: 'Reference', value: ({ settlementReference }) => settlementReference },
    { title: 'Transactions', value: ({ transactions }) => transactions },
    { title: 'Account', value: ({ destinationAccountNumber }) => destinationAccountNumber },
    { title: 'Account name', value: ({ destinationAccountName }) => destinationAccountName },
    { title: 'Bank', value: ({ destinationBankName }) => destinationBankName },
    { title: 'Completed', value: ({ completedOn }) => completedOn, kind: 'moment' },
  ],
  filters: [status(['PENDING', 'COMPLETED']), ...AMOUNTS, ...DAYS],
  Below: ({ item, me }) =>
    me.permissions.includes('payer.read') ? <Settled reference={item.settlementReference} /> : null,
})
