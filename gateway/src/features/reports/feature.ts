import type { Feature } from '../../core/feature.ts'
import { reportRoutes } from './routes.ts'
import { type ReportDeps, reportSweep } from './sweeps.ts'

/** Reports that people of a team have mailed to them. */
export const reportFeature = (deps: ReportDeps) =>
  ({ routes: (serve) => reportRoutes(serve, deps.core), sweeps: [reportSweep(deps)] }) satisfies Feature
