import type { Feature } from '../../core/feature.ts'
import { subAccountRoutes } from './routes.ts'
import type { SubAccountDeps } from './service.ts'

/** Where parts of what a merchant collects may go. */
export const subAccountFeature = (deps: SubAccountDeps) =>
  ({ routes: (serve) => subAccountRoutes(serve, deps) }) satisfies Feature
