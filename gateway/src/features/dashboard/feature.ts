import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { CheckoutLinks } from '../transactions/index.ts'
import { dashboardChecks } from './ledger-checks.ts'
import { openLiveUpdates } from './live-updates.ts'
import { dashboardRoutes } from './routes.ts'
import { totalsSweep } from './sweeps.ts'
import { openHours } from './totals.ts'

/** The dashboard's read-only parts: home, lists, search and the timeline of a transaction. */
export const dashboardFeature = {
  ledgerChecks: dashboardChecks,
  open: ({ core, log, links }: { readonly core: Core; readonly log: Log; readonly links: CheckoutLinks }) => {
    const hours = openHours(core.db)
    const liveUpdates = openLiveUpdates(core, log)
    return {
      routes: (serve) => dashboardRoutes(serve, { core, hours, liveUpdates, links }),
      sweeps: [totalsSweep(core)],
    }
  },
} satisfies Feature
