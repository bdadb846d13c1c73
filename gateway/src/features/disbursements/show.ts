import type { BatchResult, BatchSummary, TransferRecord, TransferResult, TransferStatus } from '@kobo/contract'
import type { Static } from 'typebox'
import { findBank } from '../../core/bank-list/index.ts'
import { zoned } from '../../kernel/dates.ts'
import { add, toNaira, ZERO } from '../../kernel/money.ts'
import type { BatchRow, ItemSum, TransferRow } from './repository.ts'

const DESCRIPTIONS: Readonly<Record<TransferStatus, string>> = {
  PENDING_AUTHORIZATION: 'Awaiting authorization by emailed code or approver',
  OTP_EMAIL_DISPATCH_FAILED: 'Awaiting authorization: the code could not be sent by email',
  PENDING: 'Transfer in progress',
  SUCCESS: 'Transfer successful',
  FAILED: 'Transfer failed',
  REVERSED: 'Transfer reversed by the receiving bank',
  EXPIRED: 'Transfer not authorized in time',
}

/** Returns a transfer's status in words, or the reason it failed. */
export const describe = ({ status, failureReason }: TransferRow): string => failureReason ?? DESCRIPTIONS[status]

const destination = (transfer: TransferRow) => ({
  destinationAccountName: transfer.destinationAccountName ?? '',
  destinationBankName: findBank(transfer.destinationBankCode)?.name ?? '',
  destinationAccountNumber: transfer.destinationAccountNumber,
  destinationBankCode: transfer.destinationBankCode,
})

/** Returns the response to creating or authorizing a transfer. */
export const showResult = (transfer: TransferRow): Static<typeof TransferResult> => ({
  amount: toNaira(transfer.amount),
  reference: transfer.reference,
  status: transfer.status,
  dateCreated: zoned(transfer.createdAt),
  totalFee: toNaira(transfer.fee),
  ...destination(transfer),
  senderInfo: transfer.senderInfo,
  comment: describe(transfer),
})

/** Shows a transfer in summaries and lists. */
export const showTransfer = (transfer: TransferRow): Static<typeof TransferRecord> => ({
  amount: toNaira(transfer.amount),
  reference: transfer.reference,
  narration: transfer.narration,
  currency: transfer.currencyCode,
  fee: toNaira(transfer.fee),
  twoFaEnabled: transfer.twoFaEnabled,
  status: transfer.status,
  transactionDescription: describe(transfer),
  transactionReference: transfer.transactionReference,
  createdOn: zoned(transfer.createdAt),
  sourceAccountNumber: transfer.sourceAccountNumber,
  ...destination(transfer),
  flagged: transfer.flagged,
})

/** Returns the response to creating or authorizing a batch; also used in lists. */
export const showBatch = (batch: BatchRow): Static<typeof BatchResult> => ({
  totalAmount: toNaira(batch.totalAmount),
  totalFee: toNaira(batch.totalFee),
  batchReference: batch.batchReference,
  transactionBatchReference: batch.transactionBatchReference,
  batchStatus: batch.status,
  totalTransactionsCount: batch.itemsCount,
  dateCreated: zoned(batch.createdAt),
})

/** The outcome a status counts as. A reversed transfer is treated as failed: its money is in the wallet. */
const ENDS: Readonly<Record<TransferStatus, 'pending' | 'successful' | 'failed'>> = {
  PENDING_AUTHORIZATION: 'pending',
  OTP_EMAIL_DISPATCH_FAILED: 'pending',
  PENDING: 'pending',
  SUCCESS: 'successful',
  FAILED: 'failed',
  REVERSED: 'failed',
  EXPIRED: 'failed',
}

/** Sums the counts and amounts of a batch's items by outcome. */
export function sumsOf(tally: readonly ItemSum[]) {
  const sums = {
    pending: { count: 0, amount: ZERO },
    successful: { count: 0, amount: ZERO },
    failed: { count: 0, amount: ZERO },
  }
  for (const { status, count, amount } of tally) {
    const sum = sums[ENDS[status]]
    sum.count += Number(count)
    sum.amount = add(sum.amount, amount)
  }
  return sums
}

export function showSummary(batch: BatchRow, tally: readonly ItemSum[]): Static<typeof BatchSummary> {
  const sums = sumsOf(tally)
  return {
    title: batch.title,
    totalAmount: toNaira(batch.totalAmount),
    totalFee: toNaira(batch.totalFee),
    batchReference: batch.batchReference,
    totalTransactionsCount: batch.itemsCount,
    totalTransactions: batch.itemsCount,
    failedCount: sums.failed.count,
    successfulCount: sums.successful.count,
    pendingCount: sums.pending.count,
    pendingAmount: toNaira(sums.pending.amount),
    failedAmount: toNaira(sums.failed.amount),
    successfulAmount: toNaira(sums.successful.amount),
    batchStatus: batch.status,
    dateCreated: zoned(batch.createdAt),
  }
}
