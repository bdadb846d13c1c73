import { findBank } from '../../core/bank-list/index.ts'
import type { OutgoingEvent } from '../../core/messages/outbox/index.ts'
import { slashed } from '../../kernel/dates.ts'
import { toNaira } from '../../kernel/money.ts'
import type { TransferRow } from './repository.ts'
import { describe } from './show.ts'

type DisbursementEvent = 'SUCCESSFUL_DISBURSEMENT' | 'FAILED_DISBURSEMENT' | 'REVERSED_DISBURSEMENT'

const disbursementEvent = (eventType: DisbursementEvent, transfer: TransferRow): OutgoingEvent => ({
  merchantId: transfer.merchantId,
  eventType,
  refs: [transfer.reference, transfer.transactionReference],
  eventData: {
    amount: toNaira(transfer.amount),
    transactionReference: transfer.transactionReference,
    fee: toNaira(transfer.fee),
    transactionDescription: describe(transfer),
    destinationAccountNumber: transfer.destinationAccountNumber,
    sessionId: transfer.sessionId ?? '',
    createdOn: slashed(transfer.createdAt),
    destinationAccountName: transfer.destinationAccountName ?? '',
    reference: transfer.reference,
    destinationBankCode: transfer.destinationBankCode,
    completedOn: slashed(transfer.completedAt ?? transfer.createdAt),
    narration: transfer.narration,
    currency: transfer.currencyCode,
    destinationBankName: findBank(transfer.destinationBankCode)?.name ?? '',
    status: transfer.status,
  },
})

export const successEvent = (transfer: TransferRow): OutgoingEvent =>
  disbursementEvent('SUCCESSFUL_DISBURSEMENT', transfer)

/** Reports a transfer that failed or was not authorized in time. */
export const failedEvent = (transfer: TransferRow): OutgoingEvent => disbursementEvent('FAILED_DISBURSEMENT', transfer)

/** Reports a successful transfer that the bank returned. */
export const reversedEvent = (transfer: TransferRow): OutgoingEvent =>
  disbursementEvent('REVERSED_DISBURSEMENT', transfer)
