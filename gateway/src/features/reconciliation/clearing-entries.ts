import { type ClearingEntry, heldAt, selectClearing } from '../../core/money/ledger/index.ts'
import { openShards, shardScope } from '../../core/shards/index.ts'
import { type Kobo, sum } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'

/** Reads the ledger entries at a partner within a period, over all merchants, oldest first. */
export async function selectClearingEntries(
  db: Db | Tx,
  partner: string,
  from: Date,
  to: Date,
): Promise<readonly ClearingEntry[]> {
  const entries = await (await openShards(db)).ofEach((shard) =>
    selectClearing(db, shardScope(shard), partner, from, to),
  )
  return entries.flat().toSorted((a, b) => a.postedAt.getTime() - b.postedAt.getTime())
}

/** Returns the balance that a partner held for us at the given time, according to the ledgers of all merchants. */
export async function heldByPartner(db: Db | Tx, partner: string, at: Date): Promise<Kobo> {
  return sum(await (await openShards(db)).ofEach((shard) => heldAt(db, shardScope(shard), partner, at)))
}
