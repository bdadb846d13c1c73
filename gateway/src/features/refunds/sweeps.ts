import type { Core } from '../../core/core.ts'
import type { Sweep } from '../../core/sweep.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { failHeld } from './conclude.ts'
import { lockUnauthorizedRefunds, nextUnauthorizedRefund } from './repository.ts'

/** Expires refunds that were not authorized in time. */
export const refundSweeps = (core: Core): readonly Sweep[] => [
  {
    name: 'expire refunds',
    runShard: (shard, _, limit) =>
      unitOfWork(core, async (unit) => {
        const due = await lockUnauthorizedRefunds(unit.tx, shard, unit.at, limit)
        if (due.length > 0) await failHeld(unit, due, 'not authorized in time')
        return due.length
      }),
    nextDue: () => nextUnauthorizedRefund(core.db),
  },
]
