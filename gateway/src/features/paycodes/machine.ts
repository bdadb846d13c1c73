import type { PaycodeStatus } from '@kobo/contract'
import { machine, type Trigger } from '../../kernel/machine.ts'

/** The status changes of a paycode. A paycode that an approver rejects is CANCELLED. */
export const paycodeMachine = machine({
  PENDING: { redeem: 'SUCCESS', expire: 'EXPIRED', cancel: 'CANCELLED' },
  SUCCESS: {},
  EXPIRED: {},
  CANCELLED: {},
}) satisfies Record<PaycodeStatus, object>

export type PaycodeTrigger = Trigger<typeof paycodeMachine>
