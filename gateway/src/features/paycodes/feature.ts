import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { sealedPaycodes } from './encrypted-columns.ts'
import { paycodeChecks } from './ledger-checks.ts'
import { paycodeRoutes } from './routes.ts'
import { paycodeSweeps } from './service.ts'

/** Cash payouts collected with a code. */
export const paycodeFeature = {
  ledgerChecks: paycodeChecks,
  encryptedColumns: sealedPaycodes,
  open: ({ core }: { readonly core: Core }) => ({
    routes: (serve) => paycodeRoutes(serve, { core }),
    sweeps: paycodeSweeps(core),
  }),
} satisfies Feature
