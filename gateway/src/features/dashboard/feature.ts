import type { VirtualAccounts } from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { ProofDeps } from '../receipts/index.ts'
import type { CheckoutLinks } from '../transactions/index.ts'
import { dashboardChecks } from './ledger-checks.ts'
import { openLiveUpdates } from './live-updates.ts'
import { dashboardRoutes } from './routes.ts'
import { totalsSweep } from './sweeps.ts'
import { openHours } from './totals.ts'

interface Deps extends ProofDeps {
  readonly core: Core
  readonly log: Log
  readonly links: CheckoutLinks
  readonly virtualAccounts: VirtualAccounts
}

/** The dashboard's home, lists, search, tills and the timeline of a transaction. */
export const dashboardFeature = {
  ledgerChecks: dashboardChecks,
  open: ({ core, log, ...given }: Deps) => {
    const hours = openHours(core.db)
    const liveUpdates = openLiveUpdates(core, log)
    return {
      routes: (serve) => dashboardRoutes(serve, { core, hours, liveUpdates, ...given }),
      sweeps: [totalsSweep(core)],
    }
  },
} satisfies Feature
