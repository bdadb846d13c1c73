import Type, { type TObject, type TProperties } from 'typebox'
import { VEND_STATUSES } from '../bills.ts'
import { CustomerFacts, CustomerPlace, CustomerSearch } from '../customers.ts'
import { MANDATE_STATUSES } from '../direct-debit.ts'
import { DISPUTE_STATUSES, DISPUTE_TYPES } from '../disputes.ts'
import { EVENT_STATUSES } from '../event-log.ts'
import { AccountNumber, Amount, AnyMap, Moment, Naira, nullable, Reference, words } from '../fields.ts'
import { INVOICE_STATUSES } from '../invoices.ts'
import { PAYCODE_STATUSES } from '../paycodes.ts'
import { PAYMENT_LINK_STATUSES, PAYMENT_LINK_USAGES } from '../payment-links.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { personal } from '../personal-data.ts'
import { REFUND_STATUSES } from '../refunds.ts'
import { paymentLinkRefusals } from '../refusals/index.ts'
import { LoggedRequest, RequestFilter } from '../request-log.ts'
import type { PersonPermission } from '../roles.ts'
import { group, route } from '../route.ts'
import { SETTLEMENT_STATUSES } from '../settlements.ts'
import { PAYMENT_STATUSES } from '../transactions.ts'
import { BATCH_STATUSES, TRANSFER_STATUSES } from '../transfer-records.ts'

export const LIST_SIZE_DEFAULT = 50
export const LIST_SIZE_MAX = 100

/** A time in dashboard responses: 2026-03-01T09:30:00.000Z. */
export const Instant = Type.String({ examples: ['2026-03-01T09:30:00.000Z'] })
const Id = Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'a numeric ID' })
const OptionalText = nullable(Type.String())
const OptionalPersonalText = nullable(personal(Type.String()))

/** The filters of every list: a time range and a starting ID. */
export const ListQuery = {
  before: Type.Optional(Id),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: LIST_SIZE_MAX, default: LIST_SIZE_DEFAULT })),
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
}
/** Lists are ordered by time, which has an index. */
const Order = { order: Type.Optional(words(['NEWEST', 'OLDEST'])) }
const Amounts = { amountFrom: Type.Optional(Amount), amountTo: Type.Optional(Amount) }
const Customer = {
  customer: Type.Optional(
    personal(Type.String({ minLength: 1, maxLength: 255, description: 'email address or part of a name' })),
  ),
}
const statuses = <const W extends readonly string[]>(list: W) => ({ status: Type.Optional(words(list)) })

/** A page of a list. There is no total. `next` is the start of the next page, if there is one. */
export const listOf = <S extends TObject>(item: S) =>
  Type.Object({
    items: Type.Array(item),
    next: nullable(Type.String({ description: 'value of `before` for the next page; null on the last page' })),
    searchedBackTo: nullable(
      Type.String({ description: 'set if the search stopped early: everything back to this time was searched' }),
    ),
  })

/** Declares a dashboard list: its items, filters and required permission. */
const list = <
  const Name extends string,
  I extends TProperties,
  Q extends TProperties,
  const P extends PersonPermission,
>(
  name: Name,
  summary: string,
  person: P,
  item: I,
  query: Q,
) =>
  route({
    method: 'GET',
    path: `/dashboard/api/lists/${name}`,
    summary,
    access: 'person',
    permission: NO_PERMISSION.ownData,
    person,
    query: Type.Object({ ...ListQuery, ...Order, ...query }),
    reply: listOf(Type.Object({ id: Type.String(), createdOn: Instant, ...item })),
  })

/** Filters for payments that were refunded in full or in part. Their status itself stays PAID. */
const REFUNDED_STATUSES = ['REFUNDED', 'PARTIALLY_REFUNDED'] as const

