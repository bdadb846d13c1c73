import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { EVENT_STATUSES } from '../event-log.ts'
import { Amount, AnyMap, BankCode, Naira, nullable, optional, words } from '../fields.ts'
import { personal } from '../personal-data.ts'
import { operatorRefusals, workRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'
import { Instant, ListQuery, listOf } from './lists.ts'
import { OfOneMerchant, OPERATOR_ACTS, OPERATOR_READS } from './operator.ts'
import { SEARCH_LENGTH_MAX } from './search.ts'

const OptionalText = nullable(Type.String())
const OptionalPersonalText = nullable(personal(Type.String()))
const Row = { id: Type.String(), createdOn: Instant, merchantCode: OptionalText, merchantName: OptionalText }
const READS = { ...OPERATOR_READS, method: 'GET' } as const

export const getHealth = route({
  ...READS,
  path: '/dashboard/api/operator/health',
  summary: 'Get the gateway’s health: items for manual review, work in progress, nodes, and ledger verification',
  reply: Type.Object({
    environment: words(['sandbox', 'live']),
    at: Instant,
    waiting: Type.Object(
      {
        changes: Type.Integer(),
        unresolvedOrders: Type.Integer(),
        returns: Type.Integer(),
        conflicts: Type.Integer(),
        exceptions: Type.Integer({ description: 'unexplained differences between bank and ledger' }),
        disputesDue: Type.Integer({ description: 'open disputes whose response is due within three days' }),
        pausedReceivers: Type.Integer(),
      },
      { description: 'number of items that need manual review' },
    ),
    orders: Type.Array(Type.Object({ state: Type.String(), count: Type.Integer() })),
    nodes: Type.Array(
      Type.Object({
        number: Type.Integer(),
        skewMilliseconds: nullable(
          Type.Integer({ description: 'clock offset to the database; null if not reported yet' }),
        ),
        leasedUntil: Instant,
        isThisOne: Type.Boolean(),
      }),
    ),
    skewMillisecondsMax: Type.Integer(),
    collectedToday: Type.Object(
      { amount: Naira, payments: Type.Integer(), through: Instant },
      { description: 'collections of all merchants since midnight in Lagos, up to the end of the last counted hour' },
    ),
    lastProof: Type.Object({ sinceCheckpointsOn: nullable(Instant), wholeOn: nullable(Instant) }),
  }),
})

export const getRouting = route({
  ...READS,
  path: '/dashboard/api/operator/routing',
  summary: 'Get the partners and their health, the current routing table, and earlier ones',
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
  summary: 'Show which partner would be chosen, and why; nothing is sent',
  query: Type.Object({
    operation: Type.String({ maxLength: 64 }),
    amount: optional(Amount),
    bankCode: optional(BankCode),
    ...OfOneMerchant,
    reference: Type.Optional(
      Type.String({ maxLength: 128, description: 'reference that selects the share of a split' }),
    ),
  }),
  reply: Type.Object({
    rule: OptionalText,
    use: Type.Array(Type.Object({ partner: Type.String(), isWell: Type.Boolean() })),
    drawn: nullable(Type.Integer({ description: 'selected share of a split, out of 100' })),
    passedOver: Type.Array(Type.String()),
  }),
  refusals: [workRefusals.notRouted],
})

export const browseDeliveries = route({
  ...READS,
  path: '/dashboard/api/operator/deliveries',
  summary: 'List events: all of one merchant, or undelivered events of all merchants',
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
  summary: 'List webhook endpoints that are paused until their merchants set them again',
  reply: Type.Object({
    receivers: Type.Array(
      Type.Object({
        merchantCode: Type.String(),
        merchantName: Type.String(),
        kind: Type.String(),
        url: Type.String(),
        pausedOn: Instant,
      }),
    ),
  }),
})

export const resendDelivery = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/deliveries/:code/:id/resend',
  summary: 'Resend an event',
  params: Type.Object({
    code: Type.String({ minLength: 1, maxLength: 64 }),
    id: Type.String({ pattern: '^\\d{1,18}$', 'x-rule': 'a numeric ID' }),
  }),
  reply: NoBody,
  refusals: [operatorRefusals.unknownMerchant, workRefusals.unknownEvent],
})

