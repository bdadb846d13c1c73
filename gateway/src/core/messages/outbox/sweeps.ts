import type { Core } from '../../core.ts'
import type { Shard } from '../../shards/index.ts'
import type { Sweep } from '../../sweep.ts'
import { unitOfWork } from '../../unit-of-work.ts'
import {
  lineUpDue,
  lineUpResumed,
  lockEndpoints,
  nextWaitingDue,
  noteResumed,
  selectPausedInLine,
  selectResuming,
  setAside,
} from './line-repository.ts'

/**
 * What keeps the line of events short: in it stands what can be sent now. So looking for that costs as much as there is to
 * send, however many receivers are dead.
 */
export const outboxSweeps = (core: Core): readonly Sweep[] => [
  {
    name: 'put due events in line',
    run: (at, limit) =>
      core.shards.each((shard) =>
        unitOfWork(core, async ({ tx, wake }) => {
          const count = await lineUpDue(tx, shard, at, limit)
          if (count > 0) wake('events')
          return count
        }),
      ),
    nextDue: () => nextWaitingDue(core.db),
  },
  {
    name: 'set events aside for paused endpoints',
    run: (_, limit) => core.shards.each((shard) => setPausedAside(core, shard, limit)),
  },
  { name: 'put events back in line', run: (_, limit) => core.shards.each((shard) => resume(core, shard, limit)) },
]

async function setPausedAside(core: Core, shard: Shard, limit: number): Promise<number> {
  const kinds = await selectPausedInLine(core.db, shard, limit)
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
    const count = await lineUpResumed(tx, merchants, limit)
    if (count > 0) wake('events')
    if (count < limit) noteResumed(tx, merchants)
    return Math.max(count, merchants.length)
  })
}