export const browseTransactions = list(
  'transactions',
  'Transactions',
  'money.read',
  {
    transactionReference: Type.String(),
    paymentReference: Type.String(),
    status: words(PAYMENT_STATUSES),
    paymentMethod: OptionalText,
    amount: Naira,
    amountPaid: Naira,
    amountRefunded: Naira,
    fee: Naira,
    customerName: OptionalPersonalText,
    customerEmail: OptionalPersonalText,
    description: OptionalPersonalText,
    completedOn: nullable(Instant),
    product: Type.String(),
    settlesOn: nullable(Instant),
  },
  {
    ...statuses([...PAYMENT_STATUSES, ...REFUNDED_STATUSES]),
    ...Amounts,
    ...Customer,
    method: Type.Optional(Type.String({ maxLength: 32 })),
    reservedAccountReference: Type.Optional(Type.String({ maxLength: 128 })),
  },
)

export const browseTransfers = list(
  'transfers',
  'Transfers',
  'payout.read',
  {
    reference: Type.String(),
    transactionReference: Type.String(),
    status: words(TRANSFER_STATUSES),
    amount: Naira,
    fee: Naira,
    narration: personal(Type.String()),
    destinationAccountName: OptionalPersonalText,
    destinationAccountNumber: personal(Type.String()),
    destinationBankName: Type.String(),
    sessionId: OptionalText,
    failureReason: OptionalText,
    rejectedBy: nullable(Type.String({ description: 'the approver who rejected it' })),
    completedOn: nullable(Instant),
  },
  { ...statuses(TRANSFER_STATUSES), ...Amounts, batchReference: Type.Optional(Type.String({ maxLength: 128 })) },
)

export const browseBatches = list(
  'batches',
  'Batches of transfers',
  'payout.read',
  {
    batchReference: Type.String(),
    title: Type.String(),
    status: words(BATCH_STATUSES),
    totalAmount: Naira,
    totalFee: Naira,
    transfers: Type.Integer(),
    openTransfers: Type.Integer(),
    /** Including those that the receiving bank returned. */
    failedTransfers: Type.Integer(),
    failedAmount: Naira,
  },
  { ...statuses(BATCH_STATUSES), ...Amounts },
)

export const browseRefunds = list(
  'refunds',
  'Refunds',
  'money.read',
  {
    refundReference: Type.String(),
    transactionReference: Type.String(),
    status: words(REFUND_STATUSES),
    type: Type.String(),
    amount: Naira,
    fee: Naira,
    method: Type.String(),
    reason: Type.String(),
    payerAccountName: OptionalPersonalText,
    payerAccountNumber: OptionalPersonalText,
    comment: Type.String(),
    completedOn: nullable(Instant),
  },
  { ...statuses(REFUND_STATUSES), ...Amounts, method: Type.Optional(Type.String({ maxLength: 32 })) },
)

export const browseDisputes = list(
  'disputes',
  'Disputes',
  'money.read',
  {
    disputeReference: Type.String(),
    transactionReference: Type.String(),
    status: words(DISPUTE_STATUSES),
    type: words(DISPUTE_TYPES),
    amount: Naira,
    amountOwed: Naira,
    reason: Type.String(),
    evidenceDueOn: Instant,
    completedOn: nullable(Instant),
    comment: OptionalText,
  },
  { ...statuses(DISPUTE_STATUSES), ...Amounts, method: Type.Optional(words(DISPUTE_TYPES)) },
)

export const browseSettlements = list(
  'settlements',
  'Settlements with gross amount, fee, debt repayment, reserve, net amount and bank reference',
  'balances.read',
  {
    settlementReference: Type.String(),
    status: words(SETTLEMENT_STATUSES),
    gross: Naira,
    fee: Naira,
    debtRepaid: Naira,
    reserved: Naira,
    net: Naira,
    transactions: Type.Integer(),
    destination: words(['WALLET', 'BANK']),
    destinationAccountName: Type.String(),
    destinationAccountNumber: Type.String(),
    destinationBankName: Type.String(),
    bankReference: OptionalText,
    completedOn: nullable(Instant),
  },
  { ...statuses(SETTLEMENT_STATUSES), ...Amounts },
)

