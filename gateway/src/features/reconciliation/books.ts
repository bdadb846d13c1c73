import { type ClearingEntry, heldAt, selectClearing } from '../../core/money/ledger/index.ts'
import { openShards, whose } from '../../core/shards/index.ts'
import { type Kobo, sum } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/db.ts'

/** What was booked at a partner within a time, over all merchants, oldest first. */
export async function bookedWithin(
  db: Db | Tx,
  partner: string,
  from: Date,
  to: Date,
): Promise<readonly ClearingEntry[]> {
  const entries = await (await openShards(db)).ofEach((shard) => selectClearing(db, whose(shard), partner, from, to))
  return entries.flat().toSorted((a, b) => a.postedAt.getTime() - b.postedAt.getTime())
}

/** What the books of all merchants say that a partner held for us at a moment. */
export async function heldByPartner(db: Db | Tx, partner: string, at: Date): Promise<Kobo> {
  return sum(await (await openShards(db)).ofEach((shard) => heldAt(db, whose(shard), partner, at)))
}
