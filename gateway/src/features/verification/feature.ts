import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import type { Environment } from '../../platform/config/config.ts'
import { verificationChecks } from './ledger-checks.ts'
import { verificationRoutes } from './routes.ts'

interface Deps {
  readonly core: Core
  readonly enquiries: Pick<Enquiries, 'identity'>
  readonly environment: Environment
}

/** Identity checks. They are charged in live mode only. */
export const verificationFeature = {
  ledgerChecks: verificationChecks,
  open: ({ core, enquiries, environment }: Deps) => ({
    routes: (serve) => verificationRoutes(serve, { core, rail: enquiries.identity, charges: environment === 'live' }),
  }),
} satisfies Feature
