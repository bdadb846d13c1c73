import type { Sweep } from '../../core/sweep.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { inOneStatement } from '../../platform/db.ts'
import { afterDue } from './mandate.ts'
import { lockDueMandates, nextMandateDue, takeToInstruct } from './repository.ts'
import { changeMandates, type Deps, instruct, instructAgainAt } from './service.ts'

/** Mandates that renew themselves more often are caught up with in one go, so that a year can pass in a moment. */
const PERIOD_SECONDS_MIN = 86_400
const MAILS_AT_ONCE_MAX = 10

/** What falls due of mandates. */
export const directDebitSweeps = (deps: Deps): readonly Sweep[] => [
  {
    name: 'mandates that are due',
    run: (at, limit) =>
      deps.core.shards.each((shard) =>
        unitOfWork(deps.core, async (unit) => {
          const due = await lockDueMandates(unit.tx, shard, at, limit)
          changeMandates(
            unit,
            due.flatMap((mandate) => afterDue(mandate, at) ?? []),
          )
          return due.length
        }),
      ),
    nextDue: () => nextMandateDue(deps.core.db, PERIOD_SECONDS_MIN),
  },
  {
    name: 'mail instructions for mandates',
    run: async (at, limit) => {
      const taken = await deps.core.shards.gather(limit, (shard, most) =>
        inOneStatement(deps.core.db, (tx) => takeToInstruct(tx, shard, at, instructAgainAt(at), most)),
      )
      for (let start = 0; start < taken.length; start += MAILS_AT_ONCE_MAX)
        await Promise.all(taken.slice(start, start + MAILS_AT_ONCE_MAX).map((mandate) => instruct(deps, mandate)))
      return taken.length
    },
  },
]
