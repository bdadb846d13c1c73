import type { VirtualAccounts } from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { selectBalances, type WalletName } from '../../core/money/wallet-balances/index.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { walletCustomerData } from './customer-data.ts'
import { topUpChecks } from './ledger-checks.ts'
import { walletRoutes } from './routes.ts'
import { receiveTopUps } from './top-up.ts'

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  readonly virtualAccounts: VirtualAccounts
}

/** Wallets of merchants and their customers: balances, statements, top-ups. */
export const walletFeature = {
  ledgerChecks: topUpChecks,
  customerData: [walletCustomerData],
  open: (deps: Deps) => {
    const { core, metrics } = deps
    const readBalances = metrics.lane({
      name: 'customer balance',
      batchesMax: 1,
      shardOf: ({ merchantId }) => core.shards.of(merchantId),
      run: (wallets: readonly WalletName[]) => selectBalances(core.db, wallets),
    })
    return {
      routes: (serve) => walletRoutes(serve, { ...deps, readBalances }),
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
    }
  },
} satisfies Feature
