import type { Feature } from '../../core/feature.ts'
import { teamRoutes } from './routes.ts'
import type { TeamDeps } from './service.ts'

/** Who does what for a merchant. */
export const teamFeature = (deps: TeamDeps) => ({ routes: (serve) => teamRoutes(serve, deps) }) satisfies Feature
