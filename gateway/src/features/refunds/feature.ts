import type { Feature } from '../../core/feature.ts'
import type { Payouts } from '../approvals/index.ts'
import { refundCustomerData } from './customer-data.ts'
import { refundChecks } from './ledger-checks.ts'
import { refundOrders } from './orders.ts'
import { refundPayouts } from './payouts.ts'
import { expireAll } from './repository.ts'
import { refundRoutes } from './routes.ts'
import type { RefundDeps } from './service.ts'
import { refundSweeps } from './sweeps.ts'

type Deps = RefundDeps & { readonly payouts: Payouts }

/** Refunds of payments, in full or in part. */
export const refundFeature = {
  ledgerChecks: refundChecks,
  customerData: [refundCustomerData],
  closing: [expireAll],
  open: (deps: Deps) => {
    deps.payouts.define('REFUND', refundPayouts)
    return {
      routes: (serve) => refundRoutes(serve, deps),
      sweeps: refundSweeps(deps.core),
      orders: { refund: refundOrders(deps) },
    }
  },
} satisfies Feature
