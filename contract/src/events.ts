import Type from 'typebox'
import { MetaData, Naira, NairaText, nullable, words } from './fields.ts'
import { PaymentStatus, Product } from './transactions.ts'

/** The kinds of event that may go to an address of their own. */
export const EVENT_KINDS = ['collection', 'disbursement', 'refund', 'settlement', 'mandate', 'wallet'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

const PaymentSource = Type.Object({
  bankCode: nullable(Type.String()),
  amountPaid: Naira,
  accountName: nullable(Type.String()),
  sessionId: Type.String(),
  accountNumber: nullable(Type.String()),
})

const Customer = Type.Object({ name: nullable(Type.String()), email: Type.String() })

/** A payment arrived. `paymentStatus` says whether in full: PARTIALLY_PAID arrives as this event too. */
export const SuccessfulTransaction = Type.Object({
  product: Product,
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  invoiceReference: Type.Optional(Type.String()),
  paidOn: Type.String({ examples: ['2026-03-01 10:30:00.000'] }),
  paymentDescription: nullable(Type.String()),
  metaData: MetaData,
  paymentSourceInformation: Type.Array(PaymentSource),
  destinationAccountInformation: Type.Partial(
    Type.Object({ bankCode: Type.String(), bankName: Type.String(), accountNumber: Type.String() }),
  ),
  amountPaid: Naira,
  totalPayable: Naira,
  cardDetails: MetaData,
  paymentMethod: Type.String(),
  currency: Type.String(),
  settlementAmount: NairaText,
  paymentStatus: PaymentStatus,
  customer: Customer,
})

export const REJECTION_REASONS = [
  'UNDER_PAYMENT',
  'ACCOUNT_EXPIRED',
  'ALREADY_PAID',
  'PAYMENT_SOURCE_NOT_ALLOWED',
  'LIMIT_EXCEEDED',
  'ACCOUNT_INACTIVE',
] as const
export type RejectionReason = (typeof REJECTION_REASONS)[number]

/** A credit was sent back to the payer; nothing was kept. */
export const RejectedPayment = Type.Object({
  metaData: MetaData,
  product: Product,
  amount: Naira,
  paymentSourceInformation: PaymentSource,
  transactionReference: Type.String(),
  created_on: Type.String({ examples: ['2026-03-01 10:30:00.0'] }),
  paymentReference: Type.String(),
  paymentRejectionInformation: Type.Object({
    bankCode: Type.String(),
    destinationAccountNumber: Type.String(),
    bankName: Type.String(),
    rejectionReason: words(REJECTION_REASONS),
    expectedAmount: Naira,
  }),
  paymentDescription: nullable(Type.String()),
  customer: Customer,
})

/** Every event by its type: the shape of its `eventData`, and the kind that decides which address it goes to. */
export const EVENTS = {
  SUCCESSFUL_TRANSACTION: {
    kind: 'collection',
    summary: 'A payment arrived, in full or in part: read paymentStatus',
    data: SuccessfulTransaction,
  },
  REJECTED_PAYMENT: { kind: 'collection', summary: 'A credit was sent back to the payer', data: RejectedPayment },
} as const
export type EventType = keyof typeof EVENTS
