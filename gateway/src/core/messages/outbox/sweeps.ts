import type { Core } from '../../core.ts'
import type { Shard } from '../../shards/index.ts'
import type { Sweep } from '../../sweep.ts'
import { unitOfWork } from '../../unit-of-work.ts'
import {
  enqueueDue,
  enqueueResumed,
  lockEndpoints,
  markResumed,
  nextWaitingDue,
  selectPausedQueued,
  selectResuming,
  setAside,
} from './queue-repository.ts'

/**
 * Keeps the queue short: it holds only events that can be sent now, so polling costs the same however many endpoints
 * are dead.
 */
export const outboxSweeps = (core: Core): readonly Sweep[] => [
  {
    name: 'queue due events',
    runShard: (shard, at, limit) =>
      unitOfWork(core, async ({ tx, wake }) => {
        const count = await enqueueDue(tx, shard, at, limit)
        if (count > 0) wake('events')
        return count
      }),
    nextDue: () => nextWaitingDue(core.db),
  },
  {
    name: 'set events aside for paused endpoints',
    runShard: (shard, _, limit) => setPausedAside(core, shard, limit),
  },
  { name: 'put events back in line', runShard: (shard, _, limit) => resume(core, shard, limit) },
]

async function setPausedAside(core: Core, shard: Shard, limit: number): Promise<number> {
  const kinds = await selectPausedQueued(core.db, shard, limit)
  if (kinds.length === 0) return 0
  return unitOfWork(core, async ({ tx }) => {
    await lockEndpoints(tx, kinds)
    return setAside(tx, kinds, limit)
  })
}

async function resume(core: Core, shard: Shard, limit: number): Promise<number> {
  const merchants = await selectResuming(core.db, shard, limit)
  if (merchants.length === 0) return 0
  return unitOfWork(core, async ({ tx, wake }) => {
    await lockEndpoints(tx, merchants)
    const count = await enqueueResumed(tx, merchants, limit)
    if (count > 0) wake('events')
    if (count < limit) markResumed(tx, merchants)
    return Math.max(count, merchants.length)
  })
}
