import Type, { type TSchema } from 'typebox'
import { Mandate } from './direct-debit.ts'
import { DISPUTE_STATUSES, DISPUTE_TYPES } from './disputes.ts'
import { AnyMap, Naira, NairaText, nullable, words } from './fields.ts'
import { AccountDetails, CardDetails, PaymentStatus, Product } from './transactions.ts'
import { TransferStatus } from './transfer-records.ts'

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
  metaData: AnyMap,
  paymentSourceInformation: Type.Array(PaymentSource),
  destinationAccountInformation: Type.Partial(
    Type.Object({ bankCode: Type.String(), bankName: Type.String(), accountNumber: Type.String() }),
  ),
  amountPaid: Naira,
  totalPayable: Naira,
  cardDetails: AnyMap,
  paymentMethod: Type.String(),
  currency: Type.String(),
  settlementAmount: NairaText,
  paymentStatus: PaymentStatus,
  customer: Customer,
  offlineProductInformation: Type.Optional(
    Type.Object(
      { amount: Naira, code: Type.String({ examples: ['56417'] }), type: Type.String({ examples: ['DYNAMIC'] }) },
      { description: 'of cash paid at an agent' },
    ),
  ),
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
  metaData: AnyMap,
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

const Refunded = {
  merchantReason: Type.String({ examples: ['Wrong size'] }),
  transactionReference: Type.String(),
  completedOn: Type.String({ examples: ['01/03/2026 10:30:02 AM'] }),
  customerNote: Type.String({ examples: ['Sorry!'] }),
  createdOn: Type.String({ examples: ['01/03/2026 10:30:00 AM'] }),
  refundReference: Type.String({ examples: ['refund-1001'] }),
  refundAmount: Naira,
}

/** The customer has a refund. */
export const SuccessfulRefund = Type.Object({ ...Refunded, refundStatus: words(['COMPLETED']) })

/** A refund could not be paid: the wallet has its money back. */
export const FailedRefund = Type.Object({ ...Refunded, refundStatus: words(['FAILED']) })

const disputed = (example: (typeof DISPUTE_STATUSES)[number]) =>
  Type.Object({
    disputeReference: Type.String({ examples: ['KDSP01KJMQ4X2R9GZ6T7V8W3Y5B1CD'] }),
    disputeType: words(DISPUTE_TYPES),
    disputeStatus: { ...words(DISPUTE_STATUSES), examples: [example] },
    transactionReference: Type.String(),
    disputeAmount: Naira,
    disputeReason: Type.String({ examples: ['Goods were not received'] }),
    evidenceDueOn: Type.String({ examples: ['11/03/2026 10:30:00 AM'] }),
    createdOn: Type.String({ examples: ['01/03/2026 10:30:00 AM'] }),
    completedOn: nullable(Type.String({ examples: ['15/03/2026 10:30:00 AM'] })),
  })

/** Somebody wants a payment back, in full or in part: that much is held. */
export const DisputeOpened = disputed('OPEN')
/** A dispute was contested, or the time to contest it is over. */
export const DisputeUpdate = disputed('EVIDENCE_SUBMITTED')
/** A dispute was won: what was held is the merchant's again. */
export const DisputeWon = disputed('WON')
/** A dispute was lost, or accepted: what was held has gone back. */
export const DisputeLost = disputed('LOST')

const disbursement = (example: TransferStatus, inWords: string, sessionId: string) =>
  Type.Object({
    amount: Naira,
    transactionReference: Type.String({ examples: ['KFDS00120260301093000000001AB12CD'] }),
    fee: Naira,
    transactionDescription: Type.String({ examples: [inWords] }),
    destinationAccountNumber: Type.String({ examples: ['0123456789'] }),
    sessionId: Type.String({ description: 'empty on failure', examples: [sessionId] }),
    createdOn: Type.String({ examples: ['01/03/2026 10:30:00 AM'] }),
    destinationAccountName: Type.String({ examples: ['IFEOMA BISOLA LAWAL'] }),
    reference: Type.String({ examples: ['rent-march'] }),
    destinationBankCode: Type.String({ examples: ['058'] }),
    completedOn: Type.String({ examples: ['01/03/2026 10:30:01 AM'] }),
    narration: Type.String({ examples: ['Rent for March'] }),
    currency: Type.String(),
    destinationBankName: Type.String({ examples: ['GTBank'] }),
    status: { ...TransferStatus, examples: [example] },
  })

