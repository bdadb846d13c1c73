import Type, { type TSchema } from 'typebox'
import { Mandate } from './direct-debit.ts'
import { DISPUTE_STATUSES, DISPUTE_TYPES } from './disputes.ts'
import { AnyMap, Naira, NairaText, nullable, words } from './fields.ts'
import { personal } from './personal-data.ts'
import { AccountDetails, CardDetails, PaymentStatus, Product } from './transactions.ts'
import { TransferStatus } from './transfer-records.ts'

/** The kinds of event that can have their own webhook URL. */
export const EVENT_KINDS = ['collection', 'disbursement', 'refund', 'settlement', 'mandate', 'wallet'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

const PaymentSource = Type.Object({
  bankCode: nullable(Type.String()),
  amountPaid: Naira,
  accountName: nullable(personal(Type.String())),
  sessionId: Type.String(),
  accountNumber: nullable(personal(Type.String())),
})

const Customer = Type.Object({ name: nullable(personal(Type.String())), email: personal(Type.String()) })

/** A payment was received. Check `paymentStatus`: partial payments (PARTIALLY_PAID) also raise this event. */
export const SuccessfulTransaction = Type.Object({
  product: Product,
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  invoiceReference: Type.Optional(Type.String()),
  paidOn: Type.String({ examples: ['2026-03-01 10:30:00.000'] }),
  paymentDescription: nullable(personal(Type.String())),
  metaData: personal(AnyMap),
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
      { description: 'details of a cash payment at an agent' },
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

/** A credit was rejected and returned to the payer. */
export const RejectedPayment = Type.Object({
  metaData: personal(AnyMap),
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
  paymentDescription: nullable(personal(Type.String())),
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

/** A refund was paid to the customer. */
export const SuccessfulRefund = Type.Object({ ...Refunded, refundStatus: words(['COMPLETED']) })

/** A refund failed: its money is back in the wallet. */
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

/** A payment was disputed, in full or in part: that amount is on hold. */
export const DisputeOpened = disputed('OPEN')
/** A dispute was challenged, or its deadline passed. */
export const DisputeUpdate = disputed('EVIDENCE_SUBMITTED')
/** A dispute was won: the money on hold was released. */
export const DisputeWon = disputed('WON')
/** A dispute was lost or accepted: the money on hold was returned to the payer. */
export const DisputeLost = disputed('LOST')

const disbursement = (example: TransferStatus, inWords: string, sessionId: string) =>
  Type.Object({
    amount: Naira,
    transactionReference: Type.String({ examples: ['KFDS00120260301093000000001AB12CD'] }),
    fee: Naira,
    transactionDescription: Type.String({ examples: [inWords] }),
    destinationAccountNumber: personal(Type.String({ examples: ['0123456789'] })),
    sessionId: Type.String({ description: 'empty if the transfer failed', examples: [sessionId] }),
    createdOn: Type.String({ examples: ['01/03/2026 10:30:00 AM'] }),
    destinationAccountName: personal(Type.String({ examples: ['IFEOMA BISOLA LAWAL'] })),
    reference: Type.String({ examples: ['rent-march'] }),
    destinationBankCode: Type.String({ examples: ['058'] }),
    completedOn: Type.String({ examples: ['01/03/2026 10:30:01 AM'] }),
    narration: personal(Type.String({ examples: ['Rent for March'] })),
    currency: Type.String(),
    destinationBankName: Type.String({ examples: ['GTBank'] }),
    status: { ...TransferStatus, examples: [example] },
  })

const SESSION_ID = '090405260301093000000000000001'
/** A transfer was successful. */
export const SuccessfulDisbursement = disbursement('SUCCESS', 'Transfer successful', SESSION_ID)
/** A transfer failed, or was not authorized in time (`status` EXPIRED): its money is back in the wallet. */
export const FailedDisbursement = disbursement('FAILED', 'Account is dormant', '')
/** A successful transfer was returned by the bank: its money is back in the wallet. */
export const ReversedDisbursement = disbursement('REVERSED', 'Transfer reversed by the receiving bank', SESSION_ID)

/** Money entered or left a wallet. */
export const AccountActivity = Type.Object({
  accountType: Type.String({ examples: ['MAIN'] }),
  accountName: personal(Type.String()),
  accountNumber: personal(Type.String()),
  accountNuban: Type.Null(),
  activityType: Type.String({ examples: ['TRANSACTION'] }),
  amount: Naira,
  currency: Type.String({ examples: ['566'] }),
  balanceBefore: Naira,
  balanceAfter: Naira,
  reference: Type.String(),
  narration: personal(Type.String()),
  activityTime: Type.String({ examples: ['2026-03-01 10:30:00 AM'] }),
})

/** The source of the money, next to `eventData` in ACCOUNT_ACTIVITY. */
export const AccountActivityMetaData = Type.Object({
  senderAccount: nullable(personal(Type.String())),
  sourceAccountName: nullable(personal(Type.String())),
  sourceAccountNumber: nullable(personal(Type.String())),
  sourceBankCode: nullable(Type.String()),
  sourceBankName: nullable(Type.String()),
})

/** A merchant's wallet fell below the merchant's threshold. Sent once per crossing. */
export const LowBalanceAlert = Type.Object({
  transactionTime: Type.String({ examples: ['2026-03-01 10:30:00 AM'] }),
  merchantCode: Type.String(),
  walletAccountNumber: Type.String(),
  walletBalance: Naira,
  lowBalanceThreshold: Naira,
  currency: Type.String(),
  description: Type.String(),
})

/** Collected money was settled to the wallet or bank account. */
export const Settlement = Type.Object({
  amount: NairaText,
  debtRepaid: NairaText,
  reserved: NairaText,
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
      paymentDescription: nullable(personal(Type.String())),
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

/** A mandate changed its status or, on renewal, its dates. */
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

/** An event type; its kind selects the webhook URL. */
interface EventDeclaration {
  readonly kind: EventKind
  readonly summary: string
  /** The shape of `eventData`. */
  readonly data: TSchema
  /** The shape of `metaData`, if the event has it. */
  readonly metaData?: TSchema
}

export const EVENTS = {
  SUCCESSFUL_TRANSACTION: {
    kind: 'collection',
    summary: 'A payment was received, in full or in part: check paymentStatus',
    data: SuccessfulTransaction,
  },
  REJECTED_PAYMENT: {
    kind: 'collection',
    summary: 'A credit was rejected and returned to the payer',
    data: RejectedPayment,
  },
  SUCCESSFUL_REFUND: { kind: 'refund', summary: 'A refund was paid to the customer', data: SuccessfulRefund },
  FAILED_REFUND: {
    kind: 'refund',
    summary: 'A refund failed; its money is back in the wallet',
    data: FailedRefund,
  },
  DISPUTE_OPENED: {
    kind: 'refund',
    summary: 'A payment was disputed, in full or in part; that amount is on hold',
    data: DisputeOpened,
  },
  DISPUTE_UPDATE: {
    kind: 'refund',
    summary: 'A dispute was challenged, or its deadline passed: check disputeStatus',
    data: DisputeUpdate,
  },
  DISPUTE_WON: { kind: 'refund', summary: 'A dispute was won; the money on hold was released', data: DisputeWon },
  DISPUTE_LOST: {
    kind: 'refund',
    summary: 'A dispute was lost or accepted; the money on hold was returned',
    data: DisputeLost,
  },
  SUCCESSFUL_DISBURSEMENT: { kind: 'disbursement', summary: 'A transfer was successful', data: SuccessfulDisbursement },
  FAILED_DISBURSEMENT: {
    kind: 'disbursement',
    summary: 'A transfer failed or was not authorized in time; its money is back in the wallet',
    data: FailedDisbursement,
  },
  REVERSED_DISBURSEMENT: {
    kind: 'disbursement',
    summary: 'A successful transfer was returned by the bank; its money is back in the wallet',
    data: ReversedDisbursement,
  },
  SETTLEMENT: {
    kind: 'settlement',
    summary: 'Collected money was settled to the wallet or bank account',
    data: Settlement,
  },
  MANDATE_UPDATE: { kind: 'mandate', summary: 'A mandate changed its status or dates', data: MandateUpdate },
  ACCOUNT_ACTIVITY: {
    kind: 'wallet',
    summary: 'Money entered or left a wallet',
    data: AccountActivity,
    metaData: AccountActivityMetaData,
  },
  LOW_BALANCE_ALERT: { kind: 'wallet', summary: 'The wallet balance fell below the threshold', data: LowBalanceAlert },
} as const satisfies Readonly<Record<string, EventDeclaration>>
export type EventType = keyof typeof EVENTS

/** The delays between delivery attempts, in seconds; after the last attempt the event is given up. */
export const EVENT_RETRY_AFTER_SECONDS = [10, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400] as const

/** The maximum number of delivery attempts and the days they span, for texts. */
export const EVENT_ATTEMPTS_MAX = EVENT_RETRY_AFTER_SECONDS.length + 1
export const EVENT_DAYS = Math.round(EVENT_RETRY_AFTER_SECONDS.reduce((sum, seconds) => sum + seconds, 0) / 86_400)
