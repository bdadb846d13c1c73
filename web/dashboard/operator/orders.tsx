import type { askAboutOrder, decideOrder, getOperatorOrder, listUnresolvedOrders, Reply } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { naira } from '../../ui/money.ts'
import { call } from '../call.ts'
import { ActButton } from '../list/act.tsx'
import type { Column } from '../list/column.ts'
import { Facts } from '../list/detail.tsx'
import { Rows } from '../list/rows.tsx'
import type { Act } from '../list/spec.ts'
import { Status, wordsOf } from '../list/value.tsx'
import type { ScreenProps } from '../screen.ts'
import { moment } from '../texts.ts'
import { useReply } from '../use-reply.ts'
import { Pending } from '../waiting.tsx'
import { nameOf } from './words.ts'

const ALL: Address<typeof listUnresolvedOrders> = { method: 'GET', path: '/dashboard/api/operator/orders' }
const ONE: Address<typeof getOperatorOrder> = { method: 'GET', path: '/dashboard/api/operator/orders/:reference' }
const ASK: Address<typeof askAboutOrder> = { method: 'POST', path: '/dashboard/api/operator/orders/:reference/ask' }
const DECIDE: Address<typeof decideOrder> = {
  method: 'POST',
  path: '/dashboard/api/operator/orders/:reference/decisions',
}
type Order = Reply<typeof getOperatorOrder>
type Verdict = Order['verdicts'][number]

/** Orders whose outcome nobody could say, and one of them with what people decide about it. */
export default function Orders({ id, ...props }: ScreenProps): JSX.Element {
  return id === undefined ? <List /> : <One {...props} reference={id} />
}

function List(): JSX.Element {
  const { body, problem, again } = useReply(ALL, {})
  return (
    <div class="stack">
      <div class="beside-each-other heading">
        <h1>Unknown outcomes</h1>
        <button class="button plain fit" type="button" onClick={() => void again()}>
          Look again
        </button>
      </div>
      <p class="quiet">
        Their partners could not say for days what became of them, so their money stays where it is. Find out at the
        partner, by the reference; what two people say then counts.
      </p>
      <Rows
        title="They wait for a person"
        rows={body?.orders}
        problem={problem}
        empty="None does."
        columns={[
          {
            title: 'Reference',
            value: ({ reference }) => reference,
            link: ({ reference }) => `/dashboard/orders/${encodeURIComponent(reference)}`,
          },
          { title: 'For', value: ({ purpose }) => nameOf(purpose), isWide: true },
          { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
          {
            title: 'Proposed',
            value: ({ proposal }) =>
              proposal === null ? null : `${wordsOf(proposal.verdict)}, by ${proposal.proposedBy}`,
          },
          { title: 'Partner', value: ({ partner }) => partner, isWide: true },
          { title: 'Sent', value: ({ createdAt }) => createdAt, kind: 'moment', isWide: true },
        ]}
      />
    </div>
  )
}

const FACTS: readonly Column<Order>[] = [
  { title: 'For', value: ({ purpose }) => nameOf(purpose) },
  { title: 'Amount', value: ({ amount }) => amount, kind: 'naira' },
  {
    title: 'Merchant',
    value: ({ merchantCode }) => merchantCode ?? 'nobody’s',
    link: ({ merchantCode }) => `/dashboard/merchants/${encodeURIComponent(merchantCode ?? '')}`,
  },
  { title: 'Partner', value: ({ partner }) => partner },
  { title: 'Sent', value: ({ createdAt }) => createdAt, kind: 'moment' },
  { title: 'Times sent', value: ({ tries }) => tries },
  { title: 'Had arrived once', value: ({ hasArrived }) => (hasArrived ? 'Yes' : 'No') },
  { title: 'Concluded', value: ({ concludedAt }) => concludedAt, kind: 'moment' },
]

const ASK_ACT: Act<Order> = {
  title: 'Ask the partner again',
  text: 'At once, and then by the schedule, as if it had just been sent.',
  permission: 'operator.manage',
  asks: [],
  told: 'The partner is asked again.',
  act: ({ reference }) => call(ASK, { params: { reference } }),
}

/** Saying what became of an order: the first who says so proposes it, another confirms it. */
const decision = ({ verdict, follows, needs }: Verdict, isProposed: boolean): Act<Order> => ({
  title: isProposed ? `Confirm: ${wordsOf(verdict).toLowerCase()}` : wordsOf(verdict),
  text: `${follows} ${isProposed ? 'You are the second: it is carried out within seconds.' : 'It counts once another operator says the same.'}`,
  permission: 'operator.manage',
  asks: [
    ...needs.map((name) => ({ name: `told.${name}`, label: nameOf(name), hint: 'As the partner told it.' })),
    { name: 'because', label: 'How you know', hint: 'It is kept.' },
  ],
  told: isProposed ? 'Confirmed. It is carried out within seconds.' : 'Proposed. Another operator has to say the same.',
  act: ({ reference }, { because = '', ...fields }) => {
    const told = needs.map((name) => ({ name, value: fields[`told.${name}`] ?? '' }))
    return call(DECIDE, { params: { reference }, body: { verdict, because, ...(told.length === 0 ? {} : { told }) } })
  },
})

interface OneProps extends Omit<ScreenProps, 'id'> {
  readonly reference: string
}

function One({ reference, me }: OneProps): JSX.Element {
  const { body: order, problem, again } = useReply(ONE, { params: { reference } })
  const [told, setTold] = useState<string>()
  if (order === undefined) return <Pending problem={problem} />
  const proposed = order.decisions.find(({ state }) => state === 'PROPOSED')?.verdict
  const acts =
    me.permissions.includes('operator.manage') && order.verdicts.length > 0
      ? [ASK_ACT, ...order.verdicts.map((one) => decision(one, order.mayConfirm && one.verdict === proposed))]
      : []
  const done = (text: string): void => {
    setTold(text)
    void again()
  }
  return (
    <div class="stack">
      <p>
        <a class="link" href="/dashboard/orders">
          Unknown outcomes
        </a>
      </p>
      <div class="beside-each-other heading">
        <h1>
          {naira(order.amount)} <Status status={order.state} />
        </h1>
        <div class="acts">
          {acts.map((act) => (
            <ActButton key={act.title} act={act} subject={order} done={done} isPlain />
          ))}
        </div>
      </div>
      <p class="key">{order.reference}</p>
      <div role="status">{told !== undefined && <p class="notice">{told}</p>}</div>
      <Facts columns={FACTS} item={order} />
      <Rows
        title="What people said"
        rows={order.decisions}
        empty="Nothing yet."
        columns={[
          { title: 'Verdict', value: ({ verdict }) => wordsOf(verdict) },
          { title: 'State', value: ({ state }) => state, kind: 'status' },
          { title: 'Proposed', value: (one) => `${one.proposedBy}, ${moment(one.proposedAt)}: ${one.proposedBecause}` },
          {
            title: 'Confirmed',
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
