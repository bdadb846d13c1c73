import type { VirtualAccounts } from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { bankTransferRoutes } from './routes.ts'
import { assignAccounts, assignThrough, type BankTransferLane } from './service.ts'

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  readonly virtualAccounts: VirtualAccounts
}

/** Account numbers and USSD codes for transactions. */
export const bankTransferFeature = {
  open: (deps: Deps) => {
    const lane: BankTransferLane = deps.metrics.lane({
      name: 'bank-transfer init',
      blockedBy: ({ merchant }) => merchant.id,
      shardOf: ({ merchant }) => deps.core.shards.of(merchant.id),
      run: (requests) => assignAccounts(deps, requests),
    })
    return { routes: (serve) => bankTransferRoutes(serve, assignThrough(lane, deps.virtualAccounts)) }
  },
} satisfies Feature
