import type { Feature } from '../../core/feature.ts'
import type { KeyDeps } from './restricted.ts'
import { keyRoutes } from './routes.ts'

/** The API keys of a merchant's server, and their rotation. */
export const keyFeature = {
  open: (deps: KeyDeps) => ({ routes: (serve) => keyRoutes(serve, deps) }),
} satisfies Feature
