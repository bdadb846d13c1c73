import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Orders } from '../../core/orders/index.ts'
import type { Rails } from '../../rails/index.ts'
import { payoutOrders } from './orders.ts'
import { settlementRoutes } from './routes.ts'
import { settlementSweeps } from './service.ts'

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly rails: Pick<Rails, 'transfer'>
}

/** What was collected becomes the merchant's, in its wallet or at its bank. */
export const settlementFeature = ({ core, orders, rails }: Deps) =>
  ({
    routes: (serve) => settlementRoutes(serve, core),
    sweeps: settlementSweeps(core),
    orders: { 'settlement-payout': payoutOrders({ core, orders, rail: rails.transfer }) },
  }) satisfies Feature
