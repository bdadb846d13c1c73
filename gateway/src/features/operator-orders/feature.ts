import type { Feature } from '../../core/feature.ts'
import { operatorOrderRoutes } from './routes.ts'
import type { OperatorOrderDeps } from './service.ts'

/** Orders for which a person is called, as the operator's people decide about them. */
export const operatorOrderFeature = (deps: OperatorOrderDeps) =>
  ({ routes: (serve) => operatorOrderRoutes(serve, deps) }) satisfies Feature
