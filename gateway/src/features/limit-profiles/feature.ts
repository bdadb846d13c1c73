import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { limitProfileRoutes } from './routes.ts'

/** Limits that reserved accounts may be given. */
export const limitProfileFeature = (deps: { readonly core: Core }) =>
  ({ routes: (serve) => limitProfileRoutes(serve, deps) }) satisfies Feature
