import type { DebitStatus, MandateStatus } from '@kobo/contract'
import { machine, type Trigger } from '../../kernel/machine.ts'

const UNAUTHORIZED = {
  authorize: 'ACTIVE',
  refuse: 'FAILED',
  lapse: 'AUTHORIZATION_EXPIRED',
  cancel: 'CANCELLED',
} as const

/** The states of a mandate. The bank may suspend it; a new authorization by the customer reactivates it. */
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

/** The states of a debit. Until the bank's response is known it stays PENDING. */
export const debitMachine = machine({
  PENDING: { pay: 'PAID', decline: 'FAILED' },
  PAID: {},
  FAILED: {},
}) satisfies Record<DebitStatus, object>
