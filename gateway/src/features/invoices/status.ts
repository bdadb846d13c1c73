import type { InvoiceStatus } from '@kobo/contract'
import type { Transaction } from '../transactions/index.ts'

/** Returns the status of an invoice, derived from its transaction. A partial payment does not make it PAID. */
export function invoiceStatus(
  { status, completedAt, expiresAt }: Pick<Transaction, 'status' | 'completedAt' | 'expiresAt'>,
  at: Date,
): InvoiceStatus {
  if (status === 'PAID' || status === 'OVERPAID') return 'PAID'
  if (status === 'CANCELLED') return 'CANCELLED'
  return completedAt !== null || expiresAt <= at ? 'EXPIRED' : 'PENDING'
}
