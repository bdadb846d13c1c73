import type { AccountSources } from '../../core/account-numbers/index.ts'
import type { Feature } from '../../core/feature.ts'
import type { Environment } from '../../platform/config/config.ts'
import { sandboxPages } from './pages.ts'
import { type SandboxDeps, sandboxRoutes } from './routes.ts'

interface Deps extends SandboxDeps {
  readonly environment: Environment
  /** The banks at which accounts are opened. */
  readonly sources: () => AccountSources
}

/** The sandbox's own endpoints: they simulate a bank, an inbox and the passing of time. */
export const sandboxFeature = {
  open: (deps: Deps) => ({
    routes: (serve, pages) => {
      sandboxRoutes(serve, deps)
      if (deps.environment === 'sandbox') sandboxPages(pages, deps.core, deps.sources)
    },
  }),
} satisfies Feature
