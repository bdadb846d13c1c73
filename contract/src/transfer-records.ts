import Type from 'typebox'
import { Naira, nullable, optional, Reference, Text, words } from './fields.ts'
import { personal } from './personal-data.ts'

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
export const TransferStatus = words(TRANSFER_STATUSES, 'Status of the transfer')

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

/** The maximum size of a batch; a deployment may allow less. */
export const BATCH_ITEMS_MAX = 10_000

/** Accepts any text, because an unknown number is an account error (D03), not a malformed field. */
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
  description: 'wallet account number, of the merchant or of a customer',
  examples: ['3000000003'],
})
export const AccountName = Type.String({
  pattern: '\\S',
  maxLength: 255,
  'x-rule': 'the account holder’s name',
  examples: ['IFEOMA BISOLA LAWAL'],
})
export const Currency = Type.String({ minLength: 1, maxLength: 10, examples: ['NGN'] })
export const TransferReference = { ...Reference, examples: ['rent-march'] }
export const BatchReference = { ...Reference, examples: ['salaries-march'] }
export const Narration = { ...Text, examples: ['Rent for March'] }

/** Fields of transfers and batches in responses, with examples of one scenario. */
export const shown = {
  reference: Type.String({ examples: ['rent-march'] }),
  batchReference: Type.String({ examples: ['salaries-march'] }),
  narration: personal(Type.String({ examples: ['Rent for March'] })),
  fee: Type.Number({ description: 'Naira', examples: [10] }),
  status: { ...TransferStatus, examples: ['SUCCESS'] },
  batchStatus: { ...BatchStatus, examples: ['IN_PROGRESS'] },
  inWords: Type.String({ examples: ['Transfer successful'] }),
  date: Type.String({ examples: ['2026-03-01T09:30:00.000+0000'] }),
  count: (example: number) => Type.Integer({ examples: [example] }),
  sum: (example: number) => Type.Number({ description: 'Naira', examples: [example] }),
}
export const destination = {
  destinationAccountName: personal(Type.String({ examples: ['IFEOMA BISOLA LAWAL'] })),
  destinationBankName: Type.String({ examples: ['GTBank'] }),
  destinationAccountNumber: personal(Type.String({ examples: ['0123456789'] })),
  destinationBankCode: Type.String({ examples: ['058'] }),
}

/** The party behind a transfer, if it is not the merchant. */
export const SenderInfo = Type.Object({
  sourceAccountNumber: optional(personal(Type.String({ maxLength: 32, examples: ['0011223344'] }))),
  sourceAccountName: optional(personal({ ...Text, examples: ['BOLA ADE'] })),
  senderBankCode: optional(Type.String({ maxLength: 16, examples: ['044'] })),
})

/** The result of creating or authorizing a transfer. */
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

/** A transfer in the summary and in listings. */
export const TransferRecord = Type.Object({
  amount: Naira,
  reference: shown.reference,
  narration: shown.narration,
  currency: Type.String(),
  fee: shown.fee,
  twoFaEnabled: Type.Boolean({ description: 'whether the transfer needed an authorization code' }),
  status: shown.status,
  transactionDescription: shown.inWords,
  transactionReference: Type.String({ examples: ['KFDS00120260301093000000001AB12CD'] }),
  createdOn: shown.date,
  sourceAccountNumber: Type.String({ examples: ['3000000003'] }),
  ...destination,
  flagged: Type.Boolean({ description: 'whether the given name differs slightly from the name at the bank' }),
})

/** The result of creating or authorizing a batch, and its form in listings. */
export const BatchResult = Type.Object({
  totalAmount: shown.sum(300_000),
  totalFee: shown.sum(60),
  batchReference: shown.batchReference,
  transactionBatchReference: Type.String({ examples: ['KFDB00120260301093000000001AB12CD'] }),
  batchStatus: shown.batchStatus,
  totalTransactionsCount: shown.count(3),
  dateCreated: shown.date,
})

/** The progress of a batch. */
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
