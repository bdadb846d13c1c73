import type { VendStatus } from '@kobo/contract'
import { machine, type Trigger } from '../../kernel/machine.ts'

/** The status changes of a vend. It is PENDING until its outcome is known. */
export const billMachine = machine({
  PENDING: { succeed: 'SUCCESS', fail: 'FAILED' },
  SUCCESS: {},
  FAILED: {},
}) satisfies Record<VendStatus, object>

export type BillTrigger = Trigger<typeof billMachine>
