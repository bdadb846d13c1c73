import type { Merchant } from '../../core/merchants/index.ts'
import { unroutedOrders } from '../../core/orders/index.ts'
import { priceOn } from '../../core/pricing/index.ts'
import type { Past } from '../../core/sandbox-history/index.ts'
import { ulid } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { TransactionRecord } from '../transactions/index.ts'
import { refundEvent } from './events.ts'
import { refundCompleted, refundHeld } from './journals.ts'
import { refundOrder } from './orders.ts'
import { insertRefunds, partsOf, type RefundRow } from './repository.ts'

interface RequestedRefund {
  readonly refundReference: string
  readonly amount: Kobo
  readonly refundReason: string
}

/**
 * Starts a refund of a transfer payment in the sandbox history. Returns undefined if the payer's account is unknown or
 * the wallet balance is too low.
 */
export function startRefundInHistory(
  past: Past,
  { id: merchantId, prices, walletAccountNumber }: Merchant,
  { transaction, payments: [payment] }: TransactionRecord,
  { refundReference, amount, refundReason }: RequestedRefund,
): RefundRow | undefined {
  if (payment === undefined || payment.payerAccountNumber === null || payment.payerBankCode === null) return undefined
  const { ids, at } = past.now()
  const refund: RefundRow = {
    merchantId,
    id: ids.id(),
    reference: `TRFD|${ulid(at)}`,
    refundReference,
    transactionId: transaction.id,
    transactionReference: transaction.transactionReference,
    status: 'PENDING',
    type: amount === transaction.amountPaid ? 'FULL_REFUND' : 'PARTIAL_REFUND',
    amount,
    fee: priceOn(prices, 'refund', amount, at),
    currencyCode: transaction.currencyCode,
    refundReason,
    customerNote: 'Refund',
    comment: 'Refund initiated',
    walletAccountNumber,
    paymentId: payment.id,
    method: 'ACCOUNT_TRANSFER',
    chargeReference: null,
    destinationAccountNumber: payment.payerAccountNumber,
    destinationAccountName: payment.payerName,
    destinationBankCode: payment.payerBankCode,
    createdAt: at,
    completedAt: null,
    authorizeBy: null,
  }
  const taken = past.spend({
    journal: refundHeld(refund),
    reference: refund.refundReference,
    transactionReference: refund.reference,
    narration: refund.refundReason,
    message: `Refund of ${refund.transactionReference}`,
  })
  return taken ? refund : undefined
}

/** Completes a refund in the sandbox history. */
export function endRefundInHistory(past: Past, refund: RefundRow): RefundRow {
  const { at } = past.now()
  const ended = { ...refund, status: 'COMPLETED', comment: 'Refund completed', completedAt: at } as const
  for (const part of partsOf(refund, [])) past.conclude(refundOrder(unroutedOrders, { refund, part }, null))
  past.notify(refundEvent(ended))
  past.book(refundCompleted(ended, null))
  return ended
}

export const writeHistoryRefunds = (tx: Tx, rows: readonly RefundRow[]): void => insertRefunds(tx, rows)
