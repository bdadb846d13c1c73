import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { VirtualAccounts } from '../../core/money/virtual-accounts/index.ts'
import { walletRoutes } from './routes.ts'
import { receiveTopUps } from './top-up.ts'

interface Deps {
  readonly core: Core
  readonly virtualAccounts: VirtualAccounts
}

/** Wallets of merchants and their customers: balances, statements, top-ups. */
export const walletFeature = (deps: Deps) =>
  ({
    routes: (serve) => walletRoutes(serve, deps),
    receives: {
      wallet: (unit, credits) =>
        receiveTopUps(
          unit,
          credits.map(({ credit, account }) => ({
            credit,
            merchantId: account.merchantId,
            walletId: account.ownerId,
          })),
        ),
    },
  }) satisfies Feature
