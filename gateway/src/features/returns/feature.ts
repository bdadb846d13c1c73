import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Orders } from '../../core/orders/index.ts'
import type { Log } from '../../platform/observability/log.ts'
import { returnCustomerData } from './customer-data.ts'
import { returnChecks } from './ledger-checks.ts'
import { returnOrders } from './orders.ts'

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly log: Log
}

/** Rejected credits: a liability until they are returned to their payers. */
export const returnFeature = {
  ledgerChecks: returnChecks,
  customerData: [returnCustomerData],
  open: (deps: Deps) => ({ routes: () => {}, orders: { return: returnOrders(deps) } }),
} satisfies Feature
