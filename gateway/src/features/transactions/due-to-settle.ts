import { markSettled } from './changes.ts'
import { lockDueToSettle, nextDueToSettle } from './repository.ts'

/** Transactions that are due to settle, for settlements. */
export const dueToSettle = { lock: lockDueToSettle, next: nextDueToSettle, markSettled }
