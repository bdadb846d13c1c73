import type { Core } from '../../core.ts'
import type { Shard } from '../../shards/index.ts'
import type { Sweep } from '../../sweep.ts'
import { unitOfWork } from '../../unit-of-work.ts'
import { additionalQueue } from './additional-repository.ts'
import type { DeliveryQueue } from './queue.ts'
import { defaultQueue } from './queue-repository.ts'

/**
 * Keeps the queues short: they hold only events that can be sent now, so polling costs the same however many endpoints
 * are dead.
 */
export const outboxSweeps = (core: Core): readonly Sweep[] => [
  ...sweepsOf(core, defaultQueue, ''),
  ...sweepsOf(core, additionalQueue, ' (additional endpoints)'),
]

const sweepsOf = (core: Core, queue: DeliveryQueue, suffix: string): readonly Sweep[] => [
  {
    name: `queue due events${suffix}`,
    runShard: (shard, at, limit) =>
      unitOfWork(core, async ({ tx, wake }) => {
        const count = await queue.enqueueDue(tx, shard, at, limit)
        if (count > 0) wake(queue.work)
        return count
      }),
    nextDue: () => queue.nextWaitingDue(core.db),
  },
  {
    name: `set events aside for paused endpoints${suffix}`,
    runShard: (shard, _, limit) => setPausedAside(core, queue, shard, limit),
  },
  { name: `put events back in line${suffix}`, runShard: (shard, _, limit) => resume(core, queue, shard, limit) },
]

async function setPausedAside(core: Core, queue: DeliveryQueue, shard: Shard, limit: number): Promise<number> {
  const paused = await queue.selectPausedQueued(core.db, shard, limit)
  if (paused.length === 0) return 0
  return unitOfWork(core, async ({ tx }) => {
    await queue.lockEndpoints(tx, paused)
    return queue.setAside(tx, paused, limit)
  })
}

async function resume(core: Core, queue: DeliveryQueue, shard: Shard, limit: number): Promise<number> {
  const merchants = await queue.selectResuming(core.db, shard, limit)
  if (merchants.length === 0) return 0
  return unitOfWork(core, async ({ tx, wake }) => {
    await queue.lockEndpoints(tx, merchants)
    const count = await queue.enqueueResumed(tx, merchants, limit)
    if (count > 0) wake(queue.work)
    if (count < limit) queue.markResumed(tx, merchants)
    return Math.max(count, merchants.length)
  })
}
