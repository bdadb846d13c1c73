import type { Merchant } from '../../core/merchants/index.ts'
import type { Past } from '../../core/sandbox-history/index.ts'
import { invariant } from '../../kernel/errors.ts'
import { ZERO } from '../../kernel/money.ts'
import { chunksOf } from '../../platform/lanes/chunks.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { TransactionRecord } from '../transactions/index.ts'
import { settlementEvent } from './events.ts'
import { type Planned, planSettlements } from './plan.ts'
import { insertItems, insertSettlements } from './repository.ts'
import { SETTLEMENT_TRANSACTIONS_MAX, walletActOf, walletTermsOf } from './service.ts'

/** Settles transactions to the wallet in the sandbox history, in groups. */
export function settleInHistory(
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
  return [...chunksOf(records, SETTLEMENT_TRANSACTIONS_MAX)].flatMap((set) => {
    const planned = planSettlements(past.now(), set, terms)
    for (const { settlement, records: settled, journal } of planned) {
      past.notify(settlementEvent(settlement, settled))
      invariant(past.spend(walletActOf(settlement, journal)), 'a settlement only credits a wallet')
    }
    return planned
  })
}

const ROWS_PER_QUERY = 2_000

/** Inserts settlements of the sandbox history. */
export function writeHistorySettlements(tx: Tx, planned: readonly Planned[]): void {
  insertSettlements(
    tx,
    planned.map(({ settlement }) => settlement),
  )
  const items = planned.flatMap((one) => one.items)
  for (const set of chunksOf(items, ROWS_PER_QUERY)) insertItems(tx, set)
}
