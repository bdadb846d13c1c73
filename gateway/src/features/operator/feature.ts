import type { Feature } from '../../core/feature.ts'
import type { OperatorDeps } from './merchants.ts'
import { operatorRoutes } from './routes.ts'

/** What whoever runs the gateway sees and does in the dashboard. */
export const operatorFeature = (deps: OperatorDeps) =>
  ({ routes: (serve) => operatorRoutes(serve, deps) }) satisfies Feature
