import type { Core } from '../../core/core.ts'
import { FORGETTING_SECONDS, type Sweep } from '../../core/sweep.ts'
import { inOneStatement } from '../../platform/db.ts'
import { deleteOldValidations } from './repository.ts'

/** What falls due with bills: forgetting validations. Vends are asked about by their orders. */
export const billSweeps = ({ db, shards }: Pick<Core, 'db' | 'shards'>): readonly Sweep[] => [
  {
    name: 'forget customer validations',
    run: (at, limit) => shards.each((shard) => inOneStatement(db, (tx) => deleteOldValidations(tx, shard, at, limit))),
    everySeconds: FORGETTING_SECONDS,
  },
]
