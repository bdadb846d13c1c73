import type { Feature } from '../../core/feature.ts'
import { recurringRoutes } from './routes.ts'
import type { Deps } from './service.ts'

/** Charges of cards that their holders left on file. */
export const recurringFeature = (deps: Deps) => ({ routes: (serve) => recurringRoutes(serve, deps) }) satisfies Feature
