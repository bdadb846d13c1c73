import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { limitProfileRoutes } from './routes.ts'

/** Limits for reserved accounts. */
export const limitProfileFeature = {
  open: (deps: { readonly core: Core }) => ({ routes: (serve) => limitProfileRoutes(serve, deps) }),
} satisfies Feature
