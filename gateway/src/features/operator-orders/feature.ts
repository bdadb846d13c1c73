import type { Feature } from '../../core/feature.ts'
import { operatorOrderRoutes } from './routes.ts'
import type { OperatorOrderDeps } from './service.ts'

/** Orders that need manual review, for the operator's team. */
export const operatorOrderFeature = {
  open: (deps: OperatorOrderDeps) => ({ routes: (serve) => operatorOrderRoutes(serve, deps) }),
} satisfies Feature
