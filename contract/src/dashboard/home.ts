import Type from 'typebox'
import { Moment, Naira, nullable, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { group, route } from '../route.ts'
import { Instant } from './lists.ts'

/** By what means money came, as the charts have it. */
export const COLLECTED_BY = ['ACCOUNT_TRANSFER', 'CARD', 'DIRECT_DEBIT', 'CASH'] as const

/** What is to be looked at, each with how many: what is fine is not named. */
export const ATTENTION = [
  'EVENTS_GIVEN_UP',
  'RECEIVER_PAUSED',
  'TRANSFERS_TO_AUTHORIZE',
  'ORDERS_UNRESOLVED',
  'PAYOUTS_FAILED',
  'LOW_BALANCE',
] as const

const Collected = Type.Object({ amount: Naira, fee: Naira, payments: Type.Integer() })

const Day = Type.Object({
  day: Type.String({ examples: ['2026-03-01'] }),
  method: words(COLLECTED_BY),
  amount: Naira,
  fee: Naira,
  payments: Type.Integer(),
})

export const getHome = route({
  method: 'GET',
  path: '/dashboard/api/home',
  summary:
    'How business goes: today against the same time a week ago, the last thirty days, and what is to be looked at',
  description: 'Days are days in Lagos. What is not at rest yet is summed up as it is and may be 15 seconds old.',
  access: 'person',
  permission: NO_PERMISSION.ownBooks,
  person: 'money.read',
  reply: Type.Object({
    at: Instant,
    today: Collected,
    lastWeek: Type.Object({ ...Collected.properties, until: Instant }),
    /** Of the transactions of the last seven days that have ended. */
    successRate: Type.Object({ ended: Type.Integer(), paid: Type.Integer(), percent: nullable(Type.Number()) }),
    /** Null for those who may not see it. */
    balance: nullable(Type.Object({ available: Naira, ledger: Naira })),
    days: Type.Array(Day),
    attention: Type.Array(Type.Object({ what: words(ATTENTION), count: Type.Integer() })),
  }),
})

export const getTotals = route({
  method: 'GET',
  path: '/dashboard/api/totals',
  summary: 'What was collected, paid out, returned and settled in a time, by day',
  access: 'person',
  permission: NO_PERMISSION.ownBooks,
  person: 'balances.read',
  query: Type.Object({ from: Moment, to: Type.Optional(Moment) }),
  reply: Type.Object({
    from: Instant,
    to: Instant,
    days: Type.Array(
      Type.Object({
        day: Type.String(),
        collected: Naira,
        fees: Naira,
        paidOut: Naira,
        refunded: Naira,
        settled: Naira,
      }),
    ),
  }),
})

export const getOwnAccounts = route({
  method: 'GET',
  path: '/dashboard/api/own-accounts',
  summary: 'What time it is, from which wallet the merchant pays, what it holds, and under which contracts it collects',
  access: 'person',
  permission: NO_PERMISSION.ownBooks,
  person: 'money.read',
  reply: Type.Object({
    at: Instant,
    walletAccountNumber: Type.String(),
    /** Null for those who may not see it. */
    available: nullable(Naira),
    contracts: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })),
  }),
})

export const dashboardHome = group({
  title: 'Home',
  text: 'How business goes, from sums of whole hours that are proven with the books.',
  routes: { getHome, getTotals, getOwnAccounts },
  refusals: {},
})
