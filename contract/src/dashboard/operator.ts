import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { AnyMap, Email, Naira, nullable, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { operatorRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'
import { Instant, ListQuery, listOf } from './lists.ts'

/** Defaults of the operator's read routes. */
export const OPERATOR_READS = {
  access: 'person',
  permission: NO_PERMISSION.operator,
  person: 'operator.read',
} as const
/** Defaults of the operator's write routes, which need a fresh second factor. */
export const OPERATOR_ACTS = { ...OPERATOR_READS, method: 'POST', person: 'operator.manage', fresh: true } as const

export const MERCHANT_STATUSES = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const
const MerchantCode = Type.String({ minLength: 1, maxLength: 64 })
/** The merchant in a path. */
export const OfMerchant = Type.Object({ code: MerchantCode })
/** A filter for one merchant, by its code. */
export const OfOneMerchant = { merchant: Type.Optional(MerchantCode) }
/** The reason for an action, kept in the audit log. */
export const Reason = Type.String({ minLength: 1, maxLength: 500 })

const Merchant = {
  id: Type.String(),
  createdOn: Instant,
  code: Type.String(),
  name: Type.String(),
  email: Type.String(),
  standing: words(MERCHANT_STATUSES),
  permissions: Type.Array(Type.String()),
}

export const browseMerchants = route({
  ...OPERATOR_READS,
  method: 'GET',
  path: '/dashboard/api/operator/merchants',
  summary: 'List all merchants, newest first, without their secrets',
  query: Type.Object({
    ...ListQuery,
    status: Type.Optional(words(MERCHANT_STATUSES)),
    text: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'part of the name, email address or code' }),
    ),
  }),
  reply: listOf(Type.Object(Merchant)),
})

const Price = Type.Object({
  service: Type.String(),
  of: words(['contract', 'merchant', 'everybody']),
  contractCode: nullable(Type.String()),
  validFrom: Instant,
  inEffect: Type.Boolean(),
  steps: nullable(
    Type.Array(AnyMap, { description: 'upTo, percent, flat, cap; null if a merchant-specific price ends' }),
  ),
})

export const getOneMerchant = route({
  ...OPERATOR_READS,
  method: 'GET',
  path: '/dashboard/api/operator/merchants/:code',
  summary: 'Get a merchant, without its secrets',
  params: OfMerchant,
  reply: Type.Object({
    ...Merchant,
    apiKey: Type.String(),
    balance: nullable(Type.Object({ available: Naira, ledger: Naira }, { description: 'of the main wallet' })),
    collected: Type.Object(
      { amount: Naira, payments: Type.Integer(), from: Instant },
      { description: 'collections of the last 30 days' },
    ),
    settings: AnyMap,
    contracts: Type.Array(
      Type.Object({ code: Type.String(), name: Type.String(), disabledOn: nullable(Instant), terms: AnyMap }),
    ),
    receivers: Type.Array(Type.Object({ kind: Type.String(), url: Type.String(), pausedOn: nullable(Instant) })),
    prices: Type.Array(Price),
    people: Type.Array(
      Type.Object({ name: Type.String(), email: Type.String(), role: Type.String(), hasSecondFactor: Type.Boolean() }),
    ),
    invitations: Type.Array(Type.Object({ email: Type.String(), role: Type.String(), expiresOn: Instant })),
  }),
  refusals: [operatorRefusals.unknownMerchant],
})

export const createMerchant = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/merchants',
  summary: 'Create a merchant and invite its first owner by email',
  description: 'No API key is shown: the owner creates one in the dashboard.',
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', 'x-rule': 'a name' }),
    email: Email,
  }),
  reply: Type.Object({ code: Type.String() }),
})

export const inviteOwner = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/merchants/:code/owners',
  summary: 'Request to invite an owner to a merchant that has none',
  params: OfMerchant,
  body: Type.Object({ email: Email, reason: Reason }),
  reply: Type.Object({ id: Type.String() }),
  refusals: [operatorRefusals.unknownMerchant, operatorRefusals.hasOwner],
})

export const changeMerchantStatus = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/merchants/:code/standing',
  summary: 'Suspend, reactivate or close a merchant',
  params: OfMerchant,
  body: Type.Object({ standing: words(MERCHANT_STATUSES), reason: Reason }),
  reply: NoBody,
  refusals: [
    operatorRefusals.unknownMerchant,
    operatorRefusals.statusStays,
    operatorRefusals.moneyLeft,
    operatorRefusals.orderOpen,
  ],
})

export const addContract = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/merchants/:code/contracts',
  summary: 'Add a contract with the standard terms',
  params: OfMerchant,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 255 }),
    description: Type.Optional(Type.String({ maxLength: 255 })),
  }),
  reply: Type.Object({ code: Type.String() }),
  refusals: [operatorRefusals.unknownMerchant, operatorRefusals.contractStays],
})

export const changeContract = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/merchants/:code/contracts/:contractCode',
  summary: 'Disable or enable a contract for new payments',
  params: Type.Object({ code: MerchantCode, contractCode: MerchantCode }),
  body: Type.Object({ isDisabled: Type.Boolean() }),
  reply: NoBody,
  refusals: [operatorRefusals.unknownMerchant, operatorRefusals.contractStays],
})

export const operatorMerchants = group({
  title: 'Operator: merchants',
  text: 'The operator’s view of merchants. No route shows a secret or moves a merchant’s money.',
  routes: {
    browseMerchants,
    getOneMerchant,
    createMerchant,
    inviteOwner,
    changeMerchantStatus,
    addContract,
    changeContract,
  },
  refusals: operatorRefusals,
})
