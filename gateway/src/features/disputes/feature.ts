import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { disputeCustomerData } from './customer-data.ts'
import { sealedDisputes } from './encrypted-columns.ts'
import { disputeChecks } from './ledger-checks.ts'
import { disputeRoutes } from './routes.ts'
import { disputeSweeps } from './service.ts'

/** Disputes over payments: held, contested, won or lost. */
export const disputeFeature = {
  ledgerChecks: disputeChecks,
  customerData: [disputeCustomerData],
  encryptedColumns: sealedDisputes,
  open: ({ core }: { readonly core: Core }) => ({
    routes: (serve) => disputeRoutes(serve, core),
    sweeps: disputeSweeps(core),
  }),
} satisfies Feature
