import type { Clock } from '../../kernel/clock.ts'
import type { Rails } from '../index.ts'
import { simulatedAccounts } from './account.ts'
import { simulatedBiller } from './biller.ts'
import type { SimulatedBook } from './book.ts'
import { simulatedCardRail } from './card.ts'
import { simulatedDebit } from './debit.ts'
import { simulatedIdentity } from './identity.ts'
import { simulatedReturns } from './returns.ts'
import { simulatedTransfers } from './transfer.ts'

export { type AccessControl, simulatedAccessControl } from './access-control.ts'
export { type SimulatedBook, simulatedBook, wasReportedNotFound } from './book.ts'

export { INSTITUTION } from './institution.ts'

export { CREDITS_SENT_BACK, creditName } from './returns.ts'

export const SIMULATED = 'simulated'

/** Opens the sandbox's outside world: every rail, with outcomes that a developer can trigger. */
export const simulatedRails = (tools: { readonly clock: Clock; readonly book: SimulatedBook }): Rails => ({
  account: simulatedAccounts(tools),
  biller: simulatedBiller(tools),
  card: simulatedCardRail(tools),
  debit: simulatedDebit(tools),
  identity: simulatedIdentity(),
  returns: simulatedReturns(tools),
  transfer: simulatedTransfers(tools),
})
