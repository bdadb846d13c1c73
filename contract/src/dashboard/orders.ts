import Type from 'typebox'
import { Naira, nullable, Reference, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { orderRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'

/** What became of an order, as a person found out at its partner. */
export const ORDER_VERDICTS = ['succeeded', 'failed', 'not-found'] as const
export type OrderVerdict = (typeof ORDER_VERDICTS)[number]

/** How much the people who decide may write. */
export const REASON_LENGTH_MAX = 1_000
export const TOLD_MAX = 8
export const TOLD_NAME_PATTERN = '^[A-Za-z]{1,40}$'

const Time = Type.String({ examples: ['2026-03-01T09:30:00.000Z'] })
const ByReference = Type.Object({ reference: Reference })
const READS = { access: 'person', permission: NO_PERMISSION.ownBooks, person: 'operator.read' } as const
const DECIDES = {
  access: 'person',
  permission: NO_PERMISSION.ownBooks,
  person: 'operator.manage',
  fresh: true,
} as const

const ToldPair = Type.Object({
  name: Type.String({ pattern: TOLD_NAME_PATTERN, 'x-rule': 'a name of letters', examples: ['sessionId'] }),
  value: Type.String({ minLength: 1, maxLength: REASON_LENGTH_MAX }),
})

const Decision = Type.Object({
  id: Type.String(),
  reference: Type.String({ description: 'by which the partner knew the order then' }),
  verdict: words(ORDER_VERDICTS),
  told: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  state: words(
    ['PROPOSED', 'CONFIRMED', 'CARRIED_OUT', 'MOOT'],
    'MOOT where another answer came in its place, or the partner’s own',
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
  merchantCode: nullable(Type.String({ description: 'null where its money is nobody’s' })),
  partner: nullable(Type.String()),
  amount: Naira,
  tries: Type.Integer(),
  createdAt: Time,
  hasArrived: Type.Boolean({ description: 'whether it had arrived once, and was to be watched' }),
}

const Order = Type.Object({
  ...Listed,
  concludedAt: nullable(Time),
  decisions: Type.Array(Decision, { description: 'the newest first' }),
  verdicts: Type.Array(
    Type.Object({
      verdict: words(ORDER_VERDICTS),
      follows: Type.String({ description: 'what follows from it, for who has to decide' }),
      needs: Type.Array(Type.String(), { description: 'what the partner must have told with it' }),
    }),
    { description: 'what may be decided; empty where no person is called' },
  ),
  mayConfirm: Type.Boolean({ description: 'whether a proposal waits that is somebody else’s' }),
})

export const listUnresolvedOrders = route({
  ...READS,
  method: 'GET',
  path: '/dashboard/api/operator/orders',
  summary: 'Orders for which a person is called, oldest first, with what is proposed about them',
  reply: Type.Object({
    orders: Type.Array(Type.Object({ ...Listed, proposal: nullable(Decision) })),
  }),
})

export const getOperatorOrder = route({
  ...READS,
  method: 'GET',
  path: '/dashboard/api/operator/orders/:reference',
  summary: 'An order that is open or was decided about, with all decisions and what would follow from each verdict',
  params: ByReference,
  reply: Order,
  refusals: [orderRefusals.unknownOrder],
})

export const askAboutOrder = route({
  ...DECIDES,
  method: 'POST',
  path: '/dashboard/api/operator/orders/:reference/ask',
  summary: 'Have the partner asked again about an order for which a person was called',
  params: ByReference,
  reply: Order,
  refusals: [orderRefusals.unknownOrder, orderRefusals.nobodyCalled],
})

export const decideOrder = route({
  ...DECIDES,
  method: 'POST',
  path: '/dashboard/api/operator/orders/:reference/decisions',
  summary: 'Say what became of an order for which a person is called',
  description:
    'Counts once a second person says the same: the first call proposes, the same call by somebody else confirms. Another verdict than the one that was proposed begins anew. What is confirmed is carried out within seconds, as if the partner had said so.',
  params: ByReference,
  body: Type.Object({
    verdict: words(ORDER_VERDICTS),
    because: Type.String({ pattern: '\\S', maxLength: REASON_LENGTH_MAX, 'x-rule': 'a reason' }),
    told: Type.Optional(Type.Array(ToldPair, { maxItems: TOLD_MAX })),
  }),
  reply: Order,
  refusals: Object.values(orderRefusals),
})

export const operatorOrders = group({
  title: 'Orders that wait for a person',
  text: 'What became of an order that its partner never answers for, two people decide.',
  routes: { listUnresolvedOrders, getOperatorOrder, askAboutOrder, decideOrder },
  refusals: orderRefusals,
})
