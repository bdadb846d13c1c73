import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Orders } from '../../core/orders/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import type { Payouts } from '../approvals/index.ts'
import { openCatalogue } from './catalogue.ts'
import { vendCustomerData } from './customer-data.ts'
import { billChecks } from './ledger-checks.ts'
import { vendOrders } from './orders.ts'
import { vendPayouts } from './payouts.ts'
import { expireAll } from './repository.ts'
import { billRoutes } from './routes.ts'
import { billSweeps } from './sweeps.ts'

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly enquiries: Pick<Enquiries, 'biller'>
  readonly payouts: Payouts
}

/** Bill payments that merchants make for their customers, from airtime to electricity. */
export const billFeature = {
  ledgerChecks: billChecks,
  customerData: [vendCustomerData],
  closing: [expireAll],
  open: ({ core, orders, enquiries: { biller }, payouts }: Deps) => {
    payouts.define('BILL', vendPayouts)
    const vends = vendOrders({ orders })
    const catalogue = openCatalogue(biller, core.clock)
    return {
      routes: (serve) => billRoutes(serve, { core, orders, rail: biller, catalogue: catalogue, vends }),
      sweeps: billSweeps(core),
      orders: { vend: vends },
    }
  },
} satisfies Feature
