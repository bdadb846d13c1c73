import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { overviewRoutes } from './routes.ts'
import { totalsSweep } from './sweeps.ts'
import { openHours } from './totals.ts'

/** What a merchant's people read in the dashboard: home, lists, search, and the story of a transaction. */
export function overviewFeature({ core }: { readonly core: Core }) {
  const readHours = openHours(core.db)
  return {
    routes: (serve) => overviewRoutes(serve, { core, readHours }),
    sweeps: [totalsSweep(core)],
  } satisfies Feature
}
