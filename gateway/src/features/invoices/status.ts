import type { InvoiceStatus } from '@kobo/contract'
import type { TransactionRow } from '../transactions/index.ts'

/** What an invoice is, by what its transaction is: there is one truth. A part that was paid does not make it PAID. */
export function invoiceStatus(
  { status, completedAt, expiresAt }: Pick<TransactionRow, 'status' | 'completedAt' | 'expiresAt'>,
  at: Date,
): InvoiceStatus {
  if (status === 'PAID' || status === 'OVERPAID') return 'PAID'
  if (status === 'CANCELLED') return 'CANCELLED'
  return completedAt !== null || expiresAt <= at ? 'EXPIRED' : 'PENDING'
}
