import type { getOperatorOrder, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { call } from '../api/call.ts'
import { useReply } from '../api/use-reply.ts'
import { moment } from '../parts/format.ts'
import { ActionButton } from '../parts/list/action-button.tsx'
import type { Column } from '../parts/list/column.ts'
import { Facts } from '../parts/list/detail.tsx'
import type { Action } from '../parts/list/list-spec.ts'
import { Rows } from '../parts/list/rows.tsx'
import { humanize, Status } from '../parts/list/value.tsx'
import { nameOf } from '../parts/names.ts'
import { LoadingOrError } from '../parts/placeholders.tsx'
import type { ScreenProps } from '../shell/screen.ts'

type Order = Reply<typeof getOperatorOrder>
type Verdict = Order['verdicts'][number]

/** Orders with an unknown outcome, and the page of one order with its decisions. */
export default function Orders({ id, ...props }: ScreenProps): JSX.Element {
  return id === undefined ? <List /> : <One {...props} reference={id} />
}

function List(): JSX.Element {
  const { body, problem, again } = useReply(routes.listUnresolvedOrders, {})
  return (
    <div class="stack">
      <div class="split-row heading">
        <h1>Unknown outcomes</h1>
        <button class="button plain fit" type="button" onClick={() => void again()}>
          Refresh
        </button>
      </div>
      <p class="quiet">
        The partner has not confirmed the outcome of these orders for days, so their money stays on hold. Ask the
        partner about the reference, then record the outcome. A second operator has to confirm it.
      </p>
      <Rows
        title="Needs attention"
        rows={body?.orders}
        problem={problem}
        empty="No order has an unknown outcome."
        columns={[
          {
            title: 'Reference',
            value: ({ reference }) => reference,
            link: ({ reference }) => `/dashboard/orders/${encodeURIComponent(reference)}`,
          },
          { title: 'Purpose', value: ({ purpose }) => nameOf(purpose), isWide: true },
          { title: 'Merchant', value: ({ merchantName }) => merchantName, isWide: true },
          { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
          {
            title: 'Proposed outcome',
            value: ({ proposal }) =>
              proposal === null ? null : `${humanize(proposal.verdict)}, by ${proposal.proposedBy}`,
          },
          { title: 'Partner', value: ({ partner }) => partner, isWide: true },
          { title: 'Created', value: ({ createdAt }) => createdAt, kind: 'moment', isWide: true },
        ]}
      />
    </div>
  )
}

const FACTS: readonly Column<Order>[] = [
  { title: 'Purpose', value: ({ purpose }) => nameOf(purpose) },
  { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  {
    title: 'Merchant',
    value: ({ merchantName }) => merchantName,
    link: ({ merchantCode }) => `/dashboard/merchants/${encodeURIComponent(merchantCode ?? '')}`,
  },
  { title: 'Partner', value: ({ partner }) => partner },
  { title: 'Created', value: ({ createdAt }) => createdAt, kind: 'moment' },
  { title: 'Attempts', value: ({ tries }) => tries },
  { title: 'Arrival confirmed by partner', value: ({ hasArrived }) => (hasArrived ? 'Yes' : 'Not yet') },
  { title: 'Outcome known since', value: ({ concludedAt }) => concludedAt, kind: 'moment' },
]

const QUERY_PARTNER: Action<Order> = {
  title: 'Query the partner',
  text: 'Queries the partner now, then on the usual schedule.',
  permission: 'operator.manage',
  fields: [],
  toast: 'Query scheduled.',
  run: ({ reference }) => call(routes.queryOrder, { params: { reference } }),
}

/** Records an order's outcome: the first operator proposes it, a second one confirms it. */
const decision = ({ verdict, follows, needs }: Verdict, isProposed: boolean): Action<Order> => ({
  title: `${isProposed ? 'Confirm:' : 'Mark as'} ${humanize(verdict).toLowerCase()}`,
  text: `${follows} ${isProposed ? 'Your confirmation takes effect within seconds.' : 'Needs a second operator to confirm.'}`,
  permission: 'operator.manage',
  fields: [
    ...needs.map((name) => ({ name: `told.${name}`, label: nameOf(name), hint: 'As the partner reported it.' })),
    { name: 'because', label: 'How you know', hint: 'Recorded in the audit log.' },
  ],
  toast: isProposed ? 'Outcome confirmed.' : 'Outcome proposed. A second operator has to confirm it.',
  run: ({ reference }, { because = '', ...fields }) => {
    const reported = needs.map((name) => ({ name, value: fields[`told.${name}`] ?? '' }))
    return call(routes.decideOrder, {
      params: { reference },
      body: { verdict, because, ...(reported.length === 0 ? {} : { told: reported }) },
    })
  },
})

interface OneProps extends Omit<ScreenProps, 'id'> {
  readonly reference: string
}

function One({ reference, me }: OneProps): JSX.Element {
  const { body: order, problem, again } = useReply(routes.getOperatorOrder, { params: { reference } })
  const [toast, setToast] = useState<string>()
  if (order === undefined)
    return (
      <LoadingOrError
        problem={problem}
        singular="Order"
        list={{ title: 'Unknown outcomes', href: '/dashboard/orders' }}
      />
    )
  const proposed = order.decisions.find(({ state }) => state === 'PROPOSED')?.verdict
  const actions =
    me.permissions.includes('operator.manage') && order.verdicts.length > 0
      ? [QUERY_PARTNER, ...order.verdicts.map((one) => decision(one, order.mayConfirm && one.verdict === proposed))]
      : []
  const done = (text: string): void => {
    setToast(text)
    void again()
  }
  return (
    <div class="stack">
      <p>
        <a class="link back" href="/dashboard/orders">
          Unknown outcomes
        </a>
      </p>
      <div class="split-row heading">
        <h1>
          {naira(order.amount)} <Status status={order.state} />
        </h1>
        <div class="actions">
          {actions.map((act) => (
            <ActionButton key={act.title} action={act} subject={order} done={done} isPlain />
          ))}
        </div>
      </div>
      <p class="key">{order.reference}</p>
      <div role="status">{toast !== undefined && <p class="notice">{toast}</p>}</div>
      <Facts columns={FACTS} item={order} />
      <Rows
        title="Decisions"
        rows={order.decisions}
        empty="No decisions yet."
        columns={[
          { title: 'Outcome', value: ({ verdict }) => humanize(verdict) },
          { title: 'Status', value: ({ state }) => state, kind: 'status' },
          {
            title: 'Proposed by',
            value: (one) => `${one.proposedBy}, ${moment(one.proposedAt)}: ${one.proposedBecause}`,
          },
          {
            title: 'Confirmed by',
            value: ({ confirmedBy, confirmedAt, confirmedBecause }) =>
              confirmedBy === null || confirmedAt === null
                ? null
                : `${confirmedBy}, ${moment(confirmedAt)}: ${confirmedBecause}`,
          },
        ]}
      />
    </div>
  )
}
