import type { DisputeStatus } from '@kobo/contract'
import { machine, type Trigger } from '../../kernel/machine.ts'

/**
 * The status changes of a dispute. After the deadline it can no longer be challenged. Only the partner declares it
 * lost; until then the money stays held.
 */
export const disputeMachine = machine({
  OPEN: { submit: 'EVIDENCE_SUBMITTED', accept: 'ACCEPTED', expire: 'EXPIRED', win: 'WON', lose: 'LOST' },
  EVIDENCE_SUBMITTED: { win: 'WON', lose: 'LOST' },
  EXPIRED: { accept: 'ACCEPTED', win: 'WON', lose: 'LOST' },
  ACCEPTED: {},
  WON: {},
  LOST: {},
}) satisfies Record<DisputeStatus, object>

export type DisputeTrigger = Trigger<typeof disputeMachine>
