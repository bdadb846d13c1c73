import Type from 'typebox'
import {
  Amount,
  ContractCode,
  CurrencyCode,
  DateTime,
  Email,
  IncomeSplitConfig,
  MailLanguage,
  Naira,
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
import { invoiceRefusals, mailRefusals, noAccount, paymentTerms, reservedAccountRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

export const INVOICE_STATUSES = ['PENDING', 'PAID', 'EXPIRED', 'CANCELLED'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/** One sub account's share of an invoice. */
export const InvoiceSplit = Type.Object({
  subAccountCode: Type.String({ examples: ['KBO_SUB_102030405060'] }),
  splitAmount: nullable(Naira),
  feePercentage: nullable(Type.Number()),
  feeBearer: Type.Boolean(),
  splitPercentage: nullable(Type.Number()),
})

const ITEMS_MAX = 50
const QUANTITY_MAX = 1_000_000

const NewItem = Type.Object({
  description: Type.String({ minLength: 1, maxLength: 255, examples: ['Pair of shoes'] }),
  quantity: Type.Integer({ minimum: 1, maximum: QUANTITY_MAX, examples: [2] }),
  unitPrice: Type.Unsafe<number | string>({ ...Amount, examples: [2500] }),
})
export const InvoiceItem = Type.Object({ ...NewItem.properties, unitPrice: Naira })

export const Invoice = Type.Object({
  amount: Naira,
  invoiceReference: Type.String({ examples: ['invoice-1001'] }),
  invoiceStatus: words(INVOICE_STATUSES),
  description: Type.String({ examples: ['Two pairs of shoes'] }),
  contractCode: Type.String({ examples: ['102030405060'] }),
  customerEmail: personal(Type.String()),
  customerName: personal(Type.String()),
  expiryDate: Type.String({ examples: ['2026-04-01 12:00:00'] }),
  createdBy: Type.String({ description: 'API key that created the invoice', examples: ['MK_TEST_AB12CD34EF'] }),
  createdOn: Type.String({ examples: ['2026-03-01 10:30:00'] }),
  checkoutUrl: Type.String(),
  accountNumber: Type.Optional(Type.String()),
  accountName: Type.Optional(Type.String({ examples: ['Two pairs of shoes'] })),
  bankName: Type.Optional(Type.String()),
  bankCode: Type.Optional(Type.String()),
  redirectUrl: nullable(Type.String()),
  transactionReference: Type.String(),
  incomeSplitConfig: Type.Array(InvoiceSplit, { examples: [[]] }),
  items: Type.Optional(Type.Array(InvoiceItem)),
})

const InvoiceReference = Type.String({ ...Reference, examples: ['invoice-1001'] })
const params = Type.Object({ invoiceReference: InvoiceReference })

export const createInvoice = route({
  method: 'POST',
  path: '/api/v1/invoice/create',
  summary: 'Create an invoice',
  description:
    'The customer pays into the returned account or at `checkoutUrl`. `items`, a Kobo extension, are listed on its page, PDF and email; their prices must add up to the amount. `accountReference` attaches the invoice to a reserved account of type INVOICE, which can have one open invoice at a time.',
  permission: NO_PERMISSION.collecting,
  person: 'collect.make',
  body: Type.Object({
    amount: Amount,
    currencyCode: CurrencyCode,
    invoiceReference: InvoiceReference,
    customerName: Type.String({ minLength: 1, maxLength: 255 }),
    customerEmail: Email,
    contractCode: ContractCode,
    description: Type.String({ minLength: 1, maxLength: 255, examples: ['Two pairs of shoes'] }),
    expiryDate: Type.String({ ...DateTime, examples: ['2026-04-01 12:00:00'] }),
    items: optional(Type.Array(NewItem, { maxItems: ITEMS_MAX })),
    incomeSplitConfig: optional(IncomeSplitConfig),
    redirectUrl: optional(RedirectUrl),
    paymentMethods: optional(PaymentMethods),
    accountReference: optional(Text), // empty means none
  }),
  reply: Invoice,
  refusals: [
    invoiceRefusals.expiryPast,
    invoiceRefusals.expiryTooFar,
    invoiceRefusals.itemsDiffer,
    ...paymentTerms,
    invoiceRefusals.duplicateReference,
    invoiceRefusals.transferNotEnabled,
    reservedAccountRefusals.noSuchAccount,
    reservedAccountRefusals.notForInvoices,
    reservedAccountRefusals.hasOpenInvoice,
    ...noAccount,
  ],
})

export const getInvoice = route({
  method: 'GET',
  path: '/api/v1/invoice/:invoiceReference/details',
  summary: 'Get an invoice',
  permission: NO_PERMISSION.ownData,
  person: 'payer.read',
  params,
  reply: Invoice,
  refusals: [invoiceRefusals.notFound],
})

export const listInvoices = route({
  method: 'GET',
  path: '/api/v1/invoice/all',
  summary: 'List all invoices, newest first',
  permission: NO_PERMISSION.ownData,
  person: 'payer.read',
  query: Type.Object(PageQuery),
  reply: page(Invoice),
})

export const cancelInvoice = route({
  method: 'DELETE',
  path: '/api/v1/invoice/:invoiceReference/cancel',
  summary: 'Cancel an unpaid invoice',
  permission: NO_PERMISSION.collecting,
  person: 'collect.make',
  params,
  reply: Invoice,
  refusals: [invoiceRefusals.notFound, invoiceRefusals.notCancellable, invoiceRefusals.partlyPaid],
})

export const mailInvoice = route({
  method: 'POST',
  path: '/api/v1/invoice/:invoiceReference/mail',
  summary: 'Email an invoice to the customer',
  description:
    'A Kobo extension; Monnify’s API has no such path. The email has the amount, the account to pay into, and links to the payment page and the PDF.',
  permission: NO_PERMISSION.collecting,
  person: 'collect.make',
  params,
  body: Type.Object({ language: MailLanguage }),
  reply: Invoice,
  refusals: [invoiceRefusals.notFound, invoiceRefusals.notMailable, mailRefusals.webAddress, mailRefusals.tooMany],
})

export const invoices = group({
  title: 'Invoices',
  text: 'Request an amount from a customer by a due date, payable by transfer, card or checkout.',
  routes: { createInvoice, getInvoice, listInvoices, cancelInvoice, mailInvoice },
  refusals: invoiceRefusals,
})
