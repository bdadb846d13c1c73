import type { DisputeStatus } from '@kobo/contract'
import { machine, type Trigger } from '../../kernel/machine.ts'

/**
 * How a dispute may change its status. Who does not answer in time can contest it no longer, but whether it is lost the
 * partner says: what is held stays held until then.
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