const SESSION_ID = '090405260301093000000000000001'
/** A transfer arrived. */
export const SuccessfulDisbursement = disbursement('SUCCESS', 'Transfer successful', SESSION_ID)
/** A transfer failed, or was not authorised in time (`status` EXPIRED): its money is back in the wallet. */
export const FailedDisbursement = disbursement('FAILED', 'Account is dormant', '')
/** A transfer that had arrived was sent back: its money is back in the wallet. */
export const ReversedDisbursement = disbursement('REVERSED', 'Transfer reversed by the receiving bank', SESSION_ID)

/** Money came into a wallet or left it. */
export const AccountActivity = Type.Object({
  accountType: Type.String({ examples: ['MAIN'] }),
  accountName: Type.String(),
  accountNumber: Type.String(),
  accountNuban: Type.Null(),
  activityType: Type.String({ examples: ['TRANSACTION'] }),
  amount: Naira,
  currency: Type.String({ examples: ['566'] }),
  balanceBefore: Naira,
  balanceAfter: Naira,
  reference: Type.String(),
  narration: Type.String(),
  activityTime: Type.String({ examples: ['2026-03-01 10:30:00 AM'] }),
})

/** Stands beside `eventData` in ACCOUNT_ACTIVITY: where the money came from. */
export const AccountActivityMetaData = Type.Object({
  senderAccount: nullable(Type.String()),
  sourceAccountName: nullable(Type.String()),
  sourceAccountNumber: nullable(Type.String()),
  sourceBankCode: nullable(Type.String()),
  sourceBankName: nullable(Type.String()),
})

/** A merchant's own wallet fell below the threshold that the merchant set. Told once per crossing. */
export const LowBalanceAlert = Type.Object({
  transactionTime: Type.String({ examples: ['2026-03-01 10:30:00 AM'] }),
  merchantCode: Type.String(),
  walletAccountNumber: Type.String(),
  walletBalance: Naira,
  lowBalanceThreshold: Naira,
  currency: Type.String(),
  description: Type.String(),
})

/** What was collected is in the wallet, or in the bank account. */
export const Settlement = Type.Object({
  amount: NairaText,
  settlementTime: Type.String({ examples: ['01/03/2026 10:00:00 PM'] }),
  settlementReference: Type.String({ examples: ['7YH2K9QWERTZ0123ABCD'] }),
  destinationAccountNumber: Type.String(),
  destinationBankName: Type.String({ examples: ['Moniepoint Microfinance Bank'] }),
  destinationAccountName: Type.String({ examples: ['Demo Shop'] }),
  transactionsCount: Type.Integer(),
  transactions: Type.Array(
    Type.Object({
      product: Product,
      transactionReference: Type.String(),
      paymentReference: Type.String(),
      paidOn: nullable(Type.String({ examples: ['01/03/2026 10:30:00 AM'] })),
      paymentDescription: nullable(Type.String()),
      accountPayments: Type.Array(AccountDetails),
      amountPaid: NairaText,
      totalPayable: NairaText,
      accountDetails: nullable(AccountDetails),
      cardDetails: nullable(CardDetails),
      paymentMethod: nullable(Type.String()),
      currency: Type.String(),
      paymentStatus: PaymentStatus,
      customer: Customer,
    }),
  ),
})

const mandate = Mandate.properties

