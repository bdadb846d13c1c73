import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { VirtualAccounts } from '../../core/money/virtual-accounts/index.ts'
import type { Environment } from '../../platform/config.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Counter } from '../../platform/rate-limit.ts'
import { assignAccounts, assignThrough, type BankTransferLane } from '../bank-transfer/index.ts'
import type { Cards } from '../cards/index.ts'
import type { CheckoutLinks } from '../transactions/index.ts'
import { checkoutRoutes } from './routes.ts'
import { type ReadPayment, readPayments } from './service.ts'

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  readonly environment: Environment
  readonly cards: Cards
  readonly virtualAccounts: VirtualAccounts
  /** Counts something per address, where requests are counted at all. */
  readonly counted: (perMinute: number) => Counter
  readonly links: CheckoutLinks
  readonly publicUrl: () => string
}

/** The payer's side of a transaction: the hosted checkout, and the script that opens it over a merchant's own page. */
export function checkoutFeature(deps: Deps) {
  const lane: BankTransferLane = deps.metrics.lane({
    name: 'checkout transfer',
    apartBy: ({ merchant }) => merchant.id,
    shardOf: ({ merchant }) => deps.core.shards.of(merchant.id),
    run: (wishes) => assignAccounts(deps, wishes),
  })
  const readPayment: ReadPayment = deps.metrics.lane({
    name: 'checkout',
    setsMax: 1,
    shardOf: ({ merchantId }) => deps.core.shards.of(merchantId),
    run: (keys) => readPayments(deps, keys),
  })
  const assign = assignThrough(lane, deps.virtualAccounts)
  return { routes: (serve, pages) => checkoutRoutes(serve, pages, { ...deps, assign, readPayment }) } satisfies Feature
}
