import type { RefundStatus } from '@kobo/contract'
import { machine } from '../../kernel/machine.ts'

/** The status changes of a refund. It stays PENDING until its outcome is known. */
export const refundMachine = machine({
  PENDING: { complete: 'COMPLETED', fail: 'FAILED' },
  COMPLETED: {},
  FAILED: {},
}) satisfies Record<RefundStatus, object>
