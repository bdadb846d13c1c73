import type { Feature } from '../../core/feature.ts'
import { deletionSweep } from '../../core/retention.ts'
import { inOneQuery } from '../../platform/postgres/db.ts'
import { receiveReservedCredits } from './credits.ts'
import { eraseIdentities, reservedAccountCustomerData } from './customer-data.ts'
import { sealedReservedAccounts } from './encrypted-columns.ts'
import { reservedAccounts } from './repository.ts'
import { reservedAccountRoutes } from './routes.ts'
import { type Deps, recordOf } from './service.ts'

/**
 * Permanent account numbers of a merchant's customers. Customers' identities are stored for `keep.identities` days
 * after deallocation.
 */
export const reservedAccountFeature = {
  customerData: [reservedAccountCustomerData],
  encryptedColumns: sealedReservedAccounts,
  open: (deps: Deps & { readonly keep: { readonly identities: number } }) => ({
    routes: (serve) => reservedAccountRoutes(serve, deps),
    sweeps: [
      deletionSweep('erase identities of deallocated accounts', deps.keep.identities, (shard, before, limit) =>
        inOneQuery(deps.core.db, (tx) => eraseIdentities(tx, shard, before, limit)),
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
  }),
} satisfies Feature
