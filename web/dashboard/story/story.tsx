import type { getTransactionStory } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { naira } from '../../ui/money.ts'
import { ActButton } from '../list/act.tsx'
import { type Column, lookUp } from '../list/column.ts'
import { Facts } from '../list/detail.tsx'
import { Rows } from '../list/rows.tsx'
import { Status, wordsOf } from '../list/value.tsx'
import type { ScreenProps } from '../screen.ts'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'
import { Waiting } from '../waiting.tsx'
import { Events, Journal } from './behind.tsx'
import { GIVE_BACK } from './refund.ts'
import type { Told } from './told.ts'

const STORY: Address<typeof getTransactionStory> = {
  method: 'GET',
  path: '/dashboard/api/transactions/:transactionReference',
}
type Transaction = Told['transaction']

const FACTS: readonly Column<Transaction>[] = [
  { title: 'Asked', value: ({ amount }) => amount, kind: 'naira' },
  { title: 'Paid', value: ({ amountPaid }) => amountPaid, kind: 'naira' },
  { title: 'Fee', value: ({ fee }) => fee, kind: 'naira' },
  { title: 'Paid by', value: ({ paymentMethod }) => (paymentMethod === null ? null : wordsOf(paymentMethod)) },
  { title: 'Customer', value: ({ customerName }) => customerName },
  { title: 'E-mail address', value: ({ customerEmail }) => customerEmail },
  { title: 'For', value: ({ description }) => description },
  { title: 'Your reference', value: ({ paymentReference }) => paymentReference },
  { title: 'Our reference', value: ({ transactionReference }) => transactionReference },
  { title: 'Came by', value: ({ product }) => wordsOf(product) },
  { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment' },
  { title: 'Settles', value: ({ settlesOn }) => settlesOn, kind: 'moment' },
]

interface StoryProps extends ScreenProps {
  readonly reference: string
}

/** All that happened with a transaction: what was asked, paid, told, given back, booked and settled. */
export function Story({ reference, me }: StoryProps): JSX.Element {
  const { body, problem, again } = useReply(STORY, { params: { transactionReference: reference } })
  const [told, setTold] = useState<string>()
  if (body === undefined)
    return problem === undefined ? (
      <Waiting />
    ) : (
      <section class="apology stack">
        <h1>There is no such transaction</h1>
        <p class="quiet">{problem}</p>
        <p>
          <a class="link" href="/dashboard/transactions">
            Transactions
          </a>
        </p>
      </section>
    )
  const { transaction } = body
  const mayRefund = me.permissions.includes(GIVE_BACK.permission) && GIVE_BACK.isFor?.(body)
  const done = (): void => {
    setTold('The refund is on its way.')
    void again()
  }
  return (
    <div class="stack story">
      <p class="no-print">
        <a class="link" href="/dashboard/transactions">
          Transactions
        </a>
      </p>
      <div class="beside-each-other heading">
        <h1 class="number">
          {naira(transaction.amount)} <Status status={transaction.status} />
        </h1>
        <div class="acts no-print">
          {mayRefund && <ActButton act={GIVE_BACK} subject={body} done={done} isPlain />}
          {transaction.amountPaid > 0 && (
            <button class="button plain fit" type="button" onClick={() => print()}>
              Receipt
            </button>
          )}
        </div>
      </div>
      <div role="status">{told !== undefined && <p class="notice">{told}</p>}</div>
      <div class="two">
        <Facts columns={FACTS} item={transaction} />
        <Timeline story={body} />
      </div>
      <Money story={body} />
      <div class="stack no-print">
        <Events story={body} />
        <Journal story={body} />
      </div>
    </div>
  )
}

const Timeline = ({ story: { timeline } }: { readonly story: Told }): JSX.Element => (
  <section class="panel no-print" aria-labelledby="timeline">
    <h2 id="timeline">What happened</h2>
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

/** Payments, attempts with a card, refunds, and the settlement. */
const Money = ({ story: { payments, attempts, refunds, settlement } }: { readonly story: Told }): JSX.Element => (
  <>
    <Rows
      title="Payments"
      rows={payments}
      empty="Nothing has been paid."
      columns={[
        { title: 'When', value: ({ at }) => at, kind: 'moment' },
        { title: 'By', value: ({ method }) => wordsOf(method), isWide: true },
        { title: 'From', value: ({ payerName, card }) => payerName ?? card },
        {
          title: 'Account',
          value: ({ payerAccountNumber, payerBankName }) =>
            payerAccountNumber === null ? null : `${payerAccountNumber}, ${payerBankName ?? ''}`,
          isWide: true,
        },
        { title: 'Session id', value: ({ sessionId }) => sessionId, isWide: true },
        { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
      ]}
    />
    {attempts.length > 0 && (
      <Rows
        title="Attempts with a card"
        rows={attempts}
        empty=""
        columns={[
          { title: 'When', value: ({ at }) => at, kind: 'moment' },
          { title: 'Card', value: ({ card }) => card },
          { title: 'Status', value: ({ status }) => status, kind: 'status' },
          { title: 'Why', value: ({ reason }) => reason, isWide: true },
          { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
        ]}
      />
    )}
    {refunds.length > 0 && (
      <Rows
        title="Refunds"
        rows={refunds}
        empty=""
        columns={[
          {
            title: 'Reference',
            value: ({ refundReference }) => refundReference,
            link: ({ refundReference }) => lookUp(refundReference),
          },
          { title: 'Created', value: ({ createdOn }) => createdOn, kind: 'moment', isWide: true },
          { title: 'Status', value: ({ status }) => status, kind: 'status' },
          { title: 'Reason', value: ({ reason }) => reason, isWide: true },
          { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
        ]}
      />
    )}
    {settlement !== null && (
      <p class="no-print">
        Settled {moment(settlement.settledOn)} with{' '}
        <a href={lookUp(settlement.settlementReference)}>{settlement.settlementReference}</a>.
      </p>
    )}
  </>
)
