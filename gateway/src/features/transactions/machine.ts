import type { PaymentStatus } from '@kobo/contract'
import { machine, type Trigger } from '../../kernel/machine.ts'

/** How a transaction may change its status. A declined card leaves it FAILED, from where it can still be paid until it expires. */
export const transactionMachine = machine({
  PENDING: {
    payInFull: 'PAID',
    payLess: 'PARTIALLY_PAID',
    payMore: 'OVERPAID',
    decline: 'FAILED',
    expire: 'EXPIRED',
    cancel: 'CANCELLED',
  },
  FAILED: {
    payInFull: 'PAID',
    payLess: 'PARTIALLY_PAID',
    payMore: 'OVERPAID',
    decline: 'FAILED',
    expire: 'EXPIRED',
    cancel: 'CANCELLED',
  },
  PARTIALLY_PAID: { payInFull: 'PAID', payLess: 'PARTIALLY_PAID', payMore: 'OVERPAID', expire: 'PARTIALLY_PAID' },
  PAID: {},
  OVERPAID: {},
  EXPIRED: {},
  CANCELLED: {},
}) satisfies Record<PaymentStatus, object>

export type TransactionTrigger = Trigger<typeof transactionMachine>
