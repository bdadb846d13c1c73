import type { Feature } from '../../core/feature.ts'
import { reportRoutes } from './routes.ts'
import { type ReportDeps, reportSweep } from './sweeps.ts'

/** Reports that team members receive by email. */
export const reportFeature = {
  open: (deps: ReportDeps) => ({ routes: (serve) => reportRoutes(serve, deps.core), sweeps: [reportSweep(deps)] }),
} satisfies Feature
