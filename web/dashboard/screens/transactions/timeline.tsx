import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import * as routes from '../../../routes.ts'
import { minus, naira } from '../../../ui/money.ts'
import { watchList } from '../../api/list-updates.ts'
import { useReply } from '../../api/use-reply.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { moment } from '../../parts/format.ts'
import { ActionButton } from '../../parts/list/action-button.tsx'
import type { Column } from '../../parts/list/column.ts'
import { Facts } from '../../parts/list/detail.tsx'
import { customerUrl, searchUrl } from '../../parts/list/reference.ts'
import { Rows } from '../../parts/list/rows.tsx'
import { humanize, Status } from '../../parts/list/value.tsx'
import { Panel } from '../../parts/panel.tsx'
import { LoadingOrError } from '../../parts/placeholders.tsx'
import { Toast } from '../../parts/toast.tsx'
import type { ScreenProps } from '../../shell/screen.ts'
import { Events, LedgerEntries } from './events-and-ledger.tsx'
import { Notes } from './notes.tsx'
import { REFUND_ACTION } from './refund.ts'
import { statusOf, type TimelineData } from './timeline-data.ts'

type Transaction = TimelineData['transaction'] & Pick<TimelineData, 'totalPayable'>

/** How much a payment differs from what the customer had to pay, which may include the fee. */
const DIFFERENCES: readonly Column<Transaction>[] = [
  {
    title: 'Amount left',
    value: ({ status, totalPayable, amountPaid }) =>
      status === 'PARTIALLY_PAID' ? minus(totalPayable, amountPaid) : null,
    kind: 'naira',
  },
  {
    title: 'Overpaid by',
    value: ({ status, totalPayable, amountPaid }) => (status === 'OVERPAID' ? minus(amountPaid, totalPayable) : null),
    kind: 'naira',
  },
]

