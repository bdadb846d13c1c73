import type { SettlementStatus } from '@kobo/contract'
import { machine } from '../../kernel/machine.ts'

/** The status changes of a settlement. One to the wallet completes at once, one to a bank account with its payout. */
export const settlementMachine = machine({
  PENDING: { complete: 'COMPLETED' },
  COMPLETED: { reverse: 'PENDING' },
}) satisfies Record<SettlementStatus, object>

export type PayoutStatus = 'DUE' | 'COMPLETED'

/** The status changes of a payout to a bank account. A returned payout is due again. */
export const payoutMachine = machine({
  DUE: { succeed: 'COMPLETED' },
  COMPLETED: { reverse: 'DUE' },
}) satisfies Record<PayoutStatus, object>