/** A mandate changed its status, or, when it renewed itself, its dates. */
export const MandateUpdate = Type.Object({
  customerAddress: mandate.customerAddress,
  endDate: Type.String({ examples: ['2027-03-01 10:30:00.0'] }),
  customerEmailAddress: mandate.customerEmailAddress,
  customerAccountName: mandate.customerAccountName,
  customerAccountNumber: mandate.customerAccountNumber,
  customerAccountBankCode: mandate.customerAccountBankCode,
  customerName: mandate.customerName,
  mandateDescription: mandate.mandateDescription,
  externalMandateReference: mandate.externalMandateReference,
  mandateStatus: mandate.mandateStatus,
  mandateAmount: mandate.mandateAmount,
  autoRenew: mandate.autoRenew,
  mandateCode: mandate.mandateCode,
  contractCode: mandate.contractCode,
  customerPhoneNumber: mandate.customerPhoneNumber,
  startDate: Type.String({ examples: ['2026-03-01 10:30:00.0'] }),
})

/** What an event is: the kind decides which address it goes to. */
interface EventDeclaration {
  readonly kind: EventKind
  readonly summary: string
  /** The shape of `eventData`. */
  readonly data: TSchema
  /** The shape of `metaData` beside it, where the event has one. */
  readonly metaData?: TSchema
}

/** Every event by its type. */
export const EVENTS = {
  SUCCESSFUL_TRANSACTION: {
    kind: 'collection',
    summary: 'A payment arrived, in full or in part: read paymentStatus',
    data: SuccessfulTransaction,
  },
  REJECTED_PAYMENT: { kind: 'collection', summary: 'A credit was sent back to the payer', data: RejectedPayment },
  SUCCESSFUL_REFUND: { kind: 'refund', summary: 'The customer has a refund', data: SuccessfulRefund },
  FAILED_REFUND: {
    kind: 'refund',
    summary: 'A refund could not be paid; the wallet has its money back',
    data: FailedRefund,
  },
  DISPUTE_OPENED: {
    kind: 'refund',
    summary: 'Somebody wants a payment back, in full or in part: that much is held',
    data: DisputeOpened,
  },
  DISPUTE_UPDATE: {
    kind: 'refund',
    summary: 'A dispute was contested, or the time to contest it is over: read disputeStatus',
    data: DisputeUpdate,
  },
  DISPUTE_WON: { kind: 'refund', summary: 'A dispute was won: what was held is yours again', data: DisputeWon },
  DISPUTE_LOST: {
    kind: 'refund',
    summary: 'A dispute was lost, or accepted: what was held has gone back',
    data: DisputeLost,
  },
  SUCCESSFUL_DISBURSEMENT: { kind: 'disbursement', summary: 'A transfer arrived', data: SuccessfulDisbursement },
  FAILED_DISBURSEMENT: {
    kind: 'disbursement',
    summary: 'A transfer failed, or was not authorised in time: its money is back in the wallet',
    data: FailedDisbursement,
  },
  REVERSED_DISBURSEMENT: {
    kind: 'disbursement',
    summary: 'A transfer that had arrived was sent back: its money is back in the wallet',
    data: ReversedDisbursement,
  },
  SETTLEMENT: {
    kind: 'settlement',
    summary: 'What was collected is in the wallet or bank account',
    data: Settlement,
  },
  MANDATE_UPDATE: { kind: 'mandate', summary: 'A mandate changed', data: MandateUpdate },
  ACCOUNT_ACTIVITY: {
    kind: 'wallet',
    summary: 'Money came into a wallet or left it',
    data: AccountActivity,
    metaData: AccountActivityMetaData,
  },
  LOW_BALANCE_ALERT: { kind: 'wallet', summary: 'The wallet fell below the threshold', data: LowBalanceAlert },
} as const satisfies Readonly<Record<string, EventDeclaration>>
export type EventType = keyof typeof EVENTS

/** Waits between the attempts to send an event; after the last one it is given up. */
export const EVENT_RETRY_AFTER_SECONDS = [10, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400] as const

/** How often an event is sent at the most, and over about how many days: for texts. */
export const EVENT_ATTEMPTS_MAX = EVENT_RETRY_AFTER_SECONDS.length + 1
export const EVENT_DAYS = Math.round(EVENT_RETRY_AFTER_SECONDS.reduce((sum, seconds) => sum + seconds, 0) / 86_400)
