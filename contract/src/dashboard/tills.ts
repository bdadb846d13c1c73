import Type from 'typebox'
import { NoBody } from '../envelope.ts'
import { Bvn, Naira, Nin, nullable, optional } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { tillRefusals } from '../refusals/index.ts'
import { reserveAccount } from '../reserved-accounts.ts'
import { group, route } from '../route.ts'
import type { LiveUpdateStream } from './live-updates.ts'

const TillReference = Type.String({ minLength: 1, maxLength: 64, examples: ['till-7KQ2M4XW9P'] })
const Time = Type.String({ examples: ['2026-03-01T09:30:00.000Z'] })
const TILL = {
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'till.use',
  params: Type.Object({ tillReference: TillReference }),
} as const

const Till = Type.Object({
  tillReference: TillReference,
  name: Type.String({ examples: ['Demo Shop Ikeja'] }),
  accounts: Type.Array(
    Type.Object({ bankName: Type.String(), accountNumber: Type.String(), accountName: Type.String() }),
    { description: 'account numbers that customers pay into, one per bank' },
  ),
  cashiers: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
})

export const createTill = route({
  access: 'person',
  permission: 'reservedAccounts',
  person: 'collect.make',
  method: 'POST',
  path: '/dashboard/api/tills',
  summary: 'Create a till: a reserved account for a shop’s counter',
  body: Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'name that customers see in their banking app',
      examples: ['Demo Shop Ikeja'],
    }),
    bvn: optional(Bvn),
    nin: optional(Nin),
  }),
  reply: Till,
  refusals: reserveAccount.refusals,
})

export const listTills = route({
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'till.use',
  method: 'GET',
  path: '/dashboard/api/tills',
  summary: 'List the tills; a cashier gets only their own',
  reply: Type.Object({ tills: Type.Array(Till) }),
})

export const getTill = route({
  ...TILL,
  method: 'GET',
  path: '/dashboard/api/tills/:tillReference',
  summary: 'Get a till with the payments and totals of a day',
  query: Type.Object({
    date: optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        'x-rule': 'a day such as 2026-03-01',
        description: 'day in Lagos; today by default',
        examples: ['2026-03-01'],
      }),
    ),
  }),
  reply: Type.Object({
    ...Till.properties,
    date: Type.String({ examples: ['2026-03-01'] }),
    now: Time,
    count: Type.Integer({ description: 'payments on that day' }),
    total: Naira,
    payments: Type.Array(
      Type.Object({
        transactionReference: Type.String(),
        at: Time,
        amount: Naira,
        payerName: nullable(Type.String({ description: 'shown to the cashier, who hands over the goods' })),
        payerBankName: nullable(Type.String()),
        receiptProof: Type.String({ description: 'URL that proves the receipt, for a QR code' }),
      }),
      { description: 'newest first, at most 100' },
    ),
  }),
  refusals: [tillRefusals.notFound],
})

export const watchTill = route({
  ...TILL,
  method: 'GET',
  path: '/dashboard/api/tills/:tillReference/hints',
  summary: 'Receive live updates when a payment arrives at a till',
  description: 'Server-sent events `{"changed": "till"}`, within a second. They carry no data: fetch the till.',
  sends: 'events',
  reply: Type.Unsafe<LiveUpdateStream>({ type: 'string', description: 'server-sent events' }),
  refusals: [tillRefusals.notFound],
})

export const setCashiers = route({
  ...TILL,
  person: 'team.manage',
  method: 'PUT',
  path: '/dashboard/api/tills/:tillReference/cashiers',
  summary: 'Choose the cashiers of a till',
  description: 'A cashier has one till. Users who get or lose one must sign in again.',
  body: Type.Object({
    cashiers: Type.Array(Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'a numeric ID' }), { maxItems: 50 }),
  }),
  reply: NoBody,
  refusals: [tillRefusals.notFound, tillRefusals.notCashier],
})

export const tills = group({
  title: 'Tills',
  text: 'Account numbers for a shop’s counter, whose payments appear at once.',
  routes: { createTill, listTills, getTill, watchTill, setCashiers },
  refusals: tillRefusals,
})
