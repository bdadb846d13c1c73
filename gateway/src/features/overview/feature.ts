import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Log } from '../../platform/log.ts'
import { openHints } from './hints.ts'
import { overviewRoutes } from './routes.ts'
import { totalsSweep } from './sweeps.ts'
import { openHours } from './totals.ts'

/** What a merchant's people read in the dashboard: home, lists, search, and the story of a transaction. */
export function overviewFeature({ core, log }: { readonly core: Core; readonly log: Log }) {
  const hours = openHours(core.db)
  const hints = openHints(core, log)
  return {
    routes: (serve) => overviewRoutes(serve, { core, hours, hints }),
    sweeps: [totalsSweep(core)],
  } satisfies Feature
}
