import type { Feature } from '../../core/feature.ts'
import type { Tokens } from '../../platform/tokens.ts'
import { authRoutes } from './routes.ts'

/** Access tokens for API keys. */
export const authFeature = (deps: { readonly tokens: Tokens }) =>
  ({ routes: (serve) => authRoutes(serve, deps) }) satisfies Feature
