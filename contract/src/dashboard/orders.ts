import Type from 'typebox'
import { Naira, nullable, Reference, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { personal } from '../personal-data.ts'
import { orderRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'

/** The outcome of an order that an operator learned from the partner. */
export const ORDER_VERDICTS = ['succeeded', 'failed', 'not-found'] as const
export type OrderVerdict = (typeof ORDER_VERDICTS)[number]

export const REASON_LENGTH_MAX = 1_000
export const DETAILS_MAX = 8
export const DETAIL_NAME_PATTERN = '^[A-Za-z]{1,40}$'

const Time = Type.String({ examples: ['2026-03-01T09:30:00.000Z'] })
const ByReference = Type.Object({ reference: Reference })
const READS = { access: 'person', permission: NO_PERMISSION.operator, person: 'operator.read' } as const
const DECIDES = {
  access: 'person',
  permission: NO_PERMISSION.operator,
  person: 'operator.manage',
  fresh: true,
} as const

const Detail = Type.Object({
  name: Type.String({ pattern: DETAIL_NAME_PATTERN, 'x-rule': 'a name of letters', examples: ['sessionId'] }),
  value: Type.String({ minLength: 1, maxLength: REASON_LENGTH_MAX }),
})

const Decision = Type.Object({
  id: Type.String(),
  reference: Type.String({ description: 'the partner’s reference of the order at that time' }),
  verdict: words(ORDER_VERDICTS),
  told: Type.Array(Type.Object({ name: Type.String(), value: personal(Type.String()) })),
  state: words(
    ['PROPOSED', 'CONFIRMED', 'CARRIED_OUT', 'MOOT'],
    'MOOT if another decision or the partner’s own response replaced it',
  ),
  proposedBy: Type.String(),
  proposedBecause: Type.String(),
  proposedAt: Time,
  confirmedBy: nullable(Type.String()),
  confirmedBecause: nullable(Type.String()),
  confirmedAt: nullable(Time),
  endedAt: nullable(Time),
})

const Listed = {
  reference: Type.String(),
  purpose: Type.String({ examples: ['transfer'] }),
  state: words(['HELD', 'WAITING', 'SENT', 'WATCHED', 'UNRESOLVED', 'CONCLUDED']),
  merchantCode: nullable(Type.String({ description: 'null if its money belongs to no merchant' })),
  merchantName: nullable(Type.String()),
  partner: nullable(Type.String()),
  amount: Naira,
  tries: Type.Integer(),
  createdAt: Time,
  hasArrived: Type.Boolean({ description: 'whether the partner once reported it as delivered' }),
}

const Order = Type.Object({
  ...Listed,
  concludedAt: nullable(Time),
  decisions: Type.Array(Decision, { description: 'newest first' }),
  verdicts: Type.Array(
    Type.Object({
      verdict: words(ORDER_VERDICTS),
      follows: Type.String({ description: 'consequences, for the person who decides' }),
      needs: Type.Array(Type.String(), { description: 'details that the partner must have reported' }),
    }),
    { description: 'possible outcomes; empty if the order does not need manual review' },
  ),
  mayConfirm: Type.Boolean({ description: 'whether a proposal of someone else waits for confirmation' }),
})

export const listUnresolvedOrders = route({
  ...READS,
  method: 'GET',
  path: '/dashboard/api/operator/orders',
  summary: 'List orders that need manual review, oldest first, with the proposals',
  reply: Type.Object({
    orders: Type.Array(Type.Object({ ...Listed, proposal: nullable(Decision) })),
  }),
})

export const getOperatorOrder = route({
  ...READS,
  method: 'GET',
  path: '/dashboard/api/operator/orders/:reference',
  summary: 'Get an order with its decisions and the consequences of each outcome',
  params: ByReference,
  reply: Order,
  refusals: [orderRefusals.unknownOrder],
})

export const queryOrder = route({
  ...DECIDES,
  method: 'POST',
  path: '/dashboard/api/operator/orders/:reference/ask',
  summary: 'Query the partner again about an order that needs manual review',
  params: ByReference,
  reply: Order,
  refusals: [orderRefusals.unknownOrder, orderRefusals.noReviewNeeded],
})

export const decideOrder = route({
  ...DECIDES,
  method: 'POST',
  path: '/dashboard/api/operator/orders/:reference/decisions',
  summary: 'Decide the outcome of an order that needs manual review',
  description:
    'Takes effect when a second person agrees: the first call proposes, the same call by someone else confirms. A different outcome starts a new proposal. A confirmed outcome is applied within seconds, as if the partner had reported it.',
  params: ByReference,
  body: Type.Object({
    verdict: words(ORDER_VERDICTS),
    because: Type.String({ pattern: '\\S', maxLength: REASON_LENGTH_MAX, 'x-rule': 'a reason' }),
    told: Type.Optional(Type.Array(Detail, { maxItems: DETAILS_MAX })),
  }),
  reply: Order,
  refusals: Object.values(orderRefusals),
})

export const operatorOrders = group({
  title: 'Orders for manual review',
  text: 'Two people decide the outcome of an order that its partner never resolves.',
  routes: { listUnresolvedOrders, getOperatorOrder, queryOrder, decideOrder },
  refusals: orderRefusals,
})
