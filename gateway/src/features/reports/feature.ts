import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { reportRoutes } from './routes.ts'
import { reportSweep } from './sweeps.ts'

export interface ReportDeps {
  readonly core: Core
  /** Where browsers reach us. */
  readonly publicUrl: () => string
}

/** Reports that people of a team have mailed to them. */
export const reportFeature = (deps: ReportDeps) =>
  ({ routes: (serve) => reportRoutes(serve, deps.core), sweeps: [reportSweep(deps)] }) satisfies Feature
