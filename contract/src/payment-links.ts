import Type from 'typebox'
import {
  Amount,
  ContractCode,
  DateTime,
  Email,
  MailLanguage,
  nullable,
  optional,
  PaymentMethod,
  RedirectUrl,
  Reference,
  words,
} from './fields.ts'
import { PageQuery, page } from './page.ts'
import { NO_PERMISSION } from './permissions.ts'
import { mailRefusals, paymentLinkRefusals, transactionRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

export const PAYMENT_LINK_STATUSES = ['ACTIVE', 'PAID', 'EXPIRED', 'DISABLED'] as const
export type PaymentLinkStatus = (typeof PAYMENT_LINK_STATUSES)[number]
export const PAYMENT_LINK_USAGES = ['ONCE', 'OFTEN'] as const

const Usage = words(PAYMENT_LINK_USAGES, 'whether the link closes after one payment')

/** A link that anyone can pay. */
export const PaymentLink = Type.Object({
  linkReference: Type.String({ examples: ['link-1001'] }),
  url: Type.String({
    description: 'URL of the payment page',
    examples: ['http://localhost:8080/pay/k3n8qv2xy5bc9de4'],
  }),
  status: words(PAYMENT_LINK_STATUSES),
  title: Type.String({ examples: ['Church harvest'] }),
  description: nullable(Type.String()),
  amount: nullable(Type.Number({ description: 'Naira; null if the customer chooses the amount', examples: [5_000] })),
  usage: Usage,
  contractCode: Type.String({ examples: ['102030405060'] }),
  paymentMethods: Type.Array(Type.String(), {
    description: 'payment methods offered; empty for all that the contract allows',
    examples: [[]],
  }),
  redirectUrl: nullable(Type.String()),
  createdOn: Type.String({ examples: ['2026-03-01 10:30:00'] }),
  expiryDate: nullable(Type.String({ examples: ['2026-04-01 12:00:00'] })),
  transactionReference: nullable(Type.String({ description: 'latest transaction of a single-use link' })),
})

const LinkReference = Type.String({ ...Reference, examples: ['link-1001'] })
const params = Type.Object({ linkReference: LinkReference })

export const createPaymentLink = route({
  method: 'POST',
  path: '/api/v1/payment-links',
  summary: 'Create a payment link',
  description:
    'Anyone who opens `url` can pay the amount or, without one, an amount of their choice. Each payment is its own transaction, with the link’s reference in `metaData.paymentLink`, and raises the usual events.',
  permission: NO_PERMISSION.collecting,
  person: 'collect.make',
  body: Type.Object({
    linkReference: LinkReference,
    title: Type.String({ minLength: 1, maxLength: 100, examples: ['Church harvest'] }),
    description: optional(Type.String({ maxLength: 255 })),
    amount: optional(Amount),
    usage: Usage,
    contractCode: ContractCode,
    paymentMethods: optional(Type.Array(PaymentMethod, { maxItems: 10 })),
    redirectUrl: optional(RedirectUrl),
    expiryDate: optional(Type.String({ ...DateTime, examples: ['2026-04-01 12:00:00'] })),
  }),
  reply: PaymentLink,
  refusals: [
    paymentLinkRefusals.expiryPast,
    paymentLinkRefusals.duplicateReference,
    transactionRefusals.amountTooSmall,
    transactionRefusals.unknownContract,
    transactionRefusals.methodNotEnabled,
    transactionRefusals.noMethodForPayers,
  ],
})

export const getPaymentLink = route({
  method: 'GET',
  path: '/api/v1/payment-links/:linkReference',
  summary: 'Get a payment link',
  permission: NO_PERMISSION.ownData,
  person: 'money.read',
  params,
  reply: PaymentLink,
  refusals: [paymentLinkRefusals.notFound],
})

export const listPaymentLinks = route({
  method: 'GET',
  path: '/api/v1/payment-links',
  summary: 'List all payment links, newest first',
  permission: NO_PERMISSION.ownData,
  person: 'money.read',
  query: Type.Object(PageQuery),
  reply: page(PaymentLink),
})

export const disablePaymentLink = route({
  method: 'DELETE',
  path: '/api/v1/payment-links/:linkReference',
  summary: 'Disable a payment link',
  description: 'Customers who have already started to pay can finish until their transaction expires.',
  permission: NO_PERMISSION.collecting,
  person: 'collect.make',
  params,
  reply: PaymentLink,
  refusals: [paymentLinkRefusals.notFound],
})

export const mailPaymentLink = route({
  method: 'POST',
  path: '/api/v1/payment-links/:linkReference/mail',
  summary: 'Email a payment link',
  permission: NO_PERMISSION.collecting,
  person: 'collect.make',
  params,
  body: Type.Object({ email: Email, language: MailLanguage }),
  reply: PaymentLink,
  refusals: [paymentLinkRefusals.notFound, paymentLinkRefusals.over, mailRefusals.webAddress, mailRefusals.tooMany],
})

export const paymentLinks = group({
  title: 'Payment links',
  text: 'Links that anyone can pay: a fixed or open amount, once or many times. A Kobo extension; Monnify’s API has no such paths.',
  routes: { createPaymentLink, getPaymentLink, listPaymentLinks, disablePaymentLink, mailPaymentLink },
  refusals: { ...paymentLinkRefusals, ...mailRefusals },
})

/** The data of a payment link's page. */
export interface LinkPage {
  readonly merchantName: string
  readonly merchantLogo: string | null
  readonly title: string
  readonly description: string | null
  /** Null if the customer chooses the amount. */
  readonly amount: number | null
  /** Whether the link accepts payments now, and if not, why. */
  readonly state: 'OPEN' | 'PAID' | 'OVER' | 'PAUSED'
  readonly isSandbox: boolean
  /** The customer's input, and the invalid fields. */
  readonly written: Readonly<Record<'amount' | 'name' | 'email', string>>
  readonly wrong: readonly ('amount' | 'name' | 'email')[]
}
