import type { Feature } from '../../core/feature.ts'
import { teamRoutes } from './routes.ts'
import type { TeamDeps } from './service.ts'
import { teamSweeps } from './sweeps.ts'

/** The members of a merchant's team. */
export const teamFeature = {
  open: (deps: TeamDeps) => ({ routes: (serve) => teamRoutes(serve, deps), sweeps: teamSweeps(deps) }),
} satisfies Feature
