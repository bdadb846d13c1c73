import Type from 'typebox'
import { DISPUTE_STATUSES } from '../disputes.ts'
import { EVENT_STATUSES } from '../event-log.ts'
import { Moment, Naira, nullable, Reference, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { personal } from '../personal-data.ts'
import { personRefusals, transactionRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'
import { browseTransactions, Instant } from './lists.ts'

const OptionalText = nullable(Type.String())
const OptionalPersonalText = nullable(personal(Type.String()))

/** The kinds of search results. */
export const FOUND_KINDS = [
  'customer',
  'transaction',
  'transfer',
  'batch',
  'refund',
  'settlement',
  'reserved-account',
  'mandate',
  'paycode',
  'bill',
  'dispute',
  'payment-link',
  'sub-account',
  'limit-profile',
  'wallet',
  'event',
  'request',
] as const

const Found = Type.Object({
  kind: words(FOUND_KINDS),
  id: Type.String({ description: 'ID in its list' }),
  reference: Type.String({ description: 'of a customer, the email address' }),
  status: OptionalText,
  amount: nullable(Naira),
  createdOn: Instant,
  customerName: OptionalPersonalText,
  customerEmail: OptionalPersonalText,
})

export const SEARCH_LENGTH_MAX = 255
export const SEARCH_SIZE_MAX = 20

export const search = route({
  method: 'GET',
  path: '/dashboard/api/search',
  summary:
    'Search by reference or a part of it, customer name, amount, card digits, email address, account number or session ID',
  description:
    'A full reference finds any record; an ID finds an event or a logged request. Other texts find payments by amount, by the last four digits of a card, by part of a reference or by part of the customer’s name. These searches, and those by email address and payer’s account number, start with the newest rows. If a search stops early, `searchedBackTo` is the time back to which it searched: send it as `to` to search further back. Users who see customers masked cannot search by customer. Results that the user may not see are left out.',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'money.read',
  query: Type.Object({
    text: Type.String({ minLength: 1, maxLength: SEARCH_LENGTH_MAX }),
    to: Type.Optional(Moment),
    size: Type.Optional(
      Type.Integer({ minimum: 1, maximum: SEARCH_SIZE_MAX, default: SEARCH_SIZE_MAX, description: 'of each search' }),
    ),
  }),
  reply: Type.Object({ found: Type.Array(Found), searchedBackTo: nullable(Instant) }),
  refusals: [personRefusals.personalDataNotAllowed],
})

/** The kinds of timeline entries. */
export const TIMELINE = [
  'ASKED',
  'CARD_CHARGED',
  'CARD_DECLINED',
  'PAID',
  'SENT_BACK',
  'EXPIRED',
  'CANCELLED',
  'REFUND_ASKED',
  'REFUND_ENDED',
  'DISPUTED',
  'DISPUTE_ENDED',
  'SETTLED',
  'EVENT_TOLD',
] as const

const Delivery = Type.Object({
  at: Instant,
  url: Type.String(),
  status: nullable(Type.Integer()),
  milliseconds: Type.Integer(),
  error: OptionalText,
  resent: Type.Boolean(),
})

export const getTransactionTimeline = route({
  method: 'GET',
  path: '/dashboard/api/transactions/:transactionReference',
  summary:
    'Get the timeline of a transaction: status changes, money, events with every delivery, and ledger entries in plain words',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'money.read',
  params: Type.Object({ transactionReference: Reference }),
  reply: Type.Object({
    transaction: browseTransactions.reply.properties.items.items,
    totalPayable: Naira,
    checkoutUrl: nullable(personal(Type.String({ description: 'the payment page, while the customer can pay' }))),
    receiptUrl: nullable(personal(Type.String({ description: 'the receipt as a PDF, once something was paid' }))),
    refundable: Type.Object(
      { amount: Naira, fee: Naira, problem: OptionalText },
      { description: 'amount that can still be refunded, the fee for refunding it, and the problem if nothing can be' },
    ),
    timeline: Type.Array(Type.Object({ at: Instant, what: words(TIMELINE), text: Type.String() })),
    attempts: Type.Array(
      Type.Object({
        number: Type.Integer(),
        at: Instant,
        status: Type.String(),
        amount: Naira,
        card: Type.String({ examples: ['539983******1234'] }),
        reason: OptionalText,
      }),
    ),
    payments: Type.Array(
      Type.Object({
        at: Instant,
        method: Type.String(),
        amount: Naira,
        fee: Naira,
        sessionId: Type.String(),
        payerName: OptionalPersonalText,
        payerAccountNumber: OptionalPersonalText,
        payerBankName: OptionalText,
        accountNumber: OptionalPersonalText,
        card: OptionalText,
      }),
    ),
    refunds: Type.Array(
      Type.Object({
        refundReference: Type.String(),
        status: Type.String(),
        amount: Naira,
        reason: Type.String(),
        createdOn: Instant,
      }),
    ),
    disputes: Type.Array(
      Type.Object({
        id: Type.String({ description: 'ID in its list' }),
        disputeReference: Type.String(),
        status: words(DISPUTE_STATUSES),
        amount: Naira,
        createdOn: Instant,
      }),
    ),
    splits: Type.Array(Type.Object({ subAccountCode: Type.String(), share: Naira, fee: Naira, income: Naira }), {
      description: 'what each sub account gets of the payments',
    }),
    metaData: Type.Array(Type.Object({ name: Type.String(), value: personal(Type.String()) })),
    notes: Type.Array(Type.Object({ at: Instant, author: Type.String(), text: personal(Type.String()) }), {
      description: 'internal notes of the team, newest first',
    }),
    settlement: nullable(
      Type.Object({ settlementReference: Type.String(), status: Type.String(), settledOn: Instant }),
    ),
    events: Type.Array(
      Type.Object({
        id: Type.String(),
        eventType: Type.String(),
        status: words(EVENT_STATUSES),
        createdOn: Instant,
        deliveries: Type.Array(Delivery),
      }),
    ),
    journal: Type.Array(
      Type.Object({
        at: Instant,
        memo: Type.String(),
        moves: Type.Array(Type.Object({ amount: Naira, from: Type.String(), to: Type.String(), text: Type.String() })),
      }),
    ),
  }),
  refusals: [transactionRefusals.notFound],
})

export const NOTE_LENGTH_MAX = 2_000

export const addTransactionNote = route({
  method: 'POST',
  path: '/dashboard/api/transactions/:transactionReference/notes',
  summary: 'Add an internal note to a transaction; customers never see it',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'collect.make',
  params: Type.Object({ transactionReference: Reference }),
  body: Type.Object({ text: personal(Type.String({ minLength: 1, maxLength: NOTE_LENGTH_MAX })) }),
  reply: Type.Object({}),
  refusals: [transactionRefusals.notFound],
})

export const dashboardSearch = group({
  title: 'Search',
  text: 'One search box for everything, and the timeline of each transaction.',
  routes: { search, getTransactionTimeline, addTransactionNote },
  refusals: {},
})
