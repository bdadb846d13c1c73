import type { Core } from '../../core/core.ts'
import type { Sweep } from '../../core/sweep.ts'
import { inOneStatement } from '../../platform/db.ts'
import { deleteOldValidations } from './repository.ts'

/** What falls due with bills: forgetting validations. Vends are asked about by their orders. */
export const billSweeps = ({ db }: Pick<Core, 'db'>): readonly Sweep[] => [
  {
    name: 'forget customer validations',
    run: (at, limit) => inOneStatement(db, (tx) => deleteOldValidations(tx, at, limit)),
  },
]
