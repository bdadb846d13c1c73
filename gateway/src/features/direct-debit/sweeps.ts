import type { Sweep } from '../../core/sweep.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { inOneQuery } from '../../platform/postgres/db.ts'
import { afterDue } from './mandate.ts'
import { leaseToInstruct, lockDueMandates, nextMandateDue } from './repository.ts'
import { changeMandates, type Deps, instruct, instructAgainAt } from './service.ts'

/** The sandbox clock does not stop at renewals of mandates with shorter periods, so that a year can pass quickly. */
const PERIOD_SECONDS_MIN = 86_400
const MAILS_AT_ONCE_MAX = 10

/** Returns the scheduled work of mandates. */
export const directDebitSweeps = (deps: Deps): readonly Sweep[] => [
  {
    name: 'due mandates',
    runShard: (shard, at, limit) =>
      unitOfWork(deps.core, async (unit) => {
        const due = await lockDueMandates(unit.tx, shard, at, limit)
        changeMandates(
          unit,
          due.flatMap((mandate) => afterDue(mandate, at) ?? []),
        )
        return due.length
      }),
    nextDue: () => nextMandateDue(deps.core.db, PERIOD_SECONDS_MIN),
  },
  {
    name: 'mail instructions for mandates',
    runShard: async (shard, at, limit) => {
      const taken = await inOneQuery(deps.core.db, (tx) => leaseToInstruct(tx, shard, at, instructAgainAt(at), limit))
      for (let start = 0; start < taken.length; start += MAILS_AT_ONCE_MAX)
        await Promise.all(taken.slice(start, start + MAILS_AT_ONCE_MAX).map((mandate) => instruct(deps, mandate)))
      return taken.length
    },
  },
]
