import type { Feature } from '../../core/feature.ts'
import type { Tokens } from '../../platform/http/access-tokens.ts'
import { authRoutes } from './routes.ts'

/** Access tokens for API keys. */
export const authFeature = {
  open: (deps: { readonly tokens: Tokens }) => ({ routes: (serve) => authRoutes(serve, deps) }),
} satisfies Feature
