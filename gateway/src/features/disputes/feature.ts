import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { disputeRoutes } from './routes.ts'
import { disputeSweeps } from './service.ts'

/** Payments that somebody wants back: held, contested, and given back or kept. */
export const disputeFeature = ({ core }: { readonly core: Core }) =>
  ({ routes: (serve) => disputeRoutes(serve, core), sweeps: disputeSweeps(core) }) satisfies Feature