export const browseReservedAccounts = list(
  'reserved-accounts',
  'Reserved accounts',
  'money.read',
  {
    accountReference: Type.String(),
    accountName: personal(Type.String()),
    type: Type.String(),
    customerName: OptionalPersonalText,
    customerEmail: OptionalPersonalText,
    limitProfileCode: OptionalText,
    deallocatedOn: nullable(Instant),
  },
  { ...Customer, method: Type.Optional(words(['GENERAL', 'INVOICE'])) },
)

export const browseInvoices = list(
  'invoices',
  'Invoices',
  'money.read',
  {
    invoiceReference: Type.String(),
    transactionReference: Type.String(),
    status: words(INVOICE_STATUSES),
    amount: Naira,
    description: OptionalText,
    customerName: OptionalPersonalText,
    customerEmail: OptionalPersonalText,
    expiresOn: Instant,
    accountNumber: OptionalPersonalText,
  },
  { ...statuses(INVOICE_STATUSES) },
)

const CustomerItem = Type.Object({ id: Type.String(), createdOn: Instant, ...CustomerFacts })

export const browseCustomers = route({
  method: 'GET',
  path: '/dashboard/api/lists/customers',
  summary: 'Customers, by their newest record',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'payer.read',
  query: Type.Object({
    before: Type.Optional(CustomerPlace),
    size: ListQuery.size,
    customer: Type.Optional(CustomerSearch),
  }),
  reply: listOf(CustomerItem),
})

export const browsePaymentLinks = list(
  'payment-links',
  'Payment links',
  'money.read',
  {
    linkReference: Type.String(),
    path: Type.String({ description: 'path of the payment page on this gateway' }),
    status: words(PAYMENT_LINK_STATUSES),
    title: Type.String(),
    description: OptionalText,
    amount: nullable(Naira),
    usage: words(PAYMENT_LINK_USAGES),
    expiresOn: nullable(Instant),
    transactionReference: OptionalText,
  },
  {},
)

export const browseMandates = list(
  'mandates',
  'Mandates',
  'money.read',
  {
    mandateCode: Type.String(),
    mandateReference: Type.String(),
    status: words(MANDATE_STATUSES),
    mandateAmount: nullable(Naira),
    debited: Naira,
    startsOn: Instant,
    endsOn: Instant,
    description: Type.String(),
    customerName: OptionalPersonalText,
    customerEmail: OptionalPersonalText,
    payerAccountNumber: OptionalPersonalText,
  },
  { ...statuses(MANDATE_STATUSES), ...Customer },
)

export const browseSubAccounts = list(
  'sub-accounts',
  'Sub accounts, including deleted ones',
  'money.read',
  {
    subAccountCode: Type.String(),
    accountName: Type.String(),
    accountNumber: Type.String(),
    bankName: Type.String(),
    email: Type.String(),
    defaultSplitPercentage: Type.Number(),
    deletedOn: nullable(Instant),
  },
  {},
)

export const browsePaycodes = list(
  'paycodes',
  'Paycodes',
  'payout.read',
  {
    paycodeReference: Type.String(),
    transactionReference: Type.String(),
    status: words(PAYCODE_STATUSES),
    amount: Naira,
    fee: Naira,
    beneficiaryName: personal(Type.String()),
    expiresOn: Instant,
    completedOn: nullable(Instant),
  },
  { ...statuses(PAYCODE_STATUSES), ...Amounts },
)

export const browseBills = list(
  'bills',
  'Bill payments',
  'payout.read',
  {
    reference: Type.String(),
    transactionReference: Type.String(),
    status: words(VEND_STATUSES),
    biller: Type.String(),
    product: Type.String(),
    customerId: OptionalPersonalText,
    amount: Naira,
    commission: Naira,
    completedOn: nullable(Instant),
  },
  { ...statuses(VEND_STATUSES), ...Amounts },
)

export const browseLimitProfiles = list(
  'limit-profiles',
  'Limit profiles',
  'money.read',
  {
    code: Type.String(),
    name: Type.String(),
    singleTransactionValue: Naira,
    dailyTransactionValue: Naira,
    dailyTransactionVolume: Type.Integer(),
  },
  {},
)

