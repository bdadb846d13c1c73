import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { VirtualAccounts } from '../../core/money/virtual-accounts/index.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { bankTransferRoutes } from './routes.ts'
import { assignAccounts, assignThrough, type BankTransferLane } from './service.ts'

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  readonly virtualAccounts: VirtualAccounts
}

/** Account numbers and codes to dial for transactions. */
export function bankTransferFeature(deps: Deps) {
  const lane: BankTransferLane = deps.metrics.lane({
    name: 'bank-transfer init',
    apartBy: ({ merchant }) => merchant.id,
    shardOf: ({ merchant }) => deps.core.shards.of(merchant.id),
    run: (wishes) => assignAccounts(deps, wishes),
  })
  return { routes: (serve) => bankTransferRoutes(serve, assignThrough(lane, deps.virtualAccounts)) } satisfies Feature
}
