import type { VirtualAccounts } from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { ReceiptKeys } from '../../core/security/receipt-keys.ts'
import type { Environment } from '../../platform/config/config.ts'
import type { Counter } from '../../platform/http/rate-limit.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
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
  /** Creates a counter per IP address, which has no limit if rate limits are off. */
  readonly openCounter: (perMinute: number) => Counter
  readonly links: CheckoutLinks
  readonly publicUrl: () => string
  readonly receiptKeys: ReceiptKeys
}

/** The payer's side of a transaction: the hosted checkout, and the script that opens it over a merchant's own page. */
export const checkoutFeature = {
  open: (deps: Deps) => {
    const lane: BankTransferLane = deps.metrics.lane({
      name: 'checkout transfer',
      blockedBy: ({ merchant }) => merchant.id,
      shardOf: ({ merchant }) => deps.core.shards.of(merchant.id),
      run: (requests) => assignAccounts(deps, requests),
    })
    const readPayment: ReadPayment = deps.metrics.lane({
      name: 'checkout',
      batchesMax: 1,
      shardOf: ({ merchantId }) => deps.core.shards.of(merchantId),
      run: (keys) => readPayments(deps, keys),
    })
    const assign = assignThrough(lane, deps.virtualAccounts)
    return { routes: (serve, pages) => checkoutRoutes(serve, pages, { ...deps, assign, readPayment }) }
  },
} satisfies Feature
