import type { Core } from '../../core/core.ts'
import { DELETION_SECONDS, type Sweep } from '../../core/sweep.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { inOneQuery } from '../../platform/postgres/db.ts'
import { failHeld } from './orders.ts'
import { deleteOldValidations, lockUnauthorizedVends, nextUnauthorizedVend } from './repository.ts'

/** Deletes expired validations and expires vends that were not authorized in time. Orders query the sent vends. */
export const billSweeps = (core: Core): readonly Sweep[] => [
  {
    name: 'delete expired validations',
    runShard: (shard, at, limit) => inOneQuery(core.db, (tx) => deleteOldValidations(tx, shard, at, limit)),
    everySeconds: DELETION_SECONDS,
  },
  {
    name: 'expire bills',
    runShard: (shard, _, limit) =>
      unitOfWork(core, async (unit) => {
        const due = await lockUnauthorizedVends(unit.tx, shard, unit.at, limit)
        if (due.length > 0) await failHeld(unit, due, 'Not authorized in time')
        return due.length
      }),
    nextDue: () => nextUnauthorizedVend(core.db),
  },
]
