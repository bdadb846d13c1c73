import Type from 'typebox'
import { Amount, Moment, Naira, nullable, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { personal } from '../personal-data.ts'
import { group, route } from '../route.ts'
import { Instant } from './lists.ts'

/** The payment methods in the charts. */
export const COLLECTED_BY = ['ACCOUNT_TRANSFER', 'CARD', 'DIRECT_DEBIT', 'CASH'] as const

/** The kinds of items that can need attention. Responses count the items of each kind, and leave out empty kinds. */
export const ATTENTION = [
  'EVENTS_GIVEN_UP',
  'RECEIVER_PAUSED',
  'TRANSFERS_TO_AUTHORIZE',
  'DISPUTES_OPEN',
  'ORDERS_UNRESOLVED',
  'PAYOUTS_FAILED',
  'LOW_BALANCE',
] as const
export const AttentionItems = Type.Array(Type.Object({ what: words(ATTENTION), count: Type.Integer() }))

/** The steps of a new merchant up to the first payment. */
export const SETUP_STEPS = ['SECOND_FACTOR', 'API_CALL', 'WEBHOOK_URL', 'FIRST_PAYMENT'] as const

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
  summary: 'Get the key figures: today compared with a week ago, the last thirty days, and items that need attention',
  description: 'Days are Lagos days. Figures of the current hour may be up to 15 seconds old.',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'money.read',
  reply: Type.Object({
    at: Instant,
    today: Collected,
    lastWeek: Type.Object({ ...Collected.properties, until: Instant }),
    /** The completed transactions of the last seven days. */
    successRate: Type.Object({ ended: Type.Integer(), paid: Type.Integer(), percent: nullable(Type.Number()) }),
    /** Null if the user may not see it. */
    balance: nullable(Type.Object({ available: Naira, ledger: Naira })),
    /** Null if nothing waits to settle, or if the user may not see it. */
    nextSettlement: nullable(
      Type.Object({
        on: Instant,
        amount: Type.Number({ description: 'naira collected less our fees, before splits, debts and reserve' }),
      }),
    ),
    /** Null once a payment was received. */
    setup: nullable(Type.Array(Type.Object({ step: words(SETUP_STEPS), isDone: Type.Boolean() }))),
    days: Type.Array(Day),
    /** Of the topics that the user may see and has not turned off. */
    attention: AttentionItems,
  }),
})

export const getTotals = route({
  method: 'GET',
  path: '/dashboard/api/totals',
  summary: 'Get collections, payouts, refunds and settlements by day',
  access: 'person',
  permission: NO_PERMISSION.ownData,
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
  summary: 'Get the gateway’s time, the merchant’s wallet and balance, and its contracts',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'money.read',
  reply: Type.Object({
    at: Instant,
    walletAccountNumber: Type.String(),
    /** Null if the user may not see it. */
    available: nullable(Naira),
    contracts: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })),
  }),
})

export const RECIPIENTS_MAX = 8
const RECIPIENT_TEXT_LENGTH_MAX = 100

export const findRecipients = route({
  method: 'GET',
  path: '/dashboard/api/recipients',
  summary: 'Find accounts that were paid before, the latest first, by a part of their name or number',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'payout.make',
  query: Type.Object({
    text: Type.Optional(personal(Type.String({ minLength: 1, maxLength: RECIPIENT_TEXT_LENGTH_MAX }))),
  }),
  reply: Type.Object({
    recipients: Type.Array(
      Type.Object({
        bankCode: Type.String(),
        bankName: Type.String(),
        accountNumber: personal(Type.String()),
        accountName: nullable(personal(Type.String())),
      }),
    ),
  }),
})

export const getTransferFee = route({
  method: 'GET',
  path: '/dashboard/api/transfer-fee',
  summary: 'Get the fee that a transfer of an amount would cost now',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'money.read',
  query: Type.Object({ amount: Amount }),
  reply: Type.Object({ fee: Naira, total: Naira }),
})

export const dashboardHome = group({
  title: 'Home',
  text: 'Key figures from hourly totals, which are verified against the ledger.',
  routes: { getHome, getTotals, getOwnAccounts, findRecipients, getTransferFee },
  refusals: {},
})
