import Type from 'typebox'
import { Naira, nullable, optional, Reference, Text, words } from './fields.ts'

export const TRANSFER_STATUSES = [
  'PENDING_AUTHORIZATION',
  'OTP_EMAIL_DISPATCH_FAILED',
  'PENDING',
  'SUCCESS',
  'FAILED',
  'REVERSED',
  'EXPIRED',
] as const
export type TransferStatus = (typeof TRANSFER_STATUSES)[number]
export const TransferStatus = words(TRANSFER_STATUSES)

export const BATCH_STATUSES = [
  'PENDING_AUTHORIZATION',
  'AWAITING_PROCESSING',
  'IN_PROGRESS',
  'COMPLETED',
  'EXPIRED',
  'FAILED',
] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]
export const BatchStatus = words(BATCH_STATUSES)

/** The most items that a batch may ever hold; a deployment may allow fewer. */
export const BATCH_ITEMS_MAX = 10_000

/** Whatever it looks like: one that no bank has is invalid account details (D03), not a malformed field. */
export const AnyAccountNumber = Type.String({
  minLength: 1,
  maxLength: 32,
  description: '10 digits',
  examples: ['0123456789'],
})
export const AnyBankCode = Type.String({ minLength: 1, maxLength: 16, description: '3 to 6 digits', examples: ['058'] })
export const WalletNumber = Type.String({
  minLength: 1,
  maxLength: 32,
  description: "the account number of the merchant's wallet, or of a customer's",
  examples: ['3000000003'],
})
export const AccountName = Type.String({
  pattern: '\\S',
  maxLength: 255,
  'x-rule': "the name of the account's holder",
  examples: ['IFEOMA BISOLA LAWAL'],
})
export const Currency = Type.String({ minLength: 1, maxLength: 10, examples: ['NGN'] })
export const TransferReference = { ...Reference, examples: ['rent-march'] }
export const BatchReference = { ...Reference, examples: ['salaries-march'] }
export const Narration = { ...Text, examples: ['Rent for March'] }

/** What one transfer and one batch show in answers, with examples that tell one story. */
export const shown = {
  reference: Type.String({ examples: ['rent-march'] }),
  batchReference: Type.String({ examples: ['salaries-march'] }),
  narration: Type.String({ examples: ['Rent for March'] }),
  fee: Type.Number({ description: 'Naira', examples: [10] }),
  status: { ...TransferStatus, examples: ['SUCCESS'] },
  batchStatus: { ...BatchStatus, examples: ['IN_PROGRESS'] },
  inWords: Type.String({ examples: ['Transfer successful'] }),
  date: Type.String({ examples: ['2026-03-01T09:30:00.000+0000'] }),
  count: (example: number) => Type.Integer({ examples: [example] }),
  sum: (example: number) => Type.Number({ description: 'Naira', examples: [example] }),
}
export const destination = {
  destinationAccountName: Type.String({ examples: ['IFEOMA BISOLA LAWAL'] }),
  destinationBankName: Type.String({ examples: ['GTBank'] }),
  destinationAccountNumber: Type.String({ examples: ['0123456789'] }),
  destinationBankCode: Type.String({ examples: ['058'] }),
}

/** Who stands behind a transfer, where that is not the merchant. */
export const SenderInfo = Type.Object({
  sourceAccountNumber: optional(Type.String({ maxLength: 32, examples: ['0011223344'] })),
  sourceAccountName: optional({ ...Text, examples: ['BOLA ADE'] }),
  senderBankCode: optional(Type.String({ maxLength: 16, examples: ['044'] })),
})

/** What a transfer answers when it is made or authorised. */
export const TransferResult = Type.Object({
  amount: Naira,
  reference: shown.reference,
  status: shown.status,
  dateCreated: shown.date,
  totalFee: shown.fee,
  ...destination,
  senderInfo: nullable(SenderInfo),
  comment: shown.inWords,
})

/** A transfer as the summary and the listings show it. */
export const TransferRecord = Type.Object({
  amount: Naira,
  reference: shown.reference,
  narration: shown.narration,
  currency: Type.String(),
  fee: shown.fee,
  twoFaEnabled: Type.Boolean({ description: 'whether an authorization code was asked for' }),
  status: shown.status,
  transactionDescription: shown.inWords,
  transactionReference: Type.String({ examples: ['KFDS00120260301093000000001AB12CD'] }),
  createdOn: shown.date,
  sourceAccountNumber: Type.String({ examples: ['3000000003'] }),
  ...destination,
  flagged: Type.Boolean({ description: 'whether the name that was sent is not quite the one that the bank holds' }),
})

/** What a batch answers when it is made or authorised, and how listings show it. */
export const BatchResult = Type.Object({
  totalAmount: shown.sum(300_000),
  totalFee: shown.sum(60),
  batchReference: shown.batchReference,
  transactionBatchReference: Type.String({ examples: ['KFDB00120260301093000000001AB12CD'] }),
  batchStatus: shown.batchStatus,
  totalTransactionsCount: shown.count(3),
  dateCreated: shown.date,
})

/** How far a batch has come. */
export const BatchSummary = Type.Object({
  title: Type.String({ examples: ['Salaries'] }),
  totalAmount: shown.sum(300_000),
  totalFee: shown.sum(60),
  batchReference: shown.batchReference,
  totalTransactionsCount: shown.count(3),
  totalTransactions: shown.count(3),
  failedCount: shown.count(0),
  successfulCount: shown.count(2),
  pendingCount: shown.count(1),
  pendingAmount: shown.sum(100_000),
  failedAmount: shown.sum(0),
  successfulAmount: shown.sum(200_000),
  batchStatus: shown.batchStatus,
  dateCreated: shown.date,
})
