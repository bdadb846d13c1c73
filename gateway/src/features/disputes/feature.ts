import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { disputeCustomerData } from './customer-data.ts'
import { sealedDisputes } from './encrypted-columns.ts'
import { disputeChecks } from './ledger-checks.ts'
import { countDisputesDue } from './repository.ts'
import { disputeRoutes } from './routes.ts'
import { disputeSweeps } from './service.ts'

/** Disputes over payments: held, challenged, won or lost. */
export const disputeFeature = {
  ledgerChecks: disputeChecks,
  customerData: [disputeCustomerData],
  encryptedColumns: sealedDisputes,
  open: ({ core, metrics }: { readonly core: Core; readonly metrics: Metrics }) => {
    metrics.sharedGauge(
      'kobo_disputes_due',
      'Open disputes without evidence whose deadline is near',
      'within',
      async () => [['a day', await countDisputesDue(core.db, secondsAfter(core.clock.now(), 86_400))]],
    )
    return { routes: (serve) => disputeRoutes(serve, core), sweeps: disputeSweeps(core) }
  },
} satisfies Feature
