import type { Core } from '../../core/core.ts'
import { DELETION_SECONDS, type Sweep } from '../../core/sweep.ts'
import { inOneQuery } from '../../platform/postgres/db.ts'
import { deleteOldValidations } from './repository.ts'

/** Deletes expired validations. Vends are queried by their orders. */
export const billSweeps = ({ db }: Pick<Core, 'db'>): readonly Sweep[] => [
  {
    name: 'delete expired validations',
    runShard: (shard, at, limit) => inOneQuery(db, (tx) => deleteOldValidations(tx, shard, at, limit)),
    everySeconds: DELETION_SECONDS,
  },
]
