import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Orders } from '../../core/orders/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import { refundCustomerData } from './customer-data.ts'
import { refundChecks } from './ledger-checks.ts'
import { refundOrders } from './orders.ts'
import type { SelectDisputed } from './repository.ts'
import { refundRoutes } from './routes.ts'

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly enquiries: Pick<Enquiries, 'transfer'>
  readonly selectDisputed: SelectDisputed
}

/** Refunds of payments, in full or in part. */
export const refundFeature = {
  ledgerChecks: refundChecks,
  customerData: [refundCustomerData],
  open: (deps: Deps) => ({ routes: (serve) => refundRoutes(serve, deps), orders: { refund: refundOrders(deps) } }),
} satisfies Feature
