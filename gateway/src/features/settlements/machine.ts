import type { SettlementStatus } from '@kobo/contract'
import { machine } from '../../kernel/machine.ts'

/** How a settlement may change its status: to the wallet it is complete at once, to a bank when the payout is. */
export const settlementMachine = machine({
  PENDING: { complete: 'COMPLETED' },
  COMPLETED: { reverse: 'PENDING' },
}) satisfies Record<SettlementStatus, object>

export type PayoutStatus = 'DUE' | 'COMPLETED'

/** How a payout of a settlement to a bank account may change its status. What came back is due again. */
export const payoutMachine = machine({
  DUE: { succeed: 'COMPLETED' },
  COMPLETED: { reverse: 'DUE' },
}) satisfies Record<PayoutStatus, object>
