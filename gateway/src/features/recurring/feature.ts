import type { Feature } from '../../core/feature.ts'
import { recurringRoutes } from './routes.ts'
import type { Deps } from './service.ts'

/** Charges of stored cards. */
export const recurringFeature = {
  open: (deps: Deps) => ({ routes: (serve) => recurringRoutes(serve, deps) }),
} satisfies Feature
