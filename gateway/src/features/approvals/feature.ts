import type { Feature } from '../../core/feature.ts'
import { actionPayouts } from './actions.ts'
import { approvalMailSweep } from './mails.ts'
import { policySweep } from './policy-service.ts'
import { approvalRoutes } from './routes.ts'
import type { ApprovalDeps } from './service.ts'

/** Approvals by team members: of payouts from a wallet, and of actions that need a second person. */
export const approvalFeature = {
  open: (deps: ApprovalDeps) => {
    deps.payouts.define('ACTION', actionPayouts(deps.core))
    return {
      routes: (serve) => approvalRoutes(serve, deps),
      sweeps: [policySweep(deps.core), approvalMailSweep(deps.core)],
    }
  },
} satisfies Feature
