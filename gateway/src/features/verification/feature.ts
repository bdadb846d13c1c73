import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Environment } from '../../platform/config.ts'
import type { Rails } from '../../rails/index.ts'
import { verificationRoutes } from './routes.ts'

interface Deps {
  readonly core: Core
  readonly rails: Pick<Rails, 'identity'>
  readonly environment: Environment
}

/** Whether people are who they say they are. It costs something in live alone. */
export const verificationFeature = ({ core, rails, environment }: Deps) =>
  ({
    routes: (serve) => verificationRoutes(serve, { core, rail: rails.identity, charges: environment === 'live' }),
  }) satisfies Feature