const FACTS: readonly Column<Transaction>[] = [
  { title: 'Amount due', value: ({ amount }) => amount, kind: 'naira' },
  { title: 'Amount paid', value: ({ amountPaid }) => amountPaid, kind: 'naira' },
  ...DIFFERENCES,
  { title: 'Amount refunded', value: ({ amountRefunded }) => amountRefunded || null, kind: 'naira' },
  { title: 'Fee', value: ({ fee }) => fee, kind: 'naira' },
  { title: 'Payment method', value: ({ paymentMethod }) => (paymentMethod === null ? null : humanize(paymentMethod)) },
  {
    title: 'Customer',
    value: ({ customerName }) => customerName,
    link: ({ customerEmail }) => customerUrl(customerEmail),
  },
  {
    title: 'Customer email',
    value: ({ customerEmail }) => customerEmail,
    link: ({ customerEmail }) => customerUrl(customerEmail),
  },
  { title: 'Description', value: ({ description }) => description },
  { title: 'Payment reference', value: ({ paymentReference }) => paymentReference },
  { title: 'Transaction reference', value: ({ transactionReference }) => transactionReference },
  { title: 'Source', value: ({ product }) => humanize(product) },
  { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
  { title: 'Settlement date', value: ({ settlesOn }) => settlesOn, kind: 'moment' },
]

/** The facts of a transaction; a difference is shown only if there is one. */
const factsOf = (transaction: Transaction): readonly Column<Transaction>[] =>
  FACTS.filter((column) => !DIFFERENCES.includes(column) || column.value(transaction) !== null)

interface TransactionTimelineProps extends ScreenProps {
  readonly reference: string
}

/** The page of a transaction: its facts, timeline, payments, refunds, webhook events and ledger entries. */
export function TransactionTimeline({ reference, me }: TransactionTimelineProps): JSX.Element {
  const { body, problem, again } = useReply(routes.getTransactionTimeline, {
    params: { transactionReference: reference },
  })
  const [toast, setToast] = useState<string>()
  const isRefunding = body?.refunds.some(({ status }) => status === 'PENDING') === true
  useEffect(
    () => watchList(isRefunding ? routes.browseRefunds.path : routes.browseTransactions.path, again),
    [isRefunding, again],
  )
  if (body === undefined)
    return (
      <LoadingOrError
        problem={problem}
        singular="Transaction"
        list={{ title: 'Transactions', href: '/dashboard/transactions' }}
      />
    )
  const transaction = { ...body.transaction, totalPayable: body.totalPayable }
  const mayRefund = me.permissions.includes(REFUND_ACTION.permission) && REFUND_ACTION.isAvailable?.(body)
  const done = (text: string): void => {
    setToast(text)
    void again()
  }
  return (
    <div class="stack transaction">
      <p class="no-print">
        <a class="link back" href="/dashboard/transactions">
          Transactions
        </a>
      </p>
      <div class="split-row heading">
        <h1 class="number">
          {naira(transaction.amount)} <Status status={statusOf(transaction)} />
        </h1>
        <div class="actions no-print">
          {mayRefund && <ActionButton action={REFUND_ACTION} subject={body} done={done} isPlain />}
          {body.receiptUrl !== null && me.permissions.includes('payer.read') && (
            <a class="button plain fit" href={body.receiptUrl} target="_blank" rel="noopener">
              Receipt
            </a>
          )}
        </div>
      </div>
      <Toast text={toast} />
      {body.checkoutUrl !== null && me.permissions.includes('payer.read') && <CheckoutLink url={body.checkoutUrl} />}
      <div class="two">
        <Facts columns={factsOf(transaction)} item={transaction} />
        <Timeline data={body} />
      </div>
      <Payments data={body} />
      <Splits data={body} />
      <Disputes data={body} />
      <MetaData data={body} />
      <div class="stack no-print">
        <Notes data={body} mayAdd={me.permissions.includes('collect.make')} done={done} />
        <Events data={body} />
        <LedgerEntries data={body} />
      </div>
    </div>
  )
}

/** The payment page, to send to the customer again. */
const CheckoutLink = ({ url }: { readonly url: string }): JSX.Element => (
  <Panel title="Payment page">
    <p class="key">{url}</p>
    <p class="actions">
      <CopyButton text={url} what="to the payment page" title="Copy link" />
      <a class="link" href={url} target="_blank" rel="noopener">
        Open payment page
      </a>
    </p>
  </Panel>
)

const Timeline = ({ data: { timeline } }: { readonly data: TimelineData }): JSX.Element => (
  <section class="panel no-print" aria-labelledby="timeline">
    <h2 id="timeline">Timeline</h2>
    <ol class="timeline">
      {timeline.map(({ at, what, text }, index) => (
        <li key={index} class={what === 'PAID' || what === 'SETTLED' ? 'good' : undefined}>
          <span>{text}</span>
          <time class="quiet small" dateTime={at}>
            {moment(at)}
          </time>
        </li>
      ))}
    </ol>
  </section>
)

/** Payments, card attempts, refunds and the settlement. */
const Payments = ({
  data: { payments, attempts, refunds, settlement },
}: {
  readonly data: TimelineData
}): JSX.Element => (
  <>
    <Rows
      title="Payments"
      rows={payments}
      empty="No payments yet."
      columns={[
        { title: 'Date', value: ({ at }) => at, kind: 'moment' },
        { title: 'Payment method', value: ({ method }) => humanize(method), isWide: true },
        { title: 'Payer', value: ({ payerName, card }) => payerName ?? card },
        {
          title: 'Payer’s account',
          value: ({ payerAccountNumber, payerBankName }) =>
            payerAccountNumber === null ? null : `${payerAccountNumber}, ${payerBankName ?? ''}`,
          isWide: true,
        },
        { title: 'Session ID', value: ({ sessionId }) => sessionId, kind: 'code', isWide: true },
        { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
      ]}
    />
    <Rows
      title="Card attempts"
      rows={attempts}
      columns={[
        { title: 'Date', value: ({ at }) => at, kind: 'moment' },
        { title: 'Card', value: ({ card }) => card },
        { title: 'Status', value: ({ status }) => status, kind: 'status' },
        { title: 'Decline reason', value: ({ reason }) => reason, isWide: true },
        { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
      ]}
    />
    <Rows
      title="Refunds"
      rows={refunds}
      columns={[
        {
          title: 'Reference',
          value: ({ refundReference }) => refundReference,
          link: ({ refundReference }) => searchUrl(refundReference),
        },
        { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
        { title: 'Status', value: ({ status }) => status, kind: 'status' },
        { title: 'Reason', value: ({ reason }) => reason, isWide: true },
        { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
      ]}
    />
    {settlement !== null && (
      <p class="no-print">
        Settled on {moment(settlement.settledOn)} in{' '}
        <a href={searchUrl(settlement.settlementReference)}>{settlement.settlementReference}</a>.
      </p>
    )}
  </>
)

/** The parts of sub accounts, if the payment is split. */
const Splits = ({ data: { splits } }: { readonly data: TimelineData }): JSX.Element => (
  <Rows
    title="Splits"
    rows={splits}
    columns={[
      {
        title: 'Sub account',
        value: ({ subAccountCode }) => subAccountCode,
        link: ({ subAccountCode }) => searchUrl(subAccountCode),
      },
      { title: 'Share', value: ({ share }) => share, kind: 'naira' },
      { title: 'Fee', value: ({ fee }) => fee, kind: 'naira' },
      { title: 'Income', value: ({ income }) => income, kind: 'naira' },
    ]}
  />
)

/** The data that the merchant's server attached to the payment, if any. */
const MetaData = ({ data: { metaData } }: { readonly data: TimelineData }): JSX.Element => (
  <Rows
    title="Metadata"
    rows={metaData}
    columns={[
      { title: 'Name', value: ({ name }) => name },
      { title: 'Value', value: ({ value }) => value },
    ]}
  />
)

const Disputes = ({ data: { disputes } }: { readonly data: TimelineData }): JSX.Element => (
  <Rows
    title="Disputes"
    rows={disputes}
    columns={[
      {
        title: 'Reference',
        value: ({ disputeReference }) => disputeReference,
        link: ({ id }) => `/dashboard/disputes/${id}`,
      },
      { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
      { title: 'Status', value: ({ status }) => status, kind: 'status' },
      { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
    ]}
  />
)
