import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { receive } from './receive.ts'
import { transactionRoutes } from './routes.ts'
import { type InitLane, transactionSweeps, writeTransactions } from './service.ts'

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  /** Where customers reach us. */
  readonly publicUrl: () => string
}

/** What merchants want to be paid, and what is paid for it. */
export function transactionFeature({ core, metrics, publicUrl }: Deps) {
  const init: InitLane = metrics.lane({
    name: 'init-transaction',
    setsMax: 1, // one short statement: larger sets save more than a second one at a time gains
    run: (rows) => writeTransactions(core.db, rows),
  })
  return {
    routes: (serve) => transactionRoutes(serve, { core, init, publicUrl }),
    sweeps: transactionSweeps(core),
    receives: {
      transaction: (unit, credits) =>
        receive(
          unit,
          credits.map(({ credit, account }) => ({
            merchantId: account.merchantId,
            transactionId: account.ownerId,
            receipt: { ...credit, method: 'ACCOUNT_TRANSFER', card: null },
          })),
        ),
    },
  } satisfies Feature
}
