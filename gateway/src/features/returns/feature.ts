import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Orders } from '../../core/orders/index.ts'
import type { Log } from '../../platform/log.ts'
import type { Rails } from '../../rails/index.ts'
import { returnOrders } from './orders.ts'

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly rails: Pick<Rails, 'returns' | 'transfer'>
  readonly log: Log
  /** Through whom orders go, where an order does not say. */
  readonly partner: () => string
}

/** Credits that nobody wants: a liability until they are back with their payers. */
export const returnFeature = (deps: Deps) =>
  ({ routes: () => {}, orders: { return: returnOrders(deps) } }) satisfies Feature
