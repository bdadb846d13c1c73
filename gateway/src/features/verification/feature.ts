import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import type { Environment } from '../../platform/config.ts'
import { verificationRoutes } from './routes.ts'

interface Deps {
  readonly core: Core
  readonly enquiries: Pick<Enquiries, 'identity'>
  readonly environment: Environment
}

/** Whether people are who they say they are. It costs something in live alone. */
export const verificationFeature = ({ core, enquiries, environment }: Deps) =>
  ({
    routes: (serve) => verificationRoutes(serve, { core, rail: enquiries.identity, charges: environment === 'live' }),
  }) satisfies Feature
