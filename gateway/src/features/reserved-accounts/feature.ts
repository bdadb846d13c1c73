import type { Feature } from '../../core/feature.ts'
import { forgetting } from '../../core/retention.ts'
import { inOneStatement } from '../../platform/db.ts'
import { receiveReservedCredits } from './credits.ts'
import { forgetIdentities } from './person-repository.ts'
import { reservedAccounts } from './repository.ts'
import { reservedAccountRoutes } from './routes.ts'
import { type Deps, recordOf } from './service.ts'

/** Account numbers that stay with a merchant's customer, whose identity is kept so many days after that. */
export const reservedAccountFeature = (deps: Deps & { readonly keepIdentitiesDays: number }) =>
  ({
    routes: (serve) => reservedAccountRoutes(serve, deps),
    sweeps: [
      forgetting('forget identities of accounts that were given up', deps.keepIdentitiesDays, (before, limit) =>
        deps.core.shards.each((shard) =>
          inOneStatement(deps.core.db, (tx) => forgetIdentities(tx, shard, before, limit)),
        ),
      ),
    ],
    takesMoney: {
      'reserved-account': async ({ merchantId, ownerId: id }, at) => {
        const [account] = await reservedAccounts.select(deps.core.db, [{ merchantId, id }])
        return account !== undefined && (await recordOf(deps.core.db, account, at)).isActive
      },
    },
    receives: {
      'reserved-account': (unit, credits) =>
        receiveReservedCredits(
          unit,
          deps.core.keyring,
          credits.map(({ credit, account, merchant }) => ({ credit, merchant, reservedAccountId: account.ownerId })),
        ),
    },
  }) satisfies Feature
