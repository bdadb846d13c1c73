import type { browseCustomers, getCustomer, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { watchList } from '../api/list-updates.ts'
import { useReply } from '../api/use-reply.ts'
import type { Column } from '../parts/list/column.ts'
import { Facts } from '../parts/list/detail.tsx'
import { listScreen } from '../parts/list/list-screen.tsx'
import { customerUrl } from '../parts/list/reference.ts'
import { Rows } from '../parts/list/rows.tsx'
import { humanize } from '../parts/list/value.tsx'
import { LoadingOrError } from '../parts/placeholders.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import { statusOf } from './transactions/timeline-data.ts'

const List = listScreen<typeof browseCustomers>({
  name: 'customers',
  title: 'Customers',
  singular: 'Customer',
  list: routes.browseCustomers,
  empty: 'They appear here with their first payment, reserved account or mandate.',
  columns: [
    { title: 'Email address', value: ({ customerEmail }) => customerEmail },
    { title: 'Name', value: ({ customerName }) => customerName },
    { title: 'Last activity', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Last activity type', value: ({ lastRecord }) => humanize(lastRecord), isWide: true },
  ],
  filters: [{ kind: 'text', name: 'customer', title: 'Name, email, phone or account number', isLong: true }],
  address: ({ customerEmail }) => customerUrl(customerEmail) ?? '',
})

type Customer = Reply<typeof getCustomer>

const FACTS: readonly Column<Customer>[] = [
  { title: 'Name', value: ({ customerName }) => customerName },
  { title: 'Email address', value: ({ customerEmail }) => customerEmail },
  { title: 'Phone', value: ({ phoneNumber }) => phoneNumber },
  {
    title: 'Customer since',
    value: ({ firstActivityOn, isPartial }) => (isPartial ? null : firstActivityOn),
    kind: 'moment',
  },
]

/** The page of a customer: totals, and the newest records of every kind. */
function CustomerPage({ email }: { readonly email: string }): JSX.Element {
  const { body, problem, again } = useReply(routes.getCustomer, { params: { customerEmail: email } })
  useEffect(() => watchList(routes.browseTransactions.path, again), [again])
  if (body === undefined)
    return (
      <LoadingOrError
        problem={problem}
        singular="Customer"
        list={{ title: 'Customers', href: '/dashboard/customers' }}
      />
    )
  return (
    <div class="stack">
      <p>
        <a class="link back" href="/dashboard/customers">
          Customers
        </a>
      </p>
      <h1>{body.customerName ?? body.customerEmail}</h1>
      <dl class="figures">
        <div class="figure">
          <dt>Total paid</dt>
          <dd>{naira(body.amountPaid)}</dd>
          <dd class="beside">
            {body.payments.toLocaleString('en')} {body.payments === 1 ? 'payment' : 'payments'}
            {body.isPartial && '. Older payments are not counted.'}
          </dd>
        </div>
        <div class="figure">
          <dt>Total refunded</dt>
          <dd>{naira(body.amountRefunded)}</dd>
        </div>
      </dl>
      <Facts columns={FACTS} item={body} />
      <Money customer={body} />
      <Agreements customer={body} />
    </div>
  )
}

const transactionUrl = ({ transactionReference }: { readonly transactionReference: string }): string =>
  `/dashboard/transactions/${encodeURIComponent(transactionReference)}`

const pageOf =
  (screen: string) =>
  ({ id }: { readonly id: string }) =>
    `/dashboard/${screen}/${id}`

/** Payments, refunds and disputes. The last two are shown only if there are any. */
const Money = ({
  customer: { customerEmail, transactions, refunds, disputes },
}: {
  readonly customer: Customer
}): JSX.Element => (
  <>
    <Rows
      title="Transactions"
      rows={transactions}
      empty="No transactions yet."
      actions={
        <a class="link" href={`/dashboard/transactions?customer=${encodeURIComponent(customerEmail)}`}>
          All transactions
        </a>
      }
      columns={[
        { title: 'Reference', value: ({ paymentReference }) => paymentReference, link: transactionUrl },
        { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
        { title: 'Status', value: statusOf, kind: 'status' },
        {
          title: 'Payment method',
          value: ({ paymentMethod }) => (paymentMethod === null ? null : humanize(paymentMethod)),
          isWide: true,
        },
        { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
      ]}
    />
    <Rows
      title="Refunds"
      rows={refunds}
      columns={[
        { title: 'Reference', value: ({ refundReference }) => refundReference, link: pageOf('refunds') },
        { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
        { title: 'Status', value: ({ status }) => status, kind: 'status' },
        { title: 'Reason', value: ({ reason }) => reason, isWide: true },
        { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
      ]}
    />
    <Rows
      title="Disputes"
      rows={disputes}
      columns={[
        { title: 'Reference', value: ({ disputeReference }) => disputeReference, link: pageOf('disputes') },
        { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
        { title: 'Status', value: ({ status }) => status, kind: 'status' },
        { title: 'Reason', value: ({ reason }) => reason, isWide: true },
        { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
      ]}
    />
  </>
)

/** Invoices, reserved accounts, mandates and saved cards; only those that the customer has. */
const Agreements = ({
  customer: { invoices, reservedAccounts, mandates, savedCards },
}: {
  readonly customer: Customer
}): JSX.Element => (
  <>
    <Rows
      title="Invoices"
      rows={invoices}
      columns={[
        { title: 'Reference', value: ({ invoiceReference }) => invoiceReference, link: pageOf('invoices') },
        { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
        { title: 'Status', value: ({ status }) => status, kind: 'status' },
        { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
      ]}
    />
    <Rows
      title="Reserved accounts"
      rows={reservedAccounts}
      columns={[
        { title: 'Reference', value: ({ accountReference }) => accountReference, link: pageOf('reserved-accounts') },
        { title: 'Name', value: ({ accountName }) => accountName },
        { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
        {
          title: 'Status',
          value: ({ deallocatedOn }) => (deallocatedOn === null ? 'ACTIVE' : 'DEALLOCATED'),
          kind: 'status',
        },
      ]}
    />
    <Rows
      title="Mandates"
      rows={mandates}
      columns={[
        { title: 'Reference', value: ({ mandateReference }) => mandateReference, link: pageOf('mandates') },
        { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
        { title: 'Status', value: ({ status }) => status, kind: 'status' },
        { title: 'Debited', value: ({ debited }) => debited, kind: 'naira' },
      ]}
    />
    <Rows
      title="Saved cards"
      rows={savedCards}
      columns={[
        {
          title: 'Card',
          value: ({ cardType, last4 }) => (last4 === null ? 'Card' : `${cardType ?? 'Card'} ending in ${last4}`),
        },
        { title: 'Expires', value: ({ expiryMonth, expiryYear }) => `${expiryMonth}/${expiryYear}` },
        { title: 'Saved', value: ({ savedOn }) => savedOn, kind: 'moment' },
      ]}
    />
  </>
)

/** The list, or the page of one customer: /dashboard/customers/EMAIL. */
export default function Customers(props: ScreenProps): JSX.Element {
  return props.id === undefined ? <List {...props} /> : <CustomerPage key={props.id} email={props.id} />
}
