import type { SettlementStatus } from '@kobo/contract'
import { machine } from '../../kernel/machine.ts'

/** How a settlement may change its status: to the wallet it is complete at once, to a bank when the payout is. */
export const settlementMachine = machine({
  PENDING: { complete: 'COMPLETED' },
  COMPLETED: { reverse: 'PENDING' },
}) satisfies Record<SettlementStatus, object>

export type PayoutStatus = 'DUE' | 'SENT' | 'COMPLETED'

/** How a payout of a settlement to a bank account may change its status. What failed or came back is due again. */
export const payoutMachine = machine({
  DUE: { send: 'SENT' },
  SENT: { succeed: 'COMPLETED', fail: 'DUE' },
  COMPLETED: { reverse: 'DUE' },
}) satisfies Record<PayoutStatus, object>
