import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Orders } from '../../core/orders/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import { refundOrders } from './orders.ts'
import type { SelectDisputed } from './repository.ts'
import { refundRoutes } from './routes.ts'

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly enquiries: Pick<Enquiries, 'transfer'>
  readonly selectDisputed: SelectDisputed
}

/** Payments that go back to their payers, in full or in parts. */
export const refundFeature = (deps: Deps) =>
  ({ routes: (serve) => refundRoutes(serve, deps), orders: { refund: refundOrders(deps) } }) satisfies Feature
