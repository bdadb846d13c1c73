import Type from 'typebox'
import {
  Amount,
  AnyMap,
  ContractCode,
  CurrencyCode,
  Email,
  IncomeSplitConfig,
  MetaData,
  Moment,
  Naira,
  NairaText,
  nullable,
  optional,
  PaymentMethods,
  RedirectUrl,
  Reference,
  Text,
  words,
} from './fields.ts'
import { PageQuery, page } from './page.ts'
import { NO_PERMISSION } from './permissions.ts'
import { personal } from './personal-data.ts'
import { paymentTerms, transactionRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

export const PAYMENT_STATUSES = [
  'PENDING',
  'OVERPAID',
  'PARTIALLY_PAID',
  'PAID',
  'EXPIRED',
  'FAILED',
  'CANCELLED',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]
export const PaymentStatus = words(PAYMENT_STATUSES)

/** The origin of a payment. */
export const PRODUCT_TYPES = [
  'WEB_SDK',
  'API_NOTIFICATION',
  'RESERVED_ACCOUNT',
  'INVOICE',
  'OFFLINE_PAYMENT_AGENT',
  'DIRECT_DEBIT',
] as const
export type ProductType = (typeof PRODUCT_TYPES)[number]
export const Product = Type.Object({ type: words(PRODUCT_TYPES), reference: Type.String() })

const Customer = Type.Object({ email: personal(Type.String()), name: nullable(personal(Type.String())) })

/** One credit in the status record, with the payer's account number masked. */
export const AccountDetails = Type.Object({
  accountName: nullable(personal(Type.String())),
  accountNumber: nullable(personal(Type.String({ examples: ['******2190'] }))),
  bankCode: nullable(Type.String()),
  amountPaid: NairaText,
})

export const CardDetails = Type.Object({
  cardType: Type.String(),
  last4: Type.String(),
  expMonth: Type.String(),
  expYear: Type.String(),
  bin: Type.String(),
  bankCode: nullable(Type.String()),
  bankName: nullable(Type.String()),
  reusable: Type.Boolean(),
  countryCode: nullable(Type.String()),
  cardToken: nullable(Type.String()),
  supportsTokenization: Type.Boolean(),
  maskedPan: Type.String(),
})

export const TransactionStatusRecord = Type.Object({
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  amountPaid: NairaText,
  totalPayable: NairaText,
  settlementAmount: nullable(NairaText),
  paidOn: nullable(Type.String({ examples: ['01/03/2026 10:30:00 AM'] })),
  paymentStatus: PaymentStatus,
  paymentDescription: nullable(personal(Type.String())),
  currency: Type.String(),
  paymentMethod: nullable(Type.String()),
  product: Product,
  cardDetails: nullable(CardDetails),
  accountDetails: nullable(AccountDetails),
  accountPayments: Type.Array(AccountDetails),
  customer: Customer,
  metaData: personal(AnyMap),
})

export const TransactionListRecord = Type.Object({
  customerDTO: Type.Object({
    email: personal(Type.String()),
    name: nullable(personal(Type.String())),
    merchantCode: Type.String(),
  }),
  paymentMethod: Type.Optional(Type.String()),
  createdOn: Type.String({ examples: ['2026-03-01T09:30:00.000+0000'] }),
  completedOn: Type.Optional(Type.String()),
  amount: Naira,
  flagged: Type.Boolean(),
  fee: Type.Optional(Naira),
  currencyCode: Type.String(),
  paymentDescription: nullable(personal(Type.String())),
  paymentStatus: PaymentStatus,
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  merchantCode: Type.String(),
  merchantName: Type.String(),
  metaData: personal(AnyMap),
  payableAmount: Naira,
  amountPaid: Type.Optional(Naira),
  completed: Type.Boolean(),
  paymentMethodList: Type.Array(Type.String()),
  collectionChannel: Type.String(),
})

export const initTransaction = route({
  method: 'POST',
  path: '/api/v1/merchant/transactions/init-transaction',
  summary: 'Initialize a transaction',
  description: 'Opens a payment of at least 20 naira and returns the URL of its hosted checkout.',
  permission: NO_PERMISSION.collecting,
  person: 'collect.make',
  body: Type.Object({
    amount: Amount,
    customerName: optional(Text),
    customerEmail: Email,
    paymentReference: Reference,
    paymentDescription: optional(Text),
    currencyCode: CurrencyCode,
    contractCode: ContractCode,
    redirectUrl: optional(RedirectUrl),
    paymentMethods: optional(PaymentMethods),
    incomeSplitConfig: optional(IncomeSplitConfig),
    metaData: optional(MetaData),
    metadata: optional(MetaData),
  }),
  reply: Type.Object({
    transactionReference: Type.String({ examples: ['KOBO|01|20260301093000|000001'] }),
    paymentReference: Type.String(),
    merchantName: Type.String(),
    apiKey: Type.String(),
    enabledPaymentMethod: Type.Array(Type.String()),
    checkoutUrl: Type.String(),
    redirectUrl: Type.Optional(Type.String()),
    incomeSplitConfig: Type.Optional(Type.Array(AnyMap)),
  }),
  refusals: [...paymentTerms, transactionRefusals.duplicateReference],
})

export const searchTransactions = route({
  method: 'GET',
  path: '/api/v1/transactions/search',
  summary: 'Search transactions, newest first',
  permission: NO_PERMISSION.ownData,
  person: 'payer.read',
  query: Type.Object({
    ...PageQuery,
    paymentReference: Type.Optional(Type.String({ maxLength: 128 })),
    transactionReference: Type.Optional(Type.String({ maxLength: 128 })),
    fromAmount: Type.Optional(Amount),
    toAmount: Type.Optional(Amount),
    amount: Type.Optional(Amount),
    customerName: Type.Optional(
      personal(Type.String({ maxLength: 255, description: 'part of the name, case-insensitive' })),
    ),
    customerEmail: Type.Optional(personal(Type.String({ maxLength: 255 }))),
    paymentStatus: Type.Optional(PaymentStatus),
    from: Type.Optional(Moment),
    to: Type.Optional(Moment),
  }),
  reply: page(TransactionListRecord),
})

const TransactionParams = Type.Object({ transactionReference: Reference })

export const getTransaction = route({
  method: 'GET',
  path: '/api/v2/transactions/:transactionReference',
  summary: 'Get the status of a transaction',
  permission: NO_PERMISSION.ownData,
  person: 'payer.read',
  params: TransactionParams,
  reply: TransactionStatusRecord,
  refusals: [transactionRefusals.notFound],
})

export const queryTransaction = route({
  method: 'GET',
  path: '/api/v2/merchant/transactions/query',
  summary: 'Get the status of a transaction by either reference',
  permission: NO_PERMISSION.ownData,
  person: 'payer.read',
  query: Type.Object({
    transactionReference: Type.Optional(Reference),
    paymentReference: Type.Optional(Reference),
  }),
  reply: TransactionStatusRecord,
  refusals: [transactionRefusals.referenceRequired, transactionRefusals.notFound],
  deprecatedPaths: ['/api/v1/merchant/transactions/query'],
})

export const cancelTransaction = route({
  method: 'DELETE',
  path: '/api/v1/merchant/transactions/:transactionReference',
  summary: 'Cancel an unpaid transaction',
  permission: NO_PERMISSION.collecting,
  person: 'collect.make',
  params: TransactionParams,
  reply: TransactionStatusRecord,
  refusals: [transactionRefusals.notFound, transactionRefusals.notCancellable],
})

export const transactions = group({
  title: 'Transactions',
  text: 'Open, track, search and cancel payments.',
  routes: { initTransaction, getTransaction, queryTransaction, searchTransactions, cancelTransaction },
  refusals: transactionRefusals,
})
