import { type ClearingEntry, heldAt, selectClearing } from '../../core/money/ledger/index.ts'
import { openShards, whose } from '../../core/shards/index.ts'
import { lagosMoment } from '../../kernel/dates.ts'
import { type Kobo, sum } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/db.ts'

/** What was booked at a partner on a day, over all merchants, oldest first. */
export async function bookedOn(db: Db | Tx, partner: string, day: number): Promise<readonly ClearingEntry[]> {
  const entries = await (await openShards(db)).ofEach((shard) =>
    selectClearing(db, whose(shard), partner, lagosMoment(day, 0), lagosMoment(day + 1, 0)),
  )
  return entries.flat().toSorted((a, b) => a.postedAt.getTime() - b.postedAt.getTime())
}

/** What the books of all merchants say that a partner held for us at a moment. */
export async function heldByPartner(db: Db | Tx, partner: string, at: Date): Promise<Kobo> {
  return sum(await (await openShards(db)).ofEach((shard) => heldAt(db, whose(shard), partner, at)))
}
