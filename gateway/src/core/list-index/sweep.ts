import { setTimeout as wait } from 'node:timers/promises'
import { monotonic, secondsAfter } from '../../kernel/clock.ts'
import { inTransaction } from '../../platform/postgres/db.ts'
import type { Core } from '../core.ts'
import { shardScope } from '../shards/index.ts'
import type { Sweep } from '../sweep.ts'
import { addMarks, type LongTable } from './marks.ts'
import { type Completed, countMarks } from './statuses.ts'

const PAUSE_SECONDS = 120
/**
 * Rows that had this age at the previous run are all visible now, because every transaction that could write one has
 * ended.
 */
const SETTLED_SECONDS = 900
/** Index entries counted per transaction. */
const COUNTED_MAX = 5
/** After each step, the sweep pauses for this many times the step's duration, to leave the database to other work. */
const PAUSE_FACTOR = 4

/** Indexes a long list as it grows, and counts completed rows between its entries. */
export function markSweep<R extends Completed>(
  { db, shards }: Core,
  long: LongTable<R>,
  firstAt: (at: Date) => bigint,
): Sweep {
  let previousRun = { at: new Date(0), on: Number.NEGATIVE_INFINITY }
  let settledAt = previousRun.at
  return {
    name: `mark ${long.label}`,
    everySeconds: PAUSE_SECONDS,
    run: async (at, limit) => {
      const began = monotonic()
      if (began - previousRun.on >= PAUSE_SECONDS * 1_000) {
        settledAt = secondsAfter(previousRun.at, -SETTLED_SECONDS)
        previousRun = { at, on: began }
      }
      if (settledAt.getTime() <= 0) return 0
      const below = firstAt(settledAt)
      const done = await shards.each(async (shard) => {
        const ours = shardScope(shard)
        const added = await inTransaction(db, (tx) => addMarks(tx, ours, long, below))
        return added + (await inTransaction(db, (tx) => countMarks(tx, ours, long, COUNTED_MAX)))
      })
      if (done === 0) return 0
      // Index entries are not urgent, and their rows may have to be read from disk.
      await wait((monotonic() - began) * PAUSE_FACTOR)
      return limit
    },
  }
}
