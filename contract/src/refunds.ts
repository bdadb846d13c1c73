import Type from 'typebox'
import { Amount, Moment, Naira, nullable, optional, Reference, words } from './fields.ts'
import { PageQuery, page } from './page.ts'
import { refundRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

export const REFUND_STATUSES = ['PENDING', 'COMPLETED', 'FAILED'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

export const REFUND_TYPES = ['FULL_REFUND', 'PARTIAL_REFUND'] as const
export type RefundType = (typeof REFUND_TYPES)[number]

/** Money of a payment that goes back to the customer. The destination is null where it goes back to a card. */
export const RefundRecord = Type.Object({
  refundReference: Type.String({ examples: ['refund-1001'] }),
  reference: Type.String({ examples: ['TRFD|01KJMQ4X2R9GZ6T7V8W3Y5B1CD'] }),
  transactionReference: Type.String(),
  refundReason: Type.String({ examples: ['Wrong size'] }),
  customerNote: Type.String({ examples: ['Sorry!'] }),
  refundAmount: Naira,
  refundType: words(REFUND_TYPES),
  refundStatus: words(REFUND_STATUSES),
  refundStrategy: words(['MERCHANT_WALLET']),
  comment: Type.String({ examples: ['Refund initiated'] }),
  createdOn: Type.String({ examples: ['01/03/2026 10:30:00 AM'] }),
  completedOn: nullable(Type.String({ examples: ['01/03/2026 10:30:02 AM'] })),
  destinationAccountNumber: nullable(Type.String()),
  destinationAccountName: nullable(Type.String()),
  destinationAccountBankCode: nullable(Type.String()),
  destinationBankName: nullable(Type.String()),
  currencyCode: Type.String(),
})

export const REFUND_REASON_LENGTH_MAX = 64
export const CUSTOMER_NOTE_LENGTH_MAX = 16

/** Bounds with codes of their own (R4, R6, R8) are not in the schema, whose refusals all carry 99. */
export const initiateRefund = route({
  method: 'POST',
  path: '/api/v1/refunds/initiate-refund',
  summary: 'Give a payment back, in full or in part',
  description:
    'Paid from the merchant’s wallet, with the fee of a refund (10, unless another price is set). A transfer goes back to the payer’s account or to the one named, a card payment to the card. Where several payments make up what was paid, each goes back by its own way, the newest first; where one of them fails, refundAmount is in the end what arrived.',
  permission: 'refunds',
  person: 'refund.make',
  body: Type.Object({
    transactionReference: Reference,
    refundAmount: Amount,
    refundReference: Reference,
    refundReason: Type.String({
      description: `at most ${REFUND_REASON_LENGTH_MAX} characters`,
      examples: ['Wrong size'],
    }),
    customerNote: Type.String({ description: `at most ${CUSTOMER_NOTE_LENGTH_MAX} characters`, examples: ['Sorry!'] }),
    destinationAccountNumber: optional(Type.String({ description: '10 digits' })),
    destinationAccountBankCode: optional(Type.String()),
  }),
  reply: RefundRecord,
  refusals: [
    refundRefusals.unknownTransaction,
    refundRefusals.notRefundable,
    refundRefusals.aboveAmount,
    refundRefusals.amountTooSmall,
    refundRefusals.insufficientBalance,
    refundRefusals.invalidAccount,
    refundRefusals.textTooLong,
    refundRefusals.duplicateReference,
    refundRefusals.fullyRefunded,
  ],
})

export const getRefund = route({
  method: 'GET',
  path: '/api/v1/refunds/:refundReference',
  summary: 'Status of a refund',
  permission: 'refunds',
  person: 'payer.read',
  params: Type.Object({ refundReference: Reference }),
  reply: RefundRecord,
  refusals: [refundRefusals.notFound],
})

export const listRefunds = route({
  method: 'GET',
  path: '/api/v1/refunds',
  summary: 'Refunds, newest first',
  permission: 'refunds',
  person: 'payer.read',
  query: Type.Object({ ...PageQuery, from: Type.Optional(Moment), to: Type.Optional(Moment) }),
  reply: page(RefundRecord),
})

export const refunds = group({
  title: 'Refunds',
  text: 'Give payments back, in full or in part, from the wallet.',
  routes: { initiateRefund, getRefund, listRefunds },
  refusals: refundRefusals,
})