export const browseReturns = route({
  ...READS,
  path: '/dashboard/api/operator/returns',
  summary: 'List rejected credits without a known return account; their money is in suspense',
  query: Type.Object(ListQuery),
  reply: listOf(
    Type.Object({
      ...Row,
      reference: Type.String(),
      partner: Type.String(),
      bankCode: Type.String(),
      bankName: Type.String(),
      railReference: Type.String(),
      accountNumber: personal(Type.String()),
      amount: Naira,
      reason: Type.String(),
      payerName: OptionalPersonalText,
      payerAccountNumber: OptionalPersonalText,
      payerBankCode: OptionalText,
      payerBankName: OptionalText,
      failure: OptionalPersonalText,
    }),
  ),
})

export const browseConflicts = route({
  ...READS,
  path: '/dashboard/api/operator/conflicts',
  summary: 'List credits whose reference conflicts with other money; they need manual review',
  query: Type.Object(ListQuery),
  reply: listOf(
    Type.Object({
      ...Row,
      partner: Type.String(),
      bankCode: Type.String(),
      bankName: Type.String(),
      railReference: Type.String(),
      accountNumber: personal(Type.String()),
      amount: Naira,
      payerName: OptionalPersonalText,
      payerAccountNumber: OptionalPersonalText,
      payerBankCode: OptionalText,
      payerBankName: OptionalText,
      narration: OptionalPersonalText,
      status: words(['OPEN', 'TAKING']),
      before: Type.Array(personal(Type.String()), { description: 'earlier credits with the same reference, as text' }),
    }),
  ),
})

export const browseAllAudit = route({
  ...READS,
  path: '/dashboard/api/operator/audit',
  summary: 'List the audit log of all merchants, in the order of the chain',
  query: Type.Object({
    ...ListQuery,
    ...OfOneMerchant,
    act: Type.Optional(Type.String({ maxLength: 64 })),
    actor: Type.Optional(Type.String({ maxLength: 255, description: 'actor, API key or email address' })),
  }),
  reply: listOf(
    Type.Object({
      ...Row,
      act: Type.String(),
      actTitle: nullable(
        Type.String({ description: 'what a user’s call of the API does, in words; null for other acts' }),
      ),
      actor: Type.String(),
      name: OptionalText,
      address: OptionalText,
      reference: OptionalText,
      details: personal(AnyMap),
    }),
  ),
})

export const findPayments = route({
  ...READS,
  path: '/dashboard/api/operator/payments',
  summary: 'Find payments and transfers of any merchant by a full reference',
  description:
    'Finds a payment by the merchant’s or our reference, and by the partner’s reference or session ID; a transfer by the merchant’s reference or the session ID. Several merchants may use the same reference. Each search is in the audit log, also in that of the merchants whose payments it shows. Without a reference nothing is found.',
  query: Type.Object({
    reference: Type.Optional(
      Type.String({ minLength: 1, maxLength: SEARCH_LENGTH_MAX, description: 'full reference' }),
    ),
  }),
  reply: listOf(
    Type.Object({
      ...Row,
      kind: words(['PAYMENT', 'TRANSFER']),
      transactionReference: Type.String(),
      merchantReference: Type.String({ description: 'the merchant’s own reference' }),
      status: Type.String(),
      amount: Naira,
      customerName: nullable(
        personal(Type.String({ description: 'the payer of a payment, or the beneficiary of a transfer' })),
      ),
      customerEmail: OptionalPersonalText,
    }),
  ),
})

export const operatorWork = group({
  title: 'Operator: daily work',
  text: 'The gateway’s health, and items that need manual review.',
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
    findPayments,
  },
  refusals: workRefusals,
})
