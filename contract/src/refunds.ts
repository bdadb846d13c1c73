import Type from 'typebox'
import { Amount, Moment, Naira, nullable, optional, Reference, words } from './fields.ts'
import { OTHER_NAMES } from './lenient.ts'
import { PageQuery, page } from './page.ts'
import { personal } from './personal-data.ts'
import { refundRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

export const REFUND_STATUSES = ['PENDING', 'COMPLETED', 'FAILED'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

export const REFUND_TYPES = ['FULL_REFUND', 'PARTIAL_REFUND'] as const
export type RefundType = (typeof REFUND_TYPES)[number]

/** A refund. The destination is null if it goes to a card. */
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
  destinationAccountNumber: nullable(personal(Type.String())),
  destinationAccountName: nullable(personal(Type.String())),
  destinationAccountBankCode: nullable(Type.String()),
  destinationBankName: nullable(Type.String()),
  currencyCode: Type.String(),
})

export const REFUND_REASON_LENGTH_MAX = 64
export const CUSTOMER_NOTE_LENGTH_MAX = 16

/** The gateway checks the limits that have their own codes (R4, R6, R8); all errors of the schema have code 99. */
export const initiateRefund = route({
  method: 'POST',
  path: '/api/v1/refunds/initiate-refund',
  summary: 'Refund a payment, in full or in part',
  description:
    'Paid from the merchant’s wallet, plus the refund fee (10 naira by default). A transfer is refunded to the payer’s account or to the given account, a card payment to the card. If there were several payments, each is refunded to its original payment method, newest first. If one of them fails, the final refundAmount is what was actually refunded. A refund to an account other than the payer’s is a payout: if your approval policy covers the API, it stays PENDING until an approver authorizes it.',
  permission: 'refunds',
  person: 'refund.make',
  fresh: true,
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
  otherNames: OTHER_NAMES.initiateRefund,
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
  summary: 'Get the status of a refund',
  permission: 'refunds',
  person: 'payer.read',
  params: Type.Object({ refundReference: Reference }),
  reply: RefundRecord,
  refusals: [refundRefusals.notFound],
})

export const listRefunds = route({
  method: 'GET',
  path: '/api/v1/refunds',
  summary: 'List refunds, newest first',
  permission: 'refunds',
  person: 'payer.read',
  query: Type.Object({ ...PageQuery, from: Type.Optional(Moment), to: Type.Optional(Moment) }),
  reply: page(RefundRecord),
})

export const refunds = group({
  title: 'Refunds',
  text: 'Refund payments from the wallet, in full or in part.',
  routes: { initiateRefund, getRefund, listRefunds },
  refusals: refundRefusals,
})
