import type { VendStatus } from '@kobo/contract'
import { machine, type Trigger } from '../../kernel/machine.ts'

/** How a payment to a biller may end. While nobody knows what became of it, it is PENDING. */
export const billMachine = machine({
  PENDING: { succeed: 'SUCCESS', fail: 'FAILED' },
  SUCCESS: {},
  FAILED: {},
}) satisfies Record<VendStatus, object>

export type BillTrigger = Trigger<typeof billMachine>
