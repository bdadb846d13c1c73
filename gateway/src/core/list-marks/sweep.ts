import { setTimeout as wait } from 'node:timers/promises'
import { monotonic, secondsAfter } from '../../kernel/clock.ts'
import { inTransaction } from '../../platform/db.ts'
import type { Core } from '../core.ts'
import { whose } from '../shards/index.ts'
import type { Sweep } from '../sweep.ts'
import { noteCustomers, type OfCustomers } from './customers.ts'
import { addMarks, type LongTable } from './marks.ts'
import { type Completed, countMarks } from './statuses.ts'

const PAUSE_SECONDS = 120
/** What began so long ago, by either clock, is committed. */
const REST_SECONDS = 900
/** So many marks are looked at in one transaction. */
const LOOKED_AT_MAX = 5
/** Where there is more to look at, others have so many times as long as it took. */
const OTHERS_SHARE = 4

/** Sets marks in a long list as it grows, counts what is complete between them, and notes whose it is. */
export function markSweep<R extends Completed & OfCustomers>(
  { db, shards }: Core,
  long: LongTable<R>,
  firstAt: (at: Date) => bigint,
): Sweep {
  let seen = { at: new Date(0), on: Number.NEGATIVE_INFINITY }
  let rest = seen.at
  return {
    name: `mark ${long.label}`,
    everySeconds: PAUSE_SECONDS,
    run: async (at, limit) => {
      const began = monotonic()
      if (began - seen.on >= PAUSE_SECONDS * 1_000) {
        rest = secondsAfter(seen.at, -REST_SECONDS)
        seen = { at, on: began }
      }
      if (rest.getTime() <= 0) return 0
      const below = firstAt(rest)
      const done = await shards.each(async (shard) => {
        const ours = whose(shard)
        const added = await inTransaction(db, (tx) => addMarks(tx, ours, long, below))
        const counted = await inTransaction(db, (tx) => countMarks(tx, ours, long, LOOKED_AT_MAX))
        return added + counted + (await inTransaction(db, (tx) => noteCustomers(tx, ours, long, LOOKED_AT_MAX)))
      })
      if (done === 0) return 0
      // Nobody waits for marks, and what they are made of may have to be read from disk.
      await wait((monotonic() - began) * OTHERS_SHARE)
      return limit
    },
  }
}
