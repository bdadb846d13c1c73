import type { Feature } from '../../core/feature.ts'
import { subAccountRoutes } from './routes.ts'
import type { SubAccountDeps } from './service.ts'

/** Sub accounts, which receive shares of a merchant's collections. */
export const subAccountFeature = {
  open: (deps: SubAccountDeps) => ({ routes: (serve) => subAccountRoutes(serve, deps) }),
} satisfies Feature
