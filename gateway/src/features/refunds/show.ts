import type { RefundRecord } from '@kobo/contract'
import type { Static } from 'typebox'
import { findBank } from '../../core/bank-list/index.ts'
import { slashed } from '../../kernel/dates.ts'
import { toNaira } from '../../kernel/money.ts'
import type { RefundRow } from './repository.ts'

export const showRefund = (refund: RefundRow): Static<typeof RefundRecord> => ({
  refundReference: refund.refundReference,
  reference: refund.reference,
  transactionReference: refund.transactionReference,
  refundReason: refund.refundReason,
  customerNote: refund.customerNote,
  refundAmount: toNaira(refund.amount),
  refundType: refund.type,
  refundStatus: refund.status,
  refundStrategy: 'MERCHANT_WALLET',
  comment: refund.comment,
  createdOn: slashed(refund.createdAt),
  completedOn: refund.completedAt === null ? null : slashed(refund.completedAt),
  destinationAccountNumber: refund.destinationAccountNumber,
  destinationAccountName: refund.destinationAccountName,
  destinationAccountBankCode: refund.destinationBankCode,
  destinationBankName: findBank(refund.destinationBankCode ?? '')?.name ?? null,
  currencyCode: refund.currencyCode,
})
