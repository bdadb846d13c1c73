import type { Feature } from '../../core/feature.ts'
import type { AccountSources } from '../../core/money/virtual-accounts/index.ts'
import type { Environment } from '../../platform/config.ts'
import { sandboxPages } from './pages.ts'
import { type SandboxDeps, sandboxRoutes } from './routes.ts'

interface Deps extends SandboxDeps {
  readonly environment: Environment
  /** The banks at which accounts are opened. */
  readonly sources: () => AccountSources
}

/** The sandbox's own controls: what takes a bank, a mailbox or a week elsewhere happens here now. */
export const sandboxFeature = (deps: Deps) =>
  ({
    routes: (serve, pages) => {
      sandboxRoutes(serve, deps)
      if (deps.environment === 'sandbox') sandboxPages(pages, deps.core, deps.sources)
    },
  }) satisfies Feature
