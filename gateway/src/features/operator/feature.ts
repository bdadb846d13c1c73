import type { Feature } from '../../core/feature.ts'
import type { OperatorDeps } from './merchants.ts'
import { operatorRoutes } from './routes.ts'

/** The operator's pages of the dashboard. */
export const operatorFeature = {
  open: (deps: OperatorDeps) => ({ routes: (serve) => operatorRoutes(serve, deps) }),
} satisfies Feature
