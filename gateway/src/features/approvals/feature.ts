import type { Feature } from '../../core/feature.ts'
import { policySweep } from './policy-service.ts'
import { approvalRoutes } from './routes.ts'
import type { ApprovalDeps } from './service.ts'

/** Approval by team members of everything that leaves a wallet. */
export const approvalFeature = {
  open: (deps: ApprovalDeps) => ({
    routes: (serve) => approvalRoutes(serve, deps),
    sweeps: [policySweep(deps.core)],
  }),
} satisfies Feature
