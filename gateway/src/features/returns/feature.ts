import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Orders } from '../../core/orders/index.ts'
import type { Log } from '../../platform/log.ts'
import { returnOrders } from './orders.ts'

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly log: Log
}

/** Credits that nobody wants: a liability until they are back with their payers. */
export const returnFeature = (deps: Deps) =>
  ({ routes: () => {}, orders: { return: returnOrders(deps) } }) satisfies Feature
