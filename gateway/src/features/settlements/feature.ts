import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Orders } from '../../core/orders/index.ts'
import { settlementChecks } from './ledger-checks.ts'
import { payoutOrders } from './orders.ts'
import { settlementRoutes } from './routes.ts'
import { settlementSweeps } from './service.ts'

interface Deps {
  readonly core: Core
  readonly orders: Orders
}

/** Settles collections to the merchant's wallet or bank account. */
export const settlementFeature = {
  ledgerChecks: settlementChecks,
  open: ({ core, orders }: Deps) => ({
    routes: (serve) => settlementRoutes(serve, core),
    sweeps: settlementSweeps({ core, orders }),
    orders: { 'settlement-payout': payoutOrders({ core, orders }) },
  }),
} satisfies Feature
