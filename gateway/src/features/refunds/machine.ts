import type { RefundStatus } from '@kobo/contract'
import { machine } from '../../kernel/machine.ts'

/** How a refund may change its status. It stays PENDING for as long as nobody knows what the rail made of it. */
export const refundMachine = machine({
  PENDING: { complete: 'COMPLETED', fail: 'FAILED' },
  COMPLETED: {},
  FAILED: {},
}) satisfies Record<RefundStatus, object>
