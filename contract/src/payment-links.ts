import Type from 'typebox'
import {
  Amount,
  ContractCode,
  DateTime,
  Email,
  nullable,
  optional,
  PaymentMethod,
  RedirectUrl,
  Reference,
  words,
} from './fields.ts'
import { PageQuery, page } from './page.ts'
import { NO_PERMISSION } from './permissions.ts'
import { paymentLinkRefusals, transactionRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

export const PAYMENT_LINK_STATUSES = ['ACTIVE', 'PAID', 'EXPIRED', 'DISABLED'] as const
export type PaymentLinkStatus = (typeof PAYMENT_LINK_STATUSES)[number]
export const PAYMENT_LINK_USAGES = ['ONCE', 'OFTEN'] as const

const Usage = words(PAYMENT_LINK_USAGES, 'whether it is over once somebody has paid')

/** A link that anyone can pay. */
export const PaymentLink = Type.Object({
  linkReference: Type.String({ examples: ['link-1001'] }),
  url: Type.String({ description: 'what payers open', examples: ['http://localhost:8080/pay/k3n8qv2xy5bc9de4'] }),
  status: words(PAYMENT_LINK_STATUSES),
  title: Type.String({ examples: ['Church harvest'] }),
  description: nullable(Type.String()),
  amount: nullable(Type.Number({ description: 'null where the payer says how much', examples: [5_000] })),
  usage: Usage,
  contractCode: Type.String({ examples: ['102030405060'] }),
  paymentMethods: Type.Array(Type.String(), { description: 'empty where all that the contract takes', examples: [[]] }),
  redirectUrl: nullable(Type.String()),
  createdOn: Type.String({ examples: ['2026-03-01 10:30:00'] }),
  expiryDate: nullable(Type.String({ examples: ['2026-04-01 12:00:00'] })),
  transactionReference: nullable(
    Type.String({ description: 'of a link that is paid once: the transaction that was opened last' }),
  ),
})

const LinkReference = Type.String({ ...Reference, examples: ['link-1001'] })
const params = Type.Object({ linkReference: LinkReference })

export const createPaymentLink = route({
  method: 'POST',
  path: '/api/v1/payment-links',
  summary: 'Create a payment link',
  description:
    'Whoever opens `url` can pay: the amount, or without one as much as they write. Each payment is a transaction of its own, whose `metaData` has `paymentLink` with the reference of the link; its events tell you.',
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
    transactionRefusals.nothingForPayers,
  ],
})

export const getPaymentLink = route({
  method: 'GET',
  path: '/api/v1/payment-links/:linkReference',
  summary: 'A payment link',
  permission: NO_PERMISSION.ownBooks,
  person: 'money.read',
  params,
  reply: PaymentLink,
  refusals: [paymentLinkRefusals.notFound],
})

export const listPaymentLinks = route({
  method: 'GET',
  path: '/api/v1/payment-links',
  summary: 'All payment links, newest first',
  permission: NO_PERMISSION.ownBooks,
  person: 'money.read',
  query: Type.Object(PageQuery),
  reply: page(PaymentLink),
})

export const disablePaymentLink = route({
  method: 'DELETE',
  path: '/api/v1/payment-links/:linkReference',
  summary: 'Take no more payments by a link',
  description: 'Who has gone on to pay already still can, until that transaction is over.',
  permission: NO_PERMISSION.collecting,
  person: 'collect.make',
  params,
  reply: PaymentLink,
  refusals: [paymentLinkRefusals.notFound],
})

export const mailPaymentLink = route({
  method: 'POST',
  path: '/api/v1/payment-links/:linkReference/mail',
  summary: 'Mail a payment link to somebody',
  permission: NO_PERMISSION.collecting,
  person: 'collect.make',
  params,
  body: Type.Object({ email: Email }),
  reply: PaymentLink,
  refusals: [paymentLinkRefusals.notFound, paymentLinkRefusals.over],
})

export const paymentLinks = group({
  title: 'Payment links',
  text: 'Links that anyone can pay, for an amount or any, once or often. Of ours: the interface has no such paths.',
  routes: { createPaymentLink, getPaymentLink, listPaymentLinks, disablePaymentLink, mailPaymentLink },
  refusals: paymentLinkRefusals,
})

/** What the page of a payment link is made of. */
export interface LinkPage {
  readonly merchantName: string
  readonly merchantLogo: string | null
  readonly title: string
  readonly description: string | null
  /** Null where the payer says how much. */
  readonly amount: number | null
  /** Whether it takes payments now. */
  readonly state: 'OPEN' | 'PAID' | 'OVER' | 'PAUSED'
  readonly isSandbox: boolean
  /** What the payer wrote, and which of it is wrong. */
  readonly written: Readonly<Record<'amount' | 'name' | 'email', string>>
  readonly wrong: readonly ('amount' | 'name' | 'email')[]
}
