import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Orders } from '../../core/orders/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import { openShop } from './catalogue.ts'
import { vendOrders } from './orders.ts'
import { billRoutes } from './routes.ts'
import { billSweeps } from './sweeps.ts'

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly enquiries: Pick<Enquiries, 'biller'>
}

/** Bills that merchants pay for their customers, from airtime to electricity. */
export function billFeature({ core, orders, enquiries: { biller } }: Deps) {
  const vends = vendOrders({ orders })
  const shop = openShop(biller, core.clock)
  return {
    routes: (serve) => billRoutes(serve, { core, orders, rail: biller, shop, vends }),
    sweeps: billSweeps(core),
    orders: { vend: vends },
  } satisfies Feature
}
