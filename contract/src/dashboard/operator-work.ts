import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { EVENT_STATUSES } from '../event-log.ts'
import { Amount, AnyMap, BankCode, Naira, nullable, optional, words } from '../fields.ts'
import { operatorRefusals, workRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'
import { Instant, ListQuery, listOf } from './lists.ts'
import { OfOneMerchant, OPERATOR_ACTS, OPERATOR_READS } from './operator.ts'

const OptionalText = nullable(Type.String())
const Row = { id: Type.String(), createdOn: Instant, merchantCode: OptionalText }
const READS = { ...OPERATOR_READS, method: 'GET' } as const

export const getHealth = route({
  ...READS,
  path: '/dashboard/api/operator/health',
  summary: 'How the gateway does: what waits for a person, what is under way, nodes, and the proof of the books',
  reply: Type.Object({
    environment: words(['sandbox', 'live']),
    at: Instant,
    waiting: Type.Object(
      {
        changes: Type.Integer(),
        unresolvedOrders: Type.Integer(),
        returns: Type.Integer(),
        conflicts: Type.Integer(),
        pausedReceivers: Type.Integer(),
      },
      { description: 'how many call for a person' },
    ),
    orders: Type.Array(Type.Object({ state: Type.String(), count: Type.Integer() })),
    nodes: Type.Array(
      Type.Object({
        number: Type.Integer(),
        skewMilliseconds: nullable(
          Type.Integer({ description: 'how far its clock is ahead of the database’s; null where it has not told' }),
        ),
        leasedUntil: Instant,
        isThisOne: Type.Boolean(),
      }),
    ),
    skewMillisecondsMax: Type.Integer(),
    lastProof: Type.Object({ sinceCheckpointsOn: nullable(Instant), wholeOn: nullable(Instant) }),
  }),
})

export const getRouting = route({
  ...READS,
  path: '/dashboard/api/operator/routing',
  summary: 'Partners with how they do, the routing table in effect, and those before it',
  reply: Type.Object({
    partners: Type.Array(
      Type.Object({
        code: Type.String(),
        protocol: OptionalText,
        capabilities: Type.Array(Type.String()),
        nodes: Type.Integer(),
        breakers: Type.Array(
          Type.Object({ operation: Type.String(), state: words(['open', 'trying']), nodes: Type.Integer() }),
        ),
        lastHeardOn: nullable(Instant),
      }),
    ),
    operations: Type.Array(Type.String()),
    table: nullable(Type.Object({ version: Type.Integer(), madeOn: Instant, madeBy: Type.String(), routes: AnyMap })),
    history: Type.Array(Type.Object({ version: Type.Integer(), madeOn: Instant, madeBy: Type.String() })),
  }),
})

export const explainRoute = route({
  ...READS,
  path: '/dashboard/api/operator/routing/explanation',
  summary: 'Which partner would be chosen for something, and why; nothing is sent',
  query: Type.Object({
    operation: Type.String({ maxLength: 64 }),
    amount: optional(Amount),
    bankCode: optional(BankCode),
    ...OfOneMerchant,
    reference: Type.Optional(Type.String({ maxLength: 128, description: 'a split is drawn from it' })),
  }),
  reply: Type.Object({
    rule: OptionalText,
    use: Type.Array(Type.Object({ partner: Type.String(), isWell: Type.Boolean() })),
    drawn: nullable(Type.Integer({ description: 'the part of a split that was drawn, of 100' })),
    passedOver: Type.Array(Type.String()),
  }),
  refusals: [workRefusals.notRouted],
})

export const browseDeliveries = route({
  ...READS,
  path: '/dashboard/api/operator/deliveries',
  summary: 'Events to merchants’ servers: all of one merchant, or over all merchants those that did not arrive yet',
  query: Type.Object({ ...ListQuery, ...OfOneMerchant, status: Type.Optional(words(EVENT_STATUSES)) }),
  reply: listOf(
    Type.Object({
      ...Row,
      eventType: Type.String(),
      reference: Type.String(),
      status: words([...EVENT_STATUSES, 'WAITING', 'PAUSED']),
      attempts: Type.Integer(),
      nextAttemptOn: nullable(Instant),
    }),
  ),
})

export const listPausedReceivers = route({
  ...READS,
  path: '/dashboard/api/operator/receivers',
  summary: 'Receivers that take no events until their merchants set them anew',
  reply: Type.Object({
    receivers: Type.Array(
      Type.Object({ merchantCode: Type.String(), kind: Type.String(), url: Type.String(), pausedOn: Instant }),
    ),
  }),
})

export const resendDelivery = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/deliveries/:code/:id/resend',
  summary: 'Have an event sent again',
  params: Type.Object({
    code: Type.String({ minLength: 1, maxLength: 64 }),
    id: Type.String({ pattern: '^\\d{1,18}$', 'x-rule': 'an id' }),
  }),
  reply: NoBody,
  refusals: [operatorRefusals.unknownMerchant, workRefusals.unknownEvent],
})

export const browseReturns = route({
  ...READS,
  path: '/dashboard/api/operator/returns',
  summary: 'Credits that were not taken and that nobody knows where to send: their money is in suspense',
  query: Type.Object(ListQuery),
  reply: listOf(
    Type.Object({
      ...Row,
      reference: Type.String(),
      partner: Type.String(),
      bankCode: Type.String(),
      railReference: Type.String(),
      accountNumber: Type.String(),
      amount: Naira,
      reason: Type.String(),
      payerName: OptionalText,
      payerAccountNumber: OptionalText,
      payerBankCode: OptionalText,
      failure: OptionalText,
    }),
  ),
})

export const browseConflicts = route({
  ...READS,
  path: '/dashboard/api/operator/conflicts',
  summary: 'Credits that have the name of other money: neither kept nor sent back before a person has looked',
  query: Type.Object(ListQuery),
  reply: listOf(
    Type.Object({
      ...Row,
      partner: Type.String(),
      bankCode: Type.String(),
      railReference: Type.String(),
      accountNumber: Type.String(),
      amount: Naira,
      payerName: OptionalText,
      payerAccountNumber: OptionalText,
      payerBankCode: OptionalText,
      narration: OptionalText,
      status: words(['OPEN', 'TAKING']),
      before: Type.Array(Type.String(), { description: 'the money that its reference named before, in words' }),
    }),
  ),
})

export const browseAllAudit = route({
  ...READS,
  path: '/dashboard/api/operator/audit',
  summary: 'Who did what, over all merchants, in the order of the chain',
  query: Type.Object({
    ...ListQuery,
    ...OfOneMerchant,
    act: Type.Optional(Type.String({ maxLength: 64 })),
    actor: Type.Optional(Type.String({ maxLength: 255, description: 'an actor, an API key or an e-mail address' })),
  }),
  reply: listOf(
    Type.Object({
      ...Row,
      act: Type.String(),
      actor: Type.String(),
      name: OptionalText,
      address: OptionalText,
      reference: OptionalText,
      details: AnyMap,
    }),
  ),
})

export const operatorWork = group({
  title: 'Operator: the day',
  text: 'How the gateway does, and what waits for a person.',
  routes: {
    getHealth,
    getRouting,
    explainRoute,
    browseDeliveries,
    listPausedReceivers,
    resendDelivery,
    browseReturns,
    browseConflicts,
    browseAllAudit,
  },
  refusals: workRefusals,
})
