import type { Feature } from '../../core/feature.ts'
import { receiveReservedCredits } from './credits.ts'
import { reservedAccountRoutes } from './routes.ts'
import type { Deps } from './service.ts'

/** Account numbers that stay with a merchant's customer. */
export const reservedAccountFeature = (deps: Deps) =>
  ({
    routes: (serve) => reservedAccountRoutes(serve, deps),
    receives: {
      'reserved-account': (unit, credits) =>
        receiveReservedCredits(
          unit,
          deps.core.keyring,
          credits.map(({ credit, account, merchant }) => ({ credit, merchant, reservedAccountId: account.ownerId })),
        ),
    },
  }) satisfies Feature
