import type { Feature } from '../../core/feature.ts'
import type { Environment } from '../../platform/config.ts'
import { signInRoutes } from './routes.ts'

/** How people come in to the dashboard. */
export const signInFeature = (deps: { readonly environment: Environment }) =>
  ({ routes: (serve) => signInRoutes(serve, deps) }) satisfies Feature
