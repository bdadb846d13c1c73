import { nextEndingMembership, selectEndingMemberships } from '../../core/sessions/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { endWait } from './members.ts'
import type { TeamDeps } from './service.ts'

export const teamSweeps = (deps: TeamDeps): readonly Sweep[] => [
  {
    name: 'owners who leave',
    nextDue: () => nextEndingMembership(deps.core.db),
    run: async (at, limit) => {
      const due = await selectEndingMemberships(deps.core.db, at, limit)
      for (const one of due) await endWait(deps, one)
      return due.length
    },
  },
]
