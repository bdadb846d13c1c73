import type { Feature } from '../../core/feature.ts'
import { keyRoutes } from './routes.ts'
import type { KeyDeps } from './service.ts'

/** By what a merchant's server is known to us, and having that replaced. */
export const keyFeature = (deps: KeyDeps) => ({ routes: (serve) => keyRoutes(serve, deps) }) satisfies Feature
