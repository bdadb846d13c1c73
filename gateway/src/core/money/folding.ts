import { monotonic, secondsAfter } from '../../kernel/clock.ts'
import { firstIdAt } from '../../kernel/ids.ts'
import { inTransaction } from '../../platform/postgres/db.ts'
import type { Core } from '../core.ts'
import { ofShard, type Shard } from '../shards/index.ts'
import type { Sweep } from '../sweep.ts'
import { FOLD_MAX, foldChanges } from './ledger/index.ts'

const PAUSE_SECONDS = 5
/** At most this many transactions per run. */
const TRANSACTIONS_MAX = 1_000
/**
 * Older changes are searched for only once in this time. Nearly every change is committed soon after its id was
 * created, and a full search is slow while a long snapshot keeps deleted rows.
 */
const LATE_SECONDS = 600

/** Adds appended balance changes to the accounts' rows every few seconds. */
export function foldSweep({ db, shards }: Core): Sweep {
  let nextFullFoldAt = 0
  let foldedAt = new Date(0)

  async function foldShard(shard: Shard, since: bigint): Promise<number> {
    let total = 0
    for (let n = 0; n < TRANSACTIONS_MAX; n++) {
      const folded = await inTransaction(db, (tx) => foldChanges(tx, (alias) => ofShard(shard, alias), since))
      total += folded
      if (folded < FOLD_MAX) break
    }
    return total
  }
  return {
    name: 'fold balances',
    everySeconds: PAUSE_SECONDS,
    run: async (at) => {
      const now = monotonic()
      const isFull = now >= nextFullFoldAt
      const since = isFull ? 0n : firstIdAt(secondsAfter(foldedAt, -LATE_SECONDS))
      await shards.each((shard) => foldShard(shard, since))
      if (isFull) nextFullFoldAt = now + LATE_SECONDS * 1_000
      foldedAt = at
      return 0
    },
  }
}