const StatementLine = {
  type: words(['DEBIT', 'CREDIT']),
  amount: Naira,
  balanceBefore: Naira,
  balanceAfter: Naira,
  reference: Type.String(),
  transactionReference: Type.String(),
  narration: OptionalPersonalText,
  message: personal(Type.String()),
}

export const browseStatement = list(
  'statement',
  'Statement of a wallet; the merchant’s own unless an account number is given',
  'balances.read',
  StatementLine,
  { ...Amounts, type: Type.Optional(words(['DEBIT', 'CREDIT'])), accountNumber: Type.Optional(AccountNumber) },
)

export const browseEvents = list(
  'events',
  'Events',
  'developer.read',
  {
    eventType: Type.String(),
    reference: Type.String(),
    status: words(EVENT_STATUSES),
    attempts: Type.Integer(),
    nextAttemptOn: nullable(Instant),
  },
  { ...statuses(EVENT_STATUSES), eventType: Type.Optional(Type.String({ maxLength: 64 })) },
)

export const browseRequests = list('requests', 'Requests of the merchant’s server', 'developer.read', LoggedRequest, {
  ...RequestFilter,
})

export const browseAudit = list(
  'audit',
  'Audit log',
  'audit.read',
  {
    act: Type.String(),
    actTitle: nullable(
      Type.String({ description: 'what a user’s call of the API does, in words; null for other acts' }),
    ),
    actor: Type.String(),
    name: OptionalText,
    address: OptionalText,
    reference: OptionalText,
    details: personal(AnyMap),
  },
  { act: Type.Optional(Type.String({ maxLength: 64 })) },
)

export const getStatementBalances = route({
  method: 'GET',
  path: '/dashboard/api/statement/balances',
  summary: 'Get the opening and closing balance of a statement',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'balances.read',
  query: Type.Object({ from: ListQuery.from, to: ListQuery.to, accountNumber: Type.Optional(AccountNumber) }),
  reply: Type.Object({ openingBalance: Naira, closingBalance: Naira }),
})

export const getLinkPayments = route({
  method: 'GET',
  path: '/dashboard/api/payment-links/:linkReference/payments',
  summary: 'Get the payments of a payment link: their number, their total, and the newest transactions',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'money.read',
  params: Type.Object({ linkReference: Reference }),
  reply: Type.Object({
    payments: Type.Integer({ description: 'transactions in which something was paid' }),
    amount: Naira,
    isPartial: Type.Boolean({ description: 'whether older transactions are left out of number and total' }),
    newest: Type.Array(browseTransactions.reply.properties.items.items),
  }),
  refusals: [paymentLinkRefusals.notFound],
})

/** Every list, by its name in exports. */
export const LISTS = {
  transactions: browseTransactions,
  customers: browseCustomers,
  transfers: browseTransfers,
  batches: browseBatches,
  refunds: browseRefunds,
  disputes: browseDisputes,
  settlements: browseSettlements,
  'reserved-accounts': browseReservedAccounts,
  invoices: browseInvoices,
  'payment-links': browsePaymentLinks,
  mandates: browseMandates,
  'sub-accounts': browseSubAccounts,
  paycodes: browsePaycodes,
  bills: browseBills,
  'limit-profiles': browseLimitProfiles,
  statement: browseStatement,
  events: browseEvents,
  requests: browseRequests,
  audit: browseAudit,
} as const
export type ListName = keyof typeof LISTS

export const dashboardLists = group({
  title: 'Lists',
  text: 'A merchant’s records, newest first. Each page starts at the ID where the previous one ended, so old pages are as fast as the first; there are no totals. A search for rare values covers part of the history, and the response says how far back it went.',
  routes: {
    browseTransactions,
    browseCustomers,
    browseTransfers,
    browseBatches,
    browseRefunds,
    browseDisputes,
    browseSettlements,
    browseReservedAccounts,
    browseInvoices,
    browsePaymentLinks,
    browseMandates,
    browseSubAccounts,
    browsePaycodes,
    browseBills,
    browseLimitProfiles,
    browseStatement,
    browseEvents,
    browseRequests,
    browseAudit,
    getStatementBalances,
    getLinkPayments,
  },
  refusals: {},
})
