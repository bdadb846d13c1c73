import type { Merchant } from '../../core/merchants/index.ts'
import type { Past } from '../../core/past/index.ts'
import { invariant } from '../../kernel/errors.ts'
import { ZERO } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db.ts'
import { setsOf } from '../../platform/sets.ts'
import type { TransactionRecord } from '../transactions/index.ts'
import { settlementEvent } from './events.ts'
import { type Planned, planSettlements } from './plan.ts'
import { insertItems, insertSettlements } from './repository.ts'
import { SETTLEMENT_TRANSACTIONS_MAX, walletActOf, walletTermsOf } from './service.ts'

/** What was collected and settled into the wallet in the past, so many transactions at a time. */
export function settledInPast(
  past: Past,
  merchant: Merchant,
  records: readonly TransactionRecord[],
): readonly Planned[] {
  const terms = {
    contract: () => walletTermsOf(merchant),
    subAccount: () => undefined,
    repay: () => ZERO,
    reserve: () => undefined,
  }
  return [...setsOf(records, SETTLEMENT_TRANSACTIONS_MAX)].flatMap((set) => {
    const planned = planSettlements(past.now(), set, terms)
    for (const { settlement, records: settled, journal } of planned) {
      past.tell(settlementEvent(settlement, settled))
      invariant(past.spend(walletActOf(settlement, journal)), 'a settlement takes nothing from a wallet')
    }
    return planned
  })
}

/** So many rows go into one statement. */
const SET_MAX = 2_000

/** Writes settlements of the past. */
export function writePastSettlements(tx: Tx, planned: readonly Planned[]): void {
  insertSettlements(
    tx,
    planned.map(({ settlement }) => settlement),
  )
  const items = planned.flatMap((one) => one.items)
  for (const set of setsOf(items, SET_MAX)) insertItems(tx, set)
}
