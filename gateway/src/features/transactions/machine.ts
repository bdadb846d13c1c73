import type { PaymentStatus } from '@kobo/contract'
import { machine, type Trigger } from '../../kernel/machine.ts'

const UNPAID = {
  payInFull: 'PAID',
  payLess: 'PARTIALLY_PAID',
  payMore: 'OVERPAID',
  decline: 'FAILED',
  expire: 'EXPIRED',
  cancel: 'CANCELLED',
} as const

/** The states of a transaction. A declined card makes it FAILED, and it can still be paid until it expires. */
export const transactionMachine = machine({
  PENDING: UNPAID,
  FAILED: UNPAID,
  PARTIALLY_PAID: { payInFull: 'PAID', payLess: 'PARTIALLY_PAID', payMore: 'OVERPAID', expire: 'PARTIALLY_PAID' },
  PAID: {},
  OVERPAID: {},
  EXPIRED: {},
  CANCELLED: {},
}) satisfies Record<PaymentStatus, object>

export type TransactionTrigger = Trigger<typeof transactionMachine>
