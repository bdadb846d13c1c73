import type { DebitStatus, MandateStatus } from '@kobo/contract'
import { machine, type Trigger } from '../../kernel/machine.ts'

const UNAUTHORIZED = {
  authorize: 'ACTIVE',
  refuse: 'FAILED',
  lapse: 'AUTHORIZATION_EXPIRED',
  cancel: 'CANCELLED',
} as const

/** How a mandate may change its status. The bank may suspend it; the customer who agrees anew brings it back. */
export const mandateMachine = machine({
  INITIATED: { instruct: 'PENDING_AUTHORIZATION', ...UNAUTHORIZED },
  PENDING_AUTHORIZATION: UNAUTHORIZED,
  ACTIVE: { suspend: 'SUSPENDED', expire: 'EXPIRED', cancel: 'CANCELLED' },
  SUSPENDED: { authorize: 'ACTIVE', expire: 'EXPIRED', cancel: 'CANCELLED' },
  CANCELLED: {},
  EXPIRED: {},
  AUTHORIZATION_EXPIRED: {},
  FAILED: {},
}) satisfies Record<MandateStatus, object>

export type MandateTrigger = Trigger<typeof mandateMachine>

/** How a debit may change its status. While the bank's answer is unknown it stays PENDING. */
export const debitMachine = machine({
  PENDING: { pay: 'PAID', decline: 'FAILED' },
  PAID: {},
  FAILED: {},
}) satisfies Record<DebitStatus, object>
